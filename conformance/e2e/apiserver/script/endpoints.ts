import {
  corePath,
  createNamespace,
  editedAnswer,
  get,
  groupPath,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  type Topic,
} from '../compare/step.ts';
import { endpoints, slice } from './objects.ts';

const NS = 'c-ep';
const collection = corePath(NS, 'endpoints');
const path = (name: string): string => corePath(NS, `endpoints/${name}`);
const slices = groupPath('discovery.k8s.io/v1', NS, 'endpointslices');
const slicePath = (name: string): string => `${slices}/${name}`;
const subset = (ips: readonly string[], ports: readonly object[] = [{ port: 80 }], rest: object = {}): object => ({
  addresses: ips.map((ip) => ({ ip })),
  ports,
  ...rest,
});

export const endpointsAndSlices: Topic = {
  name: 'endpoints and slices',
  steps: [
    createNamespace(NS),
    post(collection, endpoints('one', [subset(['10.0.0.2', '10.0.0.1'])]), { saveAs: 'one' }),
    get(path('one')),
    get(collection),
    post(collection, endpoints('empty', undefined)),
    post(collection, endpoints('empty-list', [])),
    post(
      collection,
      endpoints('unordered', [
        subset(
          ['10.0.0.9', '10.0.0.3'],
          [
            { name: 'b', port: 2 },
            { name: 'a', port: 1 },
          ],
        ),
        subset(['10.0.0.3'], [{ name: 'c', port: 3 }]),
        subset(['10.0.0.9', '10.0.0.3'], [{ name: 'a', port: 1 }]),
      ]),
    ),
    post(
      collection,
      endpoints('not-ready', [subset([], [{ port: 80 }], { notReadyAddresses: [{ ip: '10.0.0.5', hostname: 'h', nodeName: 'n' }] })]),
    ),
    post(collection, endpoints('both', [subset(['10.0.0.5'], [{ port: 80 }], { notReadyAddresses: [{ ip: '10.0.0.5' }] })])),
    post(collection, endpoints('six', [subset(['fd00::1', 'FD00::2'])])),
    post(collection, endpoints('bad-ips', [subset(['x', '127.0.0.1', '169.254.1.1', '224.0.0.1', '0.0.0.0', '::1'])])),
    post(collection, endpoints('bad-ports', [subset(['10.0.0.1'], [{ port: 0 }, { port: 1, protocol: 'X' }, { port: 2, name: 'A B' }])])),
    post(collection, endpoints('no-addresses', [{ ports: [{ port: 80 }] }])),
    post(collection, endpoints('bad-node', [{ addresses: [{ ip: '10.0.0.1', nodeName: 'A_B', hostname: '-' }], ports: [{ port: 1 }] }])),
    post(collection, endpoints('leading-zeros', [subset(['010.0.0.1'])])),
    post(
      collection,
      endpoints('target', [
        { addresses: [{ ip: '10.0.0.1', targetRef: { kind: 'Pod', name: 'p', namespace: NS, uid: 'u' } }], ports: [{ port: 1 }] },
      ]),
    ),
    put(path('one'), editedAnswer('one', { subsets: [subset(['10.0.0.4'])] }), { saveAs: 'one-2' }),
    put(path('one'), editedAnswer('one-2', {})),
    // The answer 'one' has an outdated resourceVersion by now.
    put(path('one'), editedAnswer('one', { subsets: [] })),
    put(path('made-by-put'), endpoints('made-by-put', [subset(['10.0.0.4'])])),
    put(path('made-by-put'), endpoints('another', [subset(['10.0.0.4'])])),
    mergePatch(path('one'), { subsets: [subset(['10.0.0.6', '10.0.0.5'])] }),
    strategicPatch(path('one'), { subsets: [subset(['10.0.0.7'])] }),
    jsonPatch(path('one'), [{ op: 'add', path: '/subsets/0/addresses/-', value: { ip: '10.0.0.1' } }]),
    mergePatch(path('one'), { metadata: { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': 'x' } } }),
    remove(path('one')),
    remove(collection),
    get(collection),
    post(slices, slice('one', {}, { labels: { 'kubernetes.io/service-name': 'svc' } }), { saveAs: 'slice' }),
    get(slicePath('one')),
    post(
      slices,
      slice('conditions', {
        endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true, serving: true, terminating: false }, zone: 'z', nodeName: 'n' }],
      }),
    ),
    post(
      slices,
      slice('hints', { endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n' }] } }] }),
    ),
    post(
      slices,
      slice('bad-hints', {
        endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'A B' }, { name: 'z' }, { name: 'z' }] } }],
      }),
    ),
    post(slices, slice('six', { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] })),
    post(slices, slice('fqdn', { addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }] })),
    post(slices, slice('fqdn-bad', { addressType: 'FQDN', endpoints: [{ addresses: ['not_a_name'] }] })),
    post(slices, slice('wrong-family', { addressType: 'IPv6' })),
    post(slices, slice('no-type', { addressType: undefined })),
    post(slices, slice('strange-type', { addressType: 'IP' })),
    post(slices, slice('no-endpoints', { endpoints: undefined, ports: undefined })),
    post(slices, slice('empty-endpoints', { endpoints: [], ports: [] })),
    post(slices, slice('no-address', { endpoints: [{ addresses: [] }] })),
    post(slices, slice('two-addresses', { endpoints: [{ addresses: ['10.0.0.1', '10.0.0.2'] }] })),
    post(slices, slice('bad-addresses', { endpoints: [{ addresses: ['x'] }, { addresses: ['127.0.0.1'] }, { addresses: ['010.0.0.1'] }] })),
    post(
      slices,
      slice('bad-ports', {
        ports: [
          { name: 'A', port: 1 },
          { name: 'b', port: 0, protocol: 'X' },
          { name: 'b', port: 1 },
        ],
      }),
    ),
    post(
      slices,
      slice('same-port-names', {
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      }),
    ),
    post(slices, slice('port-defaults', { ports: [{}] })),
    post(
      slices,
      slice('hostname', { endpoints: [{ addresses: ['10.0.0.1'], hostname: 'UPPER', nodeName: 'x y', deprecatedTopology: { a: 'b' } }] }),
    ),
    post(slices, slice('many', { endpoints: Array.from({ length: 1001 }, (_, n) => ({ addresses: [`10.2.${n >> 8}.${n & 255}`] })) })),
    put(slicePath('one'), editedAnswer('slice', { endpoints: [{ addresses: ['10.0.0.9'] }] }), { saveAs: 'slice-2' }),
    put(slicePath('one'), editedAnswer('slice-2', { addressType: 'IPv6', endpoints: [] })),
    put(slicePath('absent'), slice('absent')),
    mergePatch(slicePath('one'), { ports: null }),
    strategicPatch(slicePath('one'), { endpoints: [{ addresses: ['10.0.0.10'] }] }),
    strategicPatch(slicePath('one'), { ports: [{ name: 'x', port: 1 }] }),
    jsonPatch(slicePath('one'), [
      { op: 'test', path: '/addressType', value: 'IPv4' },
      { op: 'remove', path: '/endpoints/0' },
    ]),
    get(`${slices}?labelSelector=kubernetes.io/service-name%3Dsvc`),
    get('/apis/discovery.k8s.io/v1/endpointslices?fieldSelector=metadata.namespace%3Dc-ep'),
    remove(slicePath('one')),
    remove(slices),
    get('/apis/discovery.k8s.io/v1beta1/endpointslices'),
  ],
};
