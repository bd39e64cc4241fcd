import {
  corePath,
  createNamespace,
  editedAnswer,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  type Topic,
} from '../compare/step.ts';
import { deleteOptions, pod } from './objects.ts';

const NS = 'c-pods';
const collection = corePath(NS, 'pods');
const path = (name: string, rest = ''): string => corePath(NS, `pods/${name}`, rest);
const container = (fields: object): object => ({ containers: [{ name: 'app', image: 'registry.example/app:1', ...fields }] });
const binding = (name: string, target: object): object => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name }, target });
const eviction = (name: string, rest: object = {}): object => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name, namespace: NS },
  ...rest,
});
const runningStatus = (fields: object = {}): object => ({
  status: {
    phase: 'Running',
    podIP: '10.1.0.7',
    podIPs: [{ ip: '10.1.0.7' }],
    conditions: [{ type: 'Ready', status: 'True' }],
    ...fields,
  },
});

export const pods: Topic = {
  name: 'pods',
  steps: [
    createNamespace(NS),
    post(collection, pod('plain'), { saveAs: 'plain' }),
    post(collection, pod('plain')),
    get(path('plain')),
    post(
      collection,
      pod('full', {
        ...container({
          ports: [
            { name: 'web', containerPort: 8080 },
            { containerPort: 53, protocol: 'UDP', hostPort: 53 },
          ],
          env: [
            { name: 'A', value: 'b' },
            { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          ],
          resources: { requests: { cpu: '100m', memory: '1Gi' }, limits: { cpu: '1', memory: '1024Mi' } },
          readinessProbe: { httpGet: { path: '/', port: 'web' } },
          livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 3 },
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
        }),
        initContainers: [{ name: 'init', image: 'registry.example/init', restartPolicy: 'Always' }],
        volumes: [
          { name: 'tmp', emptyDir: {} },
          { name: 'conf', configMap: { name: 'c' } },
        ],
        readinessGates: [{ conditionType: 'example.com/ready' }],
        hostname: 'h',
        subdomain: 's',
      }),
    ),
    post(collection, pod('host', { hostNetwork: true, ...container({ ports: [{ containerPort: 80 }] }) })),
    post(collection, pod('host-differs', { hostNetwork: true, ...container({ ports: [{ containerPort: 80, hostPort: 81 }] }) })),
    post(collection, pod('latest', container({ image: 'registry.example/app' }))),
    post(collection, pod('digest', container({ image: `registry.example/app@sha256:${'a'.repeat(64)}` }))),
    post(collection, pod('no-containers', { containers: [] })),
    post(collection, pod('no-image', container({ image: undefined }))),
    post(collection, pod('bad-name', container({ name: 'Not_Valid' }))),
    post(collection, pod('same-names', { containers: [1, 2].map(() => ({ name: 'app', image: 'i' })) })),
    post(
      collection,
      pod(
        'bad-ports',
        container({ ports: [{ containerPort: 0 }, { containerPort: 1, name: 'UPPER' }, { containerPort: 2, protocol: 'X' }] }),
      ),
    ),
    post(
      collection,
      pod(
        'same-port-names',
        container({
          ports: [
            { name: 'a', containerPort: 1 },
            { name: 'a', containerPort: 2 },
          ],
        }),
      ),
    ),
    post(collection, pod('bad-policy', { restartPolicy: 'Sometimes', dnsPolicy: 'Never' })),
    post(collection, pod('bad-env', container({ env: [{ name: '' }, { name: 'x=y', value: '1' }] }))),
    post(collection, pod('bad-quantity', container({ resources: { requests: { cpu: 'lots' } } }))),
    post(collection, pod('over-limit', container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }))),
    post(collection, pod('no-volume', container({ volumeMounts: [{ name: 'none', mountPath: '/x' }] }))),
    post(collection, pod('bad-probe', container({ readinessProbe: { periodSeconds: -1 } }))),
    post(collection, pod('bad-gate', { readinessGates: [{ conditionType: 'not valid' }] })),
    post(collection, pod('bad-host', { hostname: 'A_B', subdomain: 'c.d' })),
    post(collection, pod('bad-node', { nodeName: 'A_B' })),
    post(collection, pod('bad-grace', { terminationGracePeriodSeconds: -5, activeDeadlineSeconds: 0 })),
    post(collection, pod('Upper')),
    post(collection, pod('a'.repeat(254))),
    post(collection, pod('dotted.name')),
    post(collection, { ...pod('x'), metadata: { generateName: 'gen-' } }, { saveAs: 'generated' }),
    post(collection, pod('with-node', { nodeName: 'some-node' })),
    post(
      collection,
      pod('tolerant', {
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
        nodeSelector: { disk: 'ssd' },
      }),
    ),
    post(
      collection,
      pod('tolerant-bad', {
        tolerations: [
          { key: 'a', operator: 'Maybe' },
          { operator: 'Equal', value: 'x' },
        ],
      }),
    ),
    post(collection, pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] })),
    // Updates of the spec, of which only a few fields are mutable.
    put(path('plain'), editedAnswer('plain', { metadata: { labels: { a: 'b' } } }), { saveAs: 'plain-2' }),
    put(path('plain'), editedAnswer('plain-2', { spec: { hostname: 'new' } })),
    mergePatch(path('plain'), { spec: { containers: [{ name: 'app', image: 'registry.example/app:2' }] } }),
    strategicPatch(path('plain'), { spec: { containers: [{ name: 'app', image: 'registry.example/app:3' }] } }),
    strategicPatch(path('plain'), { spec: { containers: [{ name: 'other', image: 'registry.example/other:1' }] } }),
    jsonPatch(path('plain'), [{ op: 'replace', path: '/spec/containers/0/image', value: '' }]),
    mergePatch(path('plain'), { spec: { activeDeadlineSeconds: 100 } }),
    mergePatch(path('plain'), { spec: { activeDeadlineSeconds: 200 } }),
    mergePatch(path('plain'), { spec: { nodeName: 'n1' } }),
    mergePatch(path('plain'), { spec: { terminationGracePeriodSeconds: 5 } }),
    strategicPatch(path('plain'), { spec: { tolerations: [{ key: 'new', operator: 'Exists' }] } }),
    mergePatch(path('plain'), { status: { phase: 'Running' } }),
    // Updates of the status.
    mergePatch(path('plain', '/status'), runningStatus(), { saveAs: 'running' }),
    get(path('plain', '/status')),
    strategicPatch(path('plain', '/status'), { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Because' }] } }),
    strategicPatch(path('plain', '/status'), { status: { conditions: [{ type: 'ContainersReady', status: 'Maybe' }] } }),
    strategicPatch(path('plain', '/status'), { status: { podIPs: [{ ip: '10.1.0.8' }] } }),
    mergePatch(path('plain', '/status'), runningStatus({ podIP: 'x', podIPs: [{ ip: 'x' }] })),
    mergePatch(path('plain', '/status'), runningStatus({ podIPs: [{ ip: '10.1.0.7' }, { ip: 'fd00::7' }], hostIP: '192.0.2.1' })),
    mergePatch(path('plain', '/status'), runningStatus({ podIPs: [{ ip: '10.1.0.7' }, { ip: '10.1.0.8' }] })),
    mergePatch(path('plain', '/status'), runningStatus({ conditions: [{ status: 'True' }] })),
    mergePatch(path('plain', '/status'), { spec: { hostname: 'ignored' }, metadata: { labels: { status: 'too' } } }),
    // Bindings: a pod can be bound once, to a Node, under its own name and without scheduling gates.
    post(path('plain', '/binding'), binding('plain', { kind: 'Node', name: 'node-1' })),
    get(path('plain')),
    post(path('plain', '/binding'), binding('plain', { kind: 'Node', name: 'node-2' })),
    post(path('gated', '/binding'), binding('gated', { kind: 'Node', name: 'node-1' })),
    post(path('latest', '/binding'), binding('latest', { kind: 'Shelf', name: 'node-1' })),
    post(path('latest', '/binding'), binding('latest', { kind: 'Node' })),
    post(path('latest', '/binding'), binding('other', { kind: 'Node', name: 'node-1' })),
    post(path('none', '/binding'), binding('none', { kind: 'Node', name: 'node-1' })),
    post(corePath(NS, 'bindings'), binding('digest', { kind: 'Node', name: 'node-1' })),
    get(path('digest')),
    get(path('plain', '/binding')),
    get(`${collection}?fieldSelector=spec.nodeName%3Dnode-1`),
    get(`${collection}?fieldSelector=status.phase%3DRunning`),
    get(`${collection}?fieldSelector=status.podIP%3D10.1.0.7,spec.restartPolicy%3DAlways`),
    get(`${collection}?fieldSelector=spec.hostNetwork%3Dtrue`),
    get(`${collection}?fieldSelector=spec.nothing%3Dx`),
    // Evictions.
    post(path('latest', '/eviction'), eviction('latest')),
    get(path('latest')),
    post(path('plain', '/eviction'), eviction('plain', { deleteOptions: { gracePeriodSeconds: 7 } })),
    get(path('plain')),
    post(path('none', '/eviction'), eviction('none')),
    post(path('host', '/eviction'), eviction('other')),
    post(path('host', '/eviction?dryRun=All'), eviction('host')),
    // Deletions: a pod on a node stays until its grace period is over or set to 0.
    remove(path('plain'), deleteOptions({ gracePeriodSeconds: 0 })),
    get(path('plain')),
    remove(path('with-node')),
    get(path('with-node')),
    remove(path('with-node'), deleteOptions({ gracePeriodSeconds: 3 })),
    remove(`${path('with-node')}?gracePeriodSeconds=0`),
    remove(path('full')),
    remove(`${path('digest')}?gracePeriodSeconds=1`),
    mergePatch(path('digest'), { metadata: { labels: { while: 'terminating' } } }),
    remove(`${path('digest')}?gracePeriodSeconds=-1`),
    get(path('{{generated.metadata.name}}')),
  ],
};
