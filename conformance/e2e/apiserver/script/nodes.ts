import { editedAnswer, get, jsonPatch, mergePatch, post, put, remove, strategicPatch, type Topic } from '../compare/step.ts';
import { node } from './objects.ts';

const collection = '/api/v1/nodes';
const path = (name: string, rest = ''): string => `${collection}/${name}${rest}`;

export const nodes: Topic = {
  name: 'nodes',
  steps: [
    post(collection, node('c-node', {}, { labels: { 'kubernetes.io/hostname': 'c-node' } }), { saveAs: 'node' }),
    post(collection, node('c-node')),
    get(path('c-node')),
    get(path('none')),
    // podCIDR is not a selectable field.
    get(`${collection}?labelSelector=kubernetes.io/hostname%3Dc-node`),
    get(`${collection}?fieldSelector=metadata.name%3Dc-node,spec.unschedulable%3Dfalse`),
    get(`${collection}?fieldSelector=spec.podCIDR%3Dx`),
    // Valid and invalid CIDRs, taints and names.
    post(collection, node('c-cidr', { spec: { podCIDR: '10.5.0.0/24', podCIDRs: ['10.5.0.0/24', 'fd00:5::/64'], providerID: 'p://1' } })),
    post(collection, node('c-cidr-bad', { spec: { podCIDR: 'x', podCIDRs: ['x'] } })),
    post(collection, node('c-cidr-two', { spec: { podCIDRs: ['10.5.0.0/24', '10.6.0.0/24'] } })),
    post(collection, node('c-taint', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }], unschedulable: true } })),
    post(collection, node('c-taint-bad', { spec: { taints: [{ key: 'a b', effect: 'Nope' }] } })),
    post(
      collection,
      node('c-taint-twice', { spec: { taints: [1, 2].map((n) => ({ key: 'a', value: String(n), effect: 'NoSchedule' })) } }),
    ),
    post(collection, node('C-Upper')),
    post(collection, node('c.dotted')),
    // podCIDR and providerID can be set once, but not changed. The main resource does not change the status.
    put(path('c-node'), editedAnswer('node', { metadata: { labels: { zone: 'a' } } }), { saveAs: 'node-2' }),
    put(path('c-node'), editedAnswer('node-2', { spec: { podCIDR: '10.7.0.0/24', podCIDRs: ['10.7.0.0/24'] } }), { saveAs: 'node-3' }),
    put(path('c-node'), editedAnswer('node-3', { spec: { podCIDR: '10.8.0.0/24', podCIDRs: ['10.8.0.0/24'] } })),
    mergePatch(path('c-node'), { spec: { unschedulable: true } }),
    mergePatch(path('c-node'), { spec: { unschedulable: null } }),
    mergePatch(path('c-node'), { spec: { providerID: 'p://2' } }),
    mergePatch(path('c-node'), { spec: { providerID: 'p://3' } }),
    mergePatch(path('c-node'), { status: { phase: 'Running' } }),
    // Conditions and addresses merge by type. Quantities are validated.
    strategicPatch(path('c-node', '/status'), {
      status: {
        addresses: [
          { type: 'InternalIP', address: '192.0.2.1' },
          { type: 'Hostname', address: 'c-node' },
        ],
        capacity: { cpu: '4', memory: '8Gi', pods: '110' },
        conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
        nodeInfo: { kubeletVersion: 'v1.36.3', osImage: 'Linux', kernelVersion: '6.1', containerRuntimeVersion: 'containerd://2' },
      },
    }),
    strategicPatch(path('c-node', '/status'), {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'DiskPressure', status: 'True' },
        ],
      },
    }),
    strategicPatch(path('c-node', '/status'), { status: { addresses: [{ type: 'InternalIP', address: '192.0.2.2' }] } }),
    strategicPatch(path('c-node', '/status'), { status: { capacity: { cpu: 'many' } } }),
    strategicPatch(path('c-node', '/status'), { status: { capacity: { 'example.com/gpu': '1.5' } } }),
    get(path('c-node', '/status')),
    // Patches of the list of taints.
    jsonPatch(path('c-node'), [{ op: 'add', path: '/spec/taints/-', value: { key: 'b', effect: 'NoExecute' } }]),
    strategicPatch(path('c-node'), { spec: { taints: [{ key: 'c', effect: 'PreferNoSchedule' }] } }),
    strategicPatch(path('c-node'), { spec: { taints: [{ key: 'node.kubernetes.io/not-ready', $patch: 'delete' }] } }),
    remove(path('c-cidr')),
    remove(path('c-taint')),
    remove(path('c.dotted')),
    remove(path('none')),
    remove(`${collection}?labelSelector=zone%3Da`),
    get(path('c-node')),
  ],
};
