import type { EndpointSubsetInput, EndpointsInput, Pod, Service, StringMap } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';

/** Draws from few values, so that objects often share values, which provokes edge cases. */
const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const nil = oneOf(null, undefined);

const namespaces = oneOf('shop', 'shop', 'shop', 'shop', 'other');
const labelKeys = oneOf('app', 'tier', '__proto__', 'constructor', 'toString', '');
const labelValues = oneOf('a', 'b', '');
export const labelMaps: fc.Arbitrary<StringMap> = fc
  .array(fc.tuple(labelKeys, labelValues), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries) as StringMap);
export const selectors: fc.Arbitrary<StringMap | null | undefined> = fc.oneof(
  { weight: 5, arbitrary: oneOf({ app: 'a' }) },
  { weight: 2, arbitrary: labelMaps },
  { weight: 1, arbitrary: nil },
);

export const times: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 0, max: 59 }), oneOf('', '.5', '.000000001', '.120'), oneOf('Z', 'Z', '+02:00', '-03:30'))
  .map(([second, fraction, zone]) => `2026-01-01T12:00:${String(second).padStart(2, '0')}${fraction}${zone}`);
const timestamps = fc.oneof(
  times,
  times.map((text) => new Date(text)),
  nil,
);

export const ips: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }).map((n) => `10.0.0.${n}`) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 20 }).map((n) => `fd00::${n.toString(16)}`) },
  { weight: 2, arbitrary: oneOf('010.0.0.1', 'fd00:0::1', 'FD00::2', '::ffff:10.0.0.1', '10.0.0.300', 'x', '') },
);

const names = oneOf('http', 'admin', 'dns', '');
const protocols = oneOf('TCP', 'TCP', 'TCP', 'UDP', 'SCTP', '', undefined);
const containerPorts = fc.record({
  name: fc.oneof(names, nil),
  containerPort: fc.oneof(oneOf(80, 8080, 9090, 53), nil),
  protocol: protocols,
});
const containers = fc.record({
  ports: fc.oneof(fc.array(containerPorts, { maxLength: 3 }), nil),
  restartPolicy: oneOf('Always', undefined),
});

const readyConditions = fc.record({
  type: oneOf('Ready', 'Ready', 'Ready', 'Initialized'),
  status: oneOf('True', 'True', 'False', 'Unknown', null),
  lastTransitionTime: timestamps,
});

const statuses: fc.Arbitrary<Pod['status']> = fc
  .record({
    phase: oneOf('Running', 'Running', 'Running', 'Pending', 'Succeeded', 'Failed', undefined),
    first: ips,
    others: fc.array(ips, { maxLength: 2 }),
    shape: oneOf('both', 'both', 'both', 'podIP', 'podIPs', 'neither'),
    conditions: fc.oneof(fc.array(readyConditions, { maxLength: 2 }), nil),
  })
  .map(({ phase, first, others, shape, conditions }) => ({
    phase,
    conditions,
    ...((shape === 'both' || shape === 'podIP') && { podIP: first }),
    ...((shape === 'both' || shape === 'podIPs') && { podIPs: [first, ...others].map((ip) => ({ ip })) }),
  }));

/** A pod without name and UID; `podLists` sets them. */
const podBodies: fc.Arbitrary<Pod> = fc.record({
  metadata: fc.record({
    namespace: namespaces,
    resourceVersion: oneOf('1', '2', undefined),
    deletionTimestamp: fc.oneof({ weight: 5, arbitrary: nil }, { weight: 1, arbitrary: times }),
    labels: fc.oneof({ weight: 6, arbitrary: oneOf({ app: 'a' }) }, { weight: 2, arbitrary: labelMaps }, { weight: 1, arbitrary: nil }),
  }),
  spec: fc.record({
    containers: fc.oneof(fc.array(containers, { maxLength: 2 }), nil),
    initContainers: fc.oneof(nil, fc.array(containers, { maxLength: 2 })),
    restartPolicy: oneOf('Always', 'Never', 'OnFailure', undefined),
    nodeName: oneOf('n1', 'n2', '', undefined),
    hostname: oneOf('h1', 'h2', '', undefined),
    subdomain: oneOf('web', 'web', 'db', '', undefined),
  }),
  status: statuses,
});

/** Pods with unique names and UIDs. */
export const podLists: fc.Arbitrary<Pod[]> = fc
  .array(podBodies, { maxLength: 8 })
  .map((list) => list.map((pod, i) => ({ ...pod, metadata: { ...pod.metadata, name: `p${i}`, uid: `u${i}` } })));

/** Pods that may share a UID or have none, so that the controller treats two pods with the same IP as one address. */
export const lookalikePodLists: fc.Arbitrary<Pod[]> = fc
  .array(fc.tuple(podBodies, oneOf('u1', 'u2', '', undefined)), { maxLength: 8 })
  .map((list) => list.map(([pod, uid], i) => ({ ...pod, metadata: { ...pod.metadata, name: `p${i}`, uid } })));

const servicePorts = fc.record({
  name: names,
  port: oneOf(80, 443),
  protocol: protocols,
  targetPort: oneOf<number | string | null | undefined>('http', 'http', 'admin', 'dns', 8080, 9090, 0, null, undefined),
  appProtocol: oneOf('h2', undefined, undefined, undefined),
});

const serviceLabels = fc.oneof(
  labelMaps,
  nil,
  oneOf<StringMap>(
    { 'service.kubernetes.io/headless': '' },
    { 'endpoints.kubernetes.io/managed-by': 'me' },
    { 'service.kubernetes.io/headless': 'x', app: 'a' },
  ),
);

export const services: fc.Arbitrary<Service> = fc.record({
  metadata: fc.record({
    name: oneOf('web'),
    namespace: oneOf('shop'),
    uid: oneOf('s1', undefined),
    labels: serviceLabels,
    annotations: oneOf<StringMap | null | undefined>(
      undefined,
      null,
      {},
      { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' },
      { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'perhaps' },
    ),
    creationTimestamp: timestamps,
  }),
  spec: fc.record({
    type: oneOf('ClusterIP', 'ClusterIP', 'ClusterIP', 'ExternalName', undefined),
    selector: selectors,
    clusterIP: oneOf('10.96.0.1', '10.96.0.1', 'None', 'fd00::a', '', null),
    ipFamilies: oneOf(['IPv4'], ['IPv4'], ['IPv6', 'IPv4'], [], null, undefined),
    ports: fc.oneof(
      { weight: 5, arbitrary: fc.array(servicePorts, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: oneOf([], null, undefined) },
    ),
    publishNotReadyAddresses: oneOf(false, false, true, null, undefined),
  }),
});

const targets = fc.record({
  kind: oneOf('Pod', ''),
  name: oneOf('p0', 'p1'),
  uid: oneOf('u0', 'u1', '', undefined),
  resourceVersion: oneOf('1', '2', undefined),
});
const addresses = fc.record({
  ip: ips,
  hostname: oneOf('h1', '', null, undefined),
  nodeName: oneOf('n1', '', null, undefined),
  targetRef: fc.oneof(targets, nil),
});
const endpointPorts = fc.record({
  name: names,
  port: oneOf(80, 81, 82),
  protocol: protocols,
  appProtocol: oneOf('h2', '', null, undefined, undefined),
});

export const subsetLists: fc.Arbitrary<EndpointSubsetInput[]> = fc.array(
  fc.record({
    addresses: fc.oneof(fc.array(addresses, { maxLength: 4 }), nil),
    notReadyAddresses: fc.oneof(fc.array(addresses, { maxLength: 2 }), nil),
    ports: fc.oneof(fc.array(endpointPorts, { maxLength: 3 }), nil),
  }),
  { maxLength: 4 },
);

export const existingEndpoints: fc.Arbitrary<EndpointsInput | undefined> = fc.oneof(
  { weight: 1, arbitrary: oneOf(undefined, {}) },
  {
    weight: 3,
    arbitrary: fc.record({
      metadata: fc.record({
        name: oneOf('web'),
        namespace: oneOf('shop'),
        resourceVersion: oneOf('1', '7', undefined),
        labels: serviceLabels,
        annotations: oneOf<StringMap | null>(null, { kept: 'x' }, { 'endpoints.kubernetes.io/over-capacity': 'warning' }),
        creationTimestamp: timestamps,
        finalizers: oneOf(['f'], undefined),
      }),
      subsets: fc.oneof(subsetLists, nil),
    }),
  },
);
