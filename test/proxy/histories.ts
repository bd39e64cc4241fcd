import type { ProxyNode, ProxyService } from '../../src/proxy/index.ts';
import type { EndpointSliceInput } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { type EndpointSpec, makeSlice, makeWebService, node } from './fixtures.ts';

/** A change of the objects, of the node, or a sync. */
export type Step =
  | { readonly kind: 'service'; readonly key: string; readonly object: ProxyService | undefined }
  | { readonly kind: 'slice'; readonly key: string; readonly object: EndpointSliceInput | undefined }
  | { readonly kind: 'node'; readonly node: ProxyNode }
  | { readonly kind: 'sync' };

/** Creates histories with few names, addresses and ports, so that Services conflict over an external IP or a node port. */
export const histories = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: services },
      { weight: 6, arbitrary: slices },
      { weight: 1, arbitrary: nodes },
      { weight: 4, arbitrary: fc.constant<Step>({ kind: 'sync' }) },
    ),
    { maxLength, size: 'max' },
  );

const names = fc.constantFrom('web', 'db', 'web-2');
const subsetOf = <T>(...values: T[]): fc.Arbitrary<T[]> => fc.subarray(values);

const ports = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('http', '', 'dns'),
    protocol: fc.constantFrom('TCP', 'UDP'),
    port: fc.constantFrom(80, 53),
    nodePort: fc.constantFrom(0, 0, 30_080, 30_053),
  }),
  { minLength: 1, maxLength: 2, selector: ({ name, protocol }) => `${name}/${protocol}` },
);

const service: fc.Arbitrary<ProxyService> = fc
  .record({
    name: names,
    clusterIP: fc.constantFrom('10.96.0.1', '10.96.0.2', '10.96.0.3', 'None'),
    ports,
    type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer'),
    internalTrafficPolicy: fc.constantFrom('Cluster', 'Cluster', 'Local'),
    externalTrafficPolicy: fc.constantFrom('Cluster', 'Local'),
    externalIPs: subsetOf('198.51.100.1', '198.51.100.2'),
    timeoutSeconds: fc.constantFrom(0, 0, 60, 90),
    loadBalancerSourceRanges: subsetOf('10.0.0.0/8', '203.0.113.0/24', '192.168.0.0/16'),
    ingress: subsetOf({ ip: '203.0.113.1' }, { ip: '198.51.100.1' }),
  })
  .map(({ name, ingress, timeoutSeconds, ...spec }) =>
    makeWebService(
      timeoutSeconds === 0 ? spec : { ...spec, sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds } } },
      { loadBalancer: { ingress } },
      name,
    ),
  );

const services: fc.Arbitrary<Step> = fc.oneof(
  service.map((object): Step => ({ kind: 'service', key: `shop/${object.metadata?.name}`, object })),
  names.map((name): Step => ({ kind: 'service', key: `shop/${name}`, object: undefined })),
);

const endpoint: fc.Arbitrary<EndpointSpec> = fc.record({
  ip: fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'),
  node: fc.constantFrom('n1', 'n2', 'n3'),
  ready: fc.boolean(),
  serving: fc.boolean(),
  terminating: fc.boolean(),
  zones: subsetOf('a', 'b'),
  nodes: subsetOf('n1'),
});

const anySlice: fc.Arbitrary<EndpointSliceInput> = fc
  .record({ endpoints: fc.array(endpoint, { maxLength: 4 }), name: fc.constantFrom('s1', 's2', 's3'), owner: names, ports })
  .map(({ endpoints, name, owner, ports: slicePorts }) => ({ ...makeSlice(endpoints, 'IPv4', name, owner), ports: slicePorts }));

const slices: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: anySlice.map((object): Step => ({ kind: 'slice', key: `shop/${object.metadata?.name}`, object })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('s1', 's2', 's3').map((name): Step => ({ kind: 'slice', key: `shop/${name}`, object: undefined })),
  },
);

const nodes: fc.Arbitrary<Step> = fc
  .record({
    name: fc.constantFrom('n1', 'n2'),
    labels: fc.constantFrom({}, { 'topology.kubernetes.io/zone': 'b' }),
    masqueradeAll: fc.boolean(),
    podCIDRs: subsetOf('10.0.0.0/8'),
    nodePortAddresses: subsetOf('192.168.0.0/24'),
  })
  .map((nodeFields): Step => ({ kind: 'node', node: { ...node, ...nodeFields } }));
