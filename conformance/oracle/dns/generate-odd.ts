import type { DnsService, SlicePortInput } from 'kube-endpoints/internal';
import type { EndpointInput, EndpointSliceInput, Pod } from 'kube-endpoints/types';
import { keepFirstPerName } from '../objects.ts';
import type { Random } from '../random.ts';
import type { DnsCase } from './case.ts';
import { namespaceNames, oddAddress, oddHostnames, oddNames, oddPortNames, oddProtocols } from './generate-names.ts';

type Objects = DnsCase['objects'];
export type Change<T> = (random: Random, object: T) => T;

/** Changes a few objects into forms that no controller writes, but other writers or lenient API servers may. */
export function withOddities(random: Random, objects: Objects): Objects {
  if (random.chance(0.35)) return objects;
  const probability = random.pick([0.1, 0.1, 0.2, 0.4]);
  const services = applyChanges(random, probability, serviceChanges, objects.services);
  const slices = applyChanges(random, probability, sliceChanges, objects.endpointSlices);
  return {
    services,
    endpointSlices: keepFirstPerName([
      ...slices.map((slice) => ({
        ...slice,
        ...(slice.endpoints && { endpoints: applyChanges(random, probability, endpointChanges, slice.endpoints) }),
      })),
      ...createContradictingSlices(random, slices),
    ]),
    pods: keepFirstPerName(applyChanges(random, probability, podChanges, objects.pods)),
    namespaces: objects.namespaces,
    endpoints: objects.endpoints,
  };
}

/** Applies one or two changes to some of the objects. */
export const applyChanges = <T>(random: Random, probability: number, changes: readonly Change<T>[], objects: readonly T[]): T[] =>
  objects.map((object) => {
    if (!random.chance(probability)) return object;
    const changed = random.pick(changes)(random, object);
    return random.chance(0.2) ? random.pick(changes)(random, changed) : changed;
  });

/** Creates further slices that contradict existing slices of their Service. */
function createContradictingSlices(random: Random, slices: readonly EndpointSliceInput[]): EndpointSliceInput[] {
  if (slices.length === 0 || random.chance(0.6)) return [];
  return Array.from({ length: 1 + random.int(2) }, (_, index) => {
    const copy = random.pick(slices);
    const contradictingSlice = random.pick(sliceChanges)(random, { ...copy, endpoints: random.shuffle(copy.endpoints ?? []).slice(0, 2) });
    const conditions = random.pick([{ ready: true }, { ready: false }, {}]);
    return {
      ...contradictingSlice,
      metadata: { ...contradictingSlice.metadata, name: `${copy.metadata?.name}-other-${index}` },
      ...(random.chance(0.5) && { endpoints: (contradictingSlice.endpoints ?? []).map((endpoint) => ({ ...endpoint, conditions })) }),
    };
  });
}

type Spec = NonNullable<DnsService['spec']>;

const withSpec =
  (make: (random: Random, spec: Spec) => Spec): Change<DnsService> =>
  (random, service) => ({ ...service, spec: make(random, service.spec ?? {}) });

const ipsOf = (clusterIPs: readonly string[]): Spec => ({ clusterIP: clusterIPs[0] ?? '', clusterIPs });

/** Repeated entries are picked more often. */
const serviceChanges: readonly Change<DnsService>[] = [
  withSpec((random, { clusterIP, ...spec }) => {
    const current = clusterIP ?? '';
    const other = oddAddress(random);
    const lists = [
      ['None', other],
      [current, 'None'],
      [''],
      [current, current],
      [current, other],
      [other],
      [other, current],
      ['none'],
      ['None', 'None'],
      [current, ''],
    ];
    return { ...spec, ...ipsOf(random.pick(lists)) };
  }),
  withSpec((random, { clusterIPs, ...spec }) => ({
    ...spec,
    clusterIP: random.pick(['', 'None', oddAddress(random)]),
    ...random.maybe(0.5, () => ({ clusterIPs: [] })),
  })),
  withSpec((_, { clusterIP, clusterIPs, ...spec }) => spec),
  withSpec((random, spec) => ({ ...spec, type: random.pick(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']) })),
  withSpec((random, spec) => ({ ...spec, type: 'ExternalName', externalName: random.pick(oddTargets) })),
  withSpec((random, spec) => ({ ...spec, type: 'ExternalName', externalName: random.pick(oddTargets), ...ipsOf(['None']) })),
  withSpec((random, spec) => ({ ...spec, ports: random.maybe(0.5, () => []) ?? null })),
  withSpec((random, spec) => ({ ...spec, ports: makePortsOdd(random, spec.ports ?? []) })),
  withSpec((random, spec) => ({ ...spec, ports: makePortsOdd(random, spec.ports ?? []) })),
  withSpec((random, spec) => ({ ...spec, externalIPs: [oddAddress(random), oddAddress(random)] })),
  withSpec((random, spec) => ({ ...spec, publishNotReadyAddresses: random.chance(0.5) })),
  (random, service) => ({
    ...service,
    status: { loadBalancer: { ingress: [{}, { ip: oddAddress(random), hostname: 'lb.example.com' }, { hostname: oddAddress(random) }] } },
  }),
];

const oddTargets: readonly string[] = [
  ...['', '.', 'db.example.com..', 'any.default.svc.cluster.local', '*.prod.svc.cluster.local', '_http._tcp.web.default.svc.cluster.local'],
  ...[
    'ns.dns.cluster.local',
    'dns-version.cluster.local',
    '10-0-0-1.default.pod.cluster.local',
    'cluster.local',
    'CLUSTER.local.',
    'local',
  ],
  ...[
    'a.b.web.default.svc.cluster.local',
    'h0.web.default.svc.cluster.local',
    'web.any.svc.cluster.local',
    'xcluster.local',
    'svc',
    'None',
  ],
  ...['::ffff:192.0.2.7', '192.0.2.07', 'fe80::1%eth0', 'under_score.example.com', 'db.example.com', `${'x'.repeat(64)}.example.com`],
];

type Port = NonNullable<Spec['ports']>[number];

/** Makes ports of a Service or of a slice unusual. A DNS record holds only the lower 16 bits of an invalid number. */
export function makePortsOdd(random: Random, ports: readonly Port[]): Port[] {
  const makePortOdd = (port: Port): Port => ({
    ...port,
    ...random.maybe(0.6, () => ({ name: random.pick(oddPortNames) })),
    ...random.maybe(0.3, () => ({ protocol: random.pick(oddProtocols) })),
    ...random.maybe(0.2, () => ({ port: random.pick([0, -1, -5, 65_535, 65_616, 80]) })),
  });
  const changedPorts = (ports.length > 0 ? ports : [{ name: 'http', port: 80, protocol: 'TCP' }]).map((port) =>
    random.chance(0.6) ? makePortOdd(port) : port,
  );
  return random.chance(0.3) ? [...changedPorts, random.pick(changedPorts)] : changedPorts;
}

const withLabels =
  (make: (random: Random, current: string) => Readonly<Record<string, string>> | null): Change<EndpointSliceInput> =>
  (random, slice) => ({
    ...slice,
    metadata: { ...slice.metadata, labels: make(random, slice.metadata?.labels?.['kubernetes.io/service-name'] ?? '') },
  });

const oddSlicePorts = (random: Random, ports: EndpointSliceInput['ports']): SlicePortInput[] =>
  makePortsOdd(
    random,
    (ports ?? []).flatMap(({ name, port, protocol }) => ({ name: name ?? '', port: port ?? 80, protocol: protocol ?? 'TCP' })),
  );

const sliceChanges: readonly Change<EndpointSliceInput>[] = [
  withLabels(() => null),
  withLabels(() => ({})),
  withLabels((random) => ({ 'kubernetes.io/service-name': random.pick(['web', 'db', 'kube-dns', 's1', 's2', '', 'WEB', ...oddNames]) })),
  withLabels((_, current) => ({ 'kubernetes.io/service-name': current.toUpperCase() })),
  withLabels((_, current) => ({ 'endpointslice.kubernetes.io/managed-by': 'me', 'kubernetes.io/service-name': current })),
  (random, slice) => ({ ...slice, metadata: { ...slice.metadata, namespace: random.pick(namespaceNames) } }),
  (random, slice) => ({ ...slice, addressType: random.pick(['IPv4', 'IPv6', 'FQDN']) }),
  (random, slice) => ({ ...slice, ports: random.pick([null, []]) }),
  (random, slice) => ({ ...slice, ports: oddSlicePorts(random, slice.ports) }),
  (random, slice) => ({ ...slice, ports: oddSlicePorts(random, slice.ports) }),
  (random, slice) => ({ ...slice, endpoints: random.pick([null, [], [{}]]) }),
  (random, slice) => ({ ...slice, endpoints: [...(slice.endpoints ?? []), ...random.shuffle(slice.endpoints ?? []).slice(0, 2)] }),
  // Rare, because CoreDNS 1.8 fails on a port without a number, and then on the whole case.
  (random, slice) => (random.chance(0.1) ? { ...slice, ports: [{ name: 'any-port', protocol: 'TCP' }, ...(slice.ports ?? [])] } : slice),
];

const endpointChanges: readonly Change<EndpointInput>[] = [
  (random, endpoint) => ({ ...endpoint, addresses: random.pick([[], [oddAddress(random)], [oddAddress(random), oddAddress(random)]]) }),
  (random, endpoint) => ({ ...endpoint, addresses: [...(endpoint.addresses ?? []), oddAddress(random)] }),
  (_, endpoint) => ({ ...endpoint, addresses: [...(endpoint.addresses ?? []), ...(endpoint.addresses ?? [])] }),
  (random, endpoint) => ({ ...endpoint, hostname: random.pick(oddHostnames) }),
  (random, endpoint) => ({ ...endpoint, hostname: random.pick(oddHostnames) }),
  (random, endpoint) => ({ ...endpoint, hostname: random.pick(['', null]) }),
  (random, endpoint) => ({
    ...endpoint,
    conditions: random.pick([null, {}, { ready: null }, { ready: null, serving: false, terminating: true }]),
  }),
  (_, endpoint) => ({ ...endpoint, conditions: { ready: true, serving: false, terminating: true } }),
  (random, endpoint) => ({ ...endpoint, targetRef: random.pick([null, {}, { kind: 'Pod', name: '' }, { kind: 'Node', name: 'n1' }]) }),
  (random, endpoint) => ({
    ...endpoint,
    targetRef: { kind: 'Pod', name: random.pick([...oddHostnames, 'x'.repeat(63), 'x'.repeat(64), 'é'.repeat(32)]) },
  }),
];

const withStatus =
  (make: (random: Random, status: NonNullable<Pod['status']>) => Pod['status']): Change<Pod> =>
  (random, pod) => ({ ...pod, status: make(random, pod.status ?? {}) });

const podChanges: readonly Change<Pod>[] = [
  withStatus(() => null),
  withStatus((_, { podIP, ...status }) => status),
  withStatus((_, status) => ({ ...status, podIP: '' })),
  withStatus((random, status) => ({ ...status, podIP: oddAddress(random) })),
  withStatus((_, { podIPs, ...status }) => status),
  withStatus((random, status) => ({ ...status, podIPs: random.pick([null, [], [{}], [{ ip: oddAddress(random) }]]) })),
  withStatus((random, { podIPs, ...status }) => ({
    ...status,
    podIPs: [...(podIPs ?? []), { ip: oddAddress(random) }, ...(podIPs ?? [])],
  })),
  withStatus((random, status) => ({ ...status, phase: random.pick(['', 'succeeded', 'Odd', 'Running', 'Unknown']) })),
  (random, pod) => ({
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp: random.pick([null, '2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z']) },
  }),
  (random, pod) => ({ ...pod, metadata: { ...pod.metadata, namespace: random.pick([...namespaceNames, 'any', 'Prod', 'gone']) } }),
];
