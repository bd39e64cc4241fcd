import type { EndpointSliceInput, EndpointsInput, Pod } from 'kube-endpoints/types';
import { fc } from '../../../../test/support/property.ts';
import type { OverrideRule } from '../../src/index.ts';

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined, freq: 3 });

const ips = oneOf('10.0.0.1', '10.0.0.2', '10.0.0.10', '10.0.0.3', '10.0.1.1', '127.0.0.1', '169.254.1.1', '::ffff:127.0.0.1', 'fd00::1');
const podNames = oneOf('web-a', 'web-b', 'web-c', 'db-a');

const addresses = fc
  .record({ ip: ips, pod: optional(podNames), node: oneOf('n1', 'n2', undefined), namespace: oneOf('shop', 'shop', 'shop', 'other') })
  .map(({ ip, pod, node, namespace }) => ({
    ip,
    ...(node && { nodeName: node }),
    ...(pod && { targetRef: { kind: 'Pod', namespace, name: pod, uid: `uid-${pod}` } }),
  }));

const portLists = oneOf(
  [{ name: 'http', port: 8080, protocol: 'TCP' }],
  [
    { name: 'http', port: 8080, protocol: 'TCP' },
    { name: 'admin', port: 9090, protocol: 'TCP' },
  ],
  [{ name: 'admin', port: 9090, protocol: 'TCP' }],
  undefined,
);

const metadata = fc.record({
  name: oneOf('web', 'web', 'db'),
  namespace: oneOf('shop', 'shop', 'other'),
  labels: oneOf<Record<string, string> | undefined>(undefined, { app: 'web' }, { app: 'db', tier: 'x' }),
  annotations: oneOf<Record<string, string> | undefined>(undefined, { note: 'kept' }),
});

/** Endpoints in any valid form: unsorted, with duplicate addresses, in one or several subsets. */
export const anyEndpoints: fc.Arbitrary<EndpointsInput> = fc
  .record({
    metadata,
    subsets: fc.option(
      fc.array(
        fc.record({
          addresses: optional(fc.array(addresses, { maxLength: 5 })),
          notReadyAddresses: optional(fc.array(addresses, { maxLength: 4 })),
          ports: portLists,
        }),
        { maxLength: 3 },
      ),
      { nil: undefined },
    ),
  })
  .map(({ metadata, subsets }) => JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'Endpoints', metadata, subsets })) as EndpointsInput);

const conditions = oneOf(
  { ready: true, serving: true, terminating: false },
  { ready: true, serving: true, terminating: false },
  { ready: false, serving: false, terminating: false },
  { ready: false, serving: true, terminating: true },
  { ready: true },
  { ready: false },
  undefined,
);

export const anySlice: fc.Arbitrary<EndpointSliceInput> = fc
  .record({
    metadata,
    hasHints: fc.boolean(),
    endpoints: fc.uniqueArray(fc.record({ address: addresses, conditions, zone: oneOf('east', 'west', undefined) }), {
      maxLength: 7,
      selector: ({ address }) => address.ip,
    }),
    ports: portLists,
  })
  .map(({ metadata, hasHints, endpoints, ports }) => {
    const object = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { ...metadata.labels, 'kubernetes.io/service-name': metadata.name } },
      addressType: 'IPv4',
      endpoints: endpoints.map(({ address: { ip, ...address }, conditions, zone }) => ({
        addresses: [ip],
        conditions,
        ...address,
        zone,
        ...(hasHints && conditions?.ready !== false && { hints: { forZones: [{ name: zone ?? 'east' }] } }),
      })),
      ports,
    };
    return JSON.parse(JSON.stringify(object)) as EndpointSliceInput;
  });

export const somePods: fc.Arbitrary<readonly Pod[] | undefined> = fc
  .option(
    fc.array(
      fc.record({
        name: podNames,
        namespace: oneOf('shop', 'other'),
        ip: ips,
        ready: fc.boolean(),
        secondsAgo: fc.integer({ min: 0, max: 90 }),
      }),
      { maxLength: 4 },
    ),
    { nil: undefined },
  )
  .map((pods) =>
    pods?.map(({ name, namespace, ip, ready, secondsAgo }) => ({
      metadata: { name, namespace, uid: `uid-${name}`, labels: { app: name.slice(0, 3) } },
      status: {
        podIP: ip,
        conditions: [
          {
            type: 'Ready',
            status: ready ? 'True' : 'False',
            lastTransitionTime: new Date(Date.UTC(2026, 2, 4, 12) - secondsAgo * 1000).toISOString(),
          },
        ],
      },
    })),
  );

const matches = fc.record(
  {
    namespaces: oneOf(['shop'], ['sh*', 'x'], ['other']),
    services: oneOf(['web'], ['*e*'], ['db']),
    labels: oneOf('app=web', 'app in (web,db)', '!tier'),
    kinds: oneOf(['Endpoints'] as const, ['EndpointSlice'] as const),
    operations: oneOf(['UPDATE'] as const, ['CREATE', 'UPDATE'] as const),
    percentage: oneOf(0, 50, 100),
    window: oneOf({ days: ['Wed'] }, { start: '22:00', end: '12:30' }, { to: '2026-03-04T12:10:00Z' }),
  },
  { requiredKeys: [] },
);

const ranges = fc
  .record(
    {
      allowed: oneOf(['10.0.0.0/8', 'fd00::/8'], ['10.0.0.0/24']),
      forbidden: oneOf(['10.0.1.0/24'], ['127.0.0.0/8', '10.0.0.3']),
      presets: oneOf(['loopback'] as const, ['link-local', 'multicast', 'unspecified', 'pods-of-other-namespaces'] as const),
    },
    { requiredKeys: [] },
  )
  .filter((fields) => Object.keys(fields).length > 0);

const addressMatches = fc.record(
  {
    ranges: oneOf(['10.0.0.0/30'], ['10.0.0.1', 'fd00::/16']),
    pods: oneOf(['web-*'], ['web-a', 'db-a']),
    nodes: oneOf(['n1'], ['n*']),
    podLabels: oneOf('app=web', 'app!=db'),
    percentage: oneOf(0, 40, 100),
  },
  { requiredKeys: [] },
);

const seconds = oneOf(0, 5, 30, 60);
const holds = fc
  .record({ afterReady: seconds, afterUnready: seconds })
  .filter(({ afterReady, afterUnready }) => afterReady + afterUnready > 0);
const actions = fc.oneof(
  fc.constant({ keepIn: {} }),
  oneOf({}, { as: 'absent' as const }, { as: 'notReady' as const }).map((keepOut) => ({ keepOut })),
  oneOf('ready' as const, 'notReady' as const).map((to) => ({ move: { to } })),
  oneOf<number | string>(1, 2, 5, '50%', '100%', '1%').map((atLeast) => ({ keepReady: { atLeast } })),
  holds.map((hold) => ({ hold })),
  fc.constant({ freeze: {} }),
  ranges.map((drop) => ({ drop })),
  ranges.map((refuse) => ({ refuse })),
);

/** "plain" rules have no state and no expression in `addresses`; "stateful" rules can have both. */
export const anyRule = (form: 'plain' | 'stateful' = 'plain'): fc.Arbitrary<Omit<OverrideRule, 'name'>> =>
  fc
    .record({
      mode: oneOf('enforce' as const, 'enforce' as const, 'enforce' as const, 'audit' as const),
      match: fc.option(matches, { nil: undefined, freq: 2 }),
      addresses: fc.option(addressMatches, { nil: undefined, freq: 2 }),
      action: actions,
      state: oneOf('ready' as const, 'notReady' as const, undefined),
      expression: oneOf('address.ready', '!address.ready && address.ip.startsWith("10.")', 'object.?subsets[?0].hasValue()', undefined),
    })
    .map(({ mode, match, addresses, action, state, expression }) => {
      const stateful = form === 'stateful' && { ...(state && { state }), ...(expression && { expression }) };
      return {
        mode,
        ...(match && { match }),
        ...((addresses || stateful) && !('freeze' in action) && { addresses: { ...addresses, ...stateful } }),
        action,
      };
    });
