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
import { service } from './objects.ts';

const NS = 'c-svc';
const collection = corePath(NS, 'services');
const path = (name: string, rest = ''): string => corePath(NS, `services/${name}`, rest);
const withPort = (fields: object): object => ({ ports: [{ port: 80, ...fields }] });

export const services: Topic = {
  name: 'services',
  steps: [
    createNamespace(NS),
    post(collection, service('plain', { selector: { app: 'a' } }), { saveAs: 'plain' }),
    // Fails because the Service exists.
    post(collection, service('plain')),
    get(path('plain')),
    get(collection),
    post(collection, service('headless', { clusterIP: 'None' })),
    post(collection, service('headless-no-ports', { clusterIP: 'None', ports: [] })),
    post(collection, service('no-ports', { ports: [] })),
    // Requested cluster IPs.
    post(collection, service('fixed', { clusterIP: '10.96.0.11' }), { saveAs: 'fixed' }),
    post(collection, service('fixed-again', { clusterIP: '10.96.0.11' })),
    post(collection, service('fixed-outside', { clusterIP: '10.200.0.1' })),
    post(collection, service('fixed-bad', { clusterIP: 'not-an-ip' })),
    post(collection, service('fixed-zero', { clusterIP: '10.96.0.0' })),
    // Node ports.
    post(collection, service('node-port', { type: 'NodePort', ...withPort({ nodePort: 30001 }) })),
    post(collection, service('node-port-auto', { type: 'NodePort' }), { saveAs: 'auto' }),
    post(collection, service('node-port-taken', { type: 'NodePort', ...withPort({ nodePort: 30001 }) })),
    post(collection, service('node-port-outside', { type: 'NodePort', ...withPort({ nodePort: 80 }) })),
    post(collection, service('node-port-on-cluster-ip', withPort({ nodePort: 30002 }))),
    post(
      collection,
      service('node-port-both', { type: 'NodePort', ports: [1, 2].map((n) => ({ name: `p${n}`, port: n, nodePort: 30003 })) }),
    ),
    post(
      collection,
      service('node-port-protocols', {
        type: 'NodePort',
        ports: ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), protocol, port: 53, nodePort: 30004 })),
      }),
    ),
    // Load balancers, and their fields on a Service of another type.
    post(collection, service('balanced', { type: 'LoadBalancer' })),
    post(collection, service('balanced-local', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30005 })),
    post(collection, service('balanced-local-taken', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30005 })),
    post(collection, service('balanced-no-node-ports', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false })),
    post(
      collection,
      service('balanced-class', { type: 'LoadBalancer', loadBalancerClass: 'example.com/lb', loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    ),
    post(collection, service('balanced-bad-ranges', { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/99', 'x'] })),
    post(collection, service('local-on-cluster-ip', { externalTrafficPolicy: 'Local' })),
    post(collection, service('health-on-cluster-ip', { healthCheckNodePort: 30006 })),
    post(collection, service('class-on-cluster-ip', { loadBalancerClass: 'example.com/lb' })),
    // Services of type ExternalName.
    post(collection, service('external', { type: 'ExternalName', externalName: 'example.com', ports: undefined })),
    post(collection, service('external-bad', { type: 'ExternalName', externalName: 'Not Valid' })),
    post(collection, service('external-none', { type: 'ExternalName' })),
    post(collection, service('external-ip', { type: 'ExternalName', externalName: 'example.com', clusterIP: '10.96.0.12' })),
    // Invalid types and ports.
    post(collection, service('strange', { type: 'Strange' })),
    post(
      collection,
      service('bad-ports', {
        ports: [{ port: 0 }, { port: 70_000, name: 'UPPER' }, { port: 1, protocol: 'ICMP', targetPort: 'way-too-long-a-name' }],
      }),
    ),
    post(collection, service('unnamed-ports', { ports: [{ port: 1 }, { port: 2 }] })),
    post(
      collection,
      service('same-names', {
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      }),
    ),
    post(
      collection,
      service('same-ports', {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 1 },
        ],
      }),
    ),
    post(collection, service('app-protocol', { ports: [{ port: 80, appProtocol: 'kubernetes.io/h2c', targetPort: 'web' }] })),
    post(collection, service('app-protocol-bad', { ports: [{ port: 80, appProtocol: 'no good/at/all' }] })),
    post(collection, service('target-zero', withPort({ targetPort: 0 }))),
    post(collection, service('target-text', withPort({ targetPort: '8080' }))),
    post(collection, service('port-text', { ports: [{ port: '80' }] })),
    post(collection, service('port-fraction', { ports: [{ port: 80.5 }] })),
    // Session affinity, external IPs, policies and selectors.
    post(collection, service('affinity', { sessionAffinity: 'ClientIP' })),
    post(
      collection,
      service('affinity-timeout', { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
    ),
    post(collection, service('affinity-none-config', { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } })),
    post(collection, service('affinity-strange', { sessionAffinity: 'Sometimes' })),
    post(collection, service('external-ips', { externalIPs: ['192.0.2.1', '127.0.0.1', 'x'] })),
    post(collection, service('external-ip-good', { externalIPs: ['192.0.2.1'] })),
    post(
      collection,
      service('policies', { internalTrafficPolicy: 'Local', trafficDistribution: 'PreferClose', publishNotReadyAddresses: true }),
    ),
    post(collection, service('policies-bad', { internalTrafficPolicy: 'Far', trafficDistribution: 'Nowhere' })),
    post(collection, service('selector-bad', { selector: { 'a b': 'c d' } })),
    // Valid, invalid and generated names.
    post(collection, service('1-digit-first')),
    post(collection, service('Upper')),
    post(collection, service('with.dot')),
    post(collection, service('a'.repeat(64))),
    post(collection, { ...service('x'), metadata: { generateName: 'gen-' } }, { saveAs: 'generated' }),
    // Changes of the type.
    put(path('plain'), editedAnswer('plain', { spec: { type: 'NodePort' } }), { saveAs: 'plain-2' }),
    put(path('plain'), editedAnswer('plain-2', { spec: { type: 'ClusterIP' } }), { saveAs: 'plain-3' }),
    put(path('plain'), editedAnswer('plain-3', { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' } }), { saveAs: 'plain-4' }),
    put(path('plain'), editedAnswer('plain-4', { spec: { healthCheckNodePort: 30085 } })),
    put(
      path('plain'),
      editedAnswer('plain-4', { spec: { type: 'ExternalName', externalName: 'gone.example', clusterIP: null, clusterIPs: null } }),
      {
        saveAs: 'plain-5',
      },
    ),
    put(path('plain'), editedAnswer('plain-5', { spec: { type: 'ClusterIP', externalName: null } })),
    // Changes of the cluster IP.
    put(path('fixed'), editedAnswer('fixed', { spec: { clusterIP: '10.96.0.13', clusterIPs: ['10.96.0.13'] } })),
    put(path('fixed'), editedAnswer('fixed', { spec: { clusterIP: null, clusterIPs: null }, metadata: { resourceVersion: null } })),
    put(path('fixed'), service('fixed', { ports: [{ port: 81 }] })),
    put(path('fixed'), service('fixed', { clusterIP: 'None' })),
    put(path('absent'), service('absent')),
    // Patches.
    mergePatch(path('fixed'), { spec: { clusterIP: null } }),
    mergePatch(path('node-port-auto'), { spec: { ports: [{ port: 81 }] } }),
    strategicPatch(path('node-port-auto'), { spec: { ports: [{ port: 82, name: 'more' }] } }),
    strategicPatch(path('node-port-auto'), {
      spec: {
        ports: [
          { port: 81, name: 'first' },
          { port: 82, name: 'more' },
        ],
      },
    }),
    jsonPatch(path('fixed'), [{ op: 'replace', path: '/spec/type', value: 'NodePort' }]),
    jsonPatch(path('fixed'), [{ op: 'add', path: '/spec/sessionAffinity', value: 'ClientIP' }]),
    // The status, through its subresource and without it.
    mergePatch(path('balanced', '/status'), { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } }),
    mergePatch(path('balanced', '/status'), {
      status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '-bad-' }, { ip: '192.0.2.7', ports: [{ port: 0 }] }] } },
    }),
    mergePatch(path('fixed', '/status'), { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } }),
    get(path('balanced', '/status')),
    mergePatch(path('balanced'), { status: { loadBalancer: { ingress: [{ ip: '192.0.2.8' }] } } }),
    get('/api/v1/services?fieldSelector=metadata.namespace%3Dc-svc,spec.type%3DExternalName'),
    get(`${collection}?fieldSelector=spec.clusterIP%3DNone`),
    // A dry run allocates nothing, so the next request gets the same address and port.
    post(`${collection}?dryRun=All`, service('dry', { type: 'NodePort', clusterIP: '10.96.0.19', ...withPort({ nodePort: 30080 }) })),
    post(collection, service('dry', { type: 'NodePort', clusterIP: '10.96.0.19', ...withPort({ nodePort: 30080 }) })),
    put(`${path('dry')}?dryRun=All`, service('dry', { type: 'ClusterIP' })),
    get(path('dry')),
    remove(path('dry')),
    // The address and the port of a deleted Service are free.
    post(collection, service('reuse', { type: 'NodePort', clusterIP: '10.96.0.19', ...withPort({ nodePort: 30080 }) })),
    post(path('plain', '/proxy'), undefined),
    remove(`${collection}?labelSelector=none%3Dnone`),
    remove(path('{{generated.metadata.name}}')),
  ],
};
