import type { SlicePortInput } from 'kube-endpoints/internal';
import type { EndpointInput, EndpointSliceInput, Node, Pod, Service } from 'kube-endpoints/types';
import type { Random } from '../random.ts';
import type { World } from './world.ts';

/** Creates existing slices, which are roughly what a controller would have written for the pods, with some changes. */
export function makeSlices(
  world: World,
  service: Service,
  pods: readonly Pod[],
  nodes: readonly Node[],
  max: number,
): EndpointSliceInput[] {
  const { random } = world;
  const families = service.spec?.ipFamilies?.length ? service.spec.ipFamilies : ['IPv4'];
  let slices = families.flatMap((family) => guessSlices(world, service, pods, nodes, { family, max }));
  for (let changes = random.pick([0, 1, 1, 2, 3]); changes > 0; changes--) slices = random.pick(sliceChanges)(world, slices);
  return slices.map((slice, i) => ({
    ...slice,
    metadata: {
      ...slice.metadata,
      name: `${world.name}-${i}${world.nextUniqueNumber()}`,
      uid: `slice-${world.nextUniqueNumber()}`,
      resourceVersion: String(10 + i),
      generation: 1 + random.int(3),
    },
  }));
}

interface Group {
  readonly family: string;
  readonly max: number;
}

function guessSlices(
  world: World,
  service: Service,
  pods: readonly Pod[],
  nodes: readonly Node[],
  { family, max }: Group,
): EndpointSliceInput[] {
  const { random, namespace, name } = world;
  const zones = new Map(nodes.map(({ metadata }) => [metadata?.name, metadata?.labels?.['topology.kubernetes.io/zone']]));
  const endpoints = pods.flatMap((pod) => guessEndpoint(world, service, pod, family, zones));
  const ports = (service.spec?.ports ?? []).map((port) => ({
    name: port.name ?? '',
    port: typeof port.targetPort === 'number' && port.targetPort > 0 ? port.targetPort : port.port,
    protocol: port.protocol,
    appProtocol: port.appProtocol,
  }));
  const metadata = {
    namespace,
    labels: {
      ...service.metadata?.labels,
      'kubernetes.io/service-name': name,
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      ...(service.spec?.clusterIP === 'None' && { 'service.kubernetes.io/headless': '' }),
    },
    annotations: random.maybe(0.4, () => ({ 'endpoints.kubernetes.io/last-change-trigger-time': '2025-11-01T00:00:00Z' })),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid: service.metadata?.uid, controller: true, blockOwnerDeletion: true }],
  };
  // Not all full, as after many changes.
  const size = random.chance(0.6) ? max : 1 + random.int(max);
  const chunks = Array.from({ length: Math.ceil(endpoints.length / size) }, (_, i) => endpoints.slice(i * size, (i + 1) * size));
  return (chunks.length > 0 ? chunks : random.chance(0.5) ? [[]] : []).map((chunk) => ({
    metadata,
    addressType: family,
    endpoints: chunk,
    ports: chunk.length === 0 ? [] : ports.length === 0 && random.chance(0.5) ? null : ports,
  }));
}

function guessEndpoint(
  world: World,
  service: Service,
  pod: Pod,
  family: string,
  zones: ReadonlyMap<unknown, string | undefined>,
): EndpointInput[] {
  const { metadata, spec, status } = pod;
  const ip = (status?.podIPs ?? []).map((entry) => entry.ip ?? '').find((text) => text.includes(':') === (family === 'IPv6'));
  const selected = Object.entries(service.spec?.selector ?? {}).every(([key, value]) => metadata?.labels?.[key] === value);
  if (!ip || !selected || status?.phase === 'Succeeded' || status?.phase === 'Failed') return [];
  const serving = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  const terminating = Boolean(metadata?.deletionTimestamp);
  const zone = zones.get(spec?.nodeName);
  return [
    {
      addresses: [ip],
      conditions: { ready: Boolean(service.spec?.publishNotReadyAddresses) || (serving && !terminating), serving, terminating },
      ...(spec?.hostname && spec.subdomain === world.name && { hostname: spec.hostname }),
      ...(spec?.nodeName && { nodeName: spec.nodeName }),
      ...(zone && { zone }),
      targetRef: { kind: 'Pod', namespace: metadata?.namespace, name: metadata?.name, uid: metadata?.uid },
    },
  ];
}

type Change = (world: World, slices: EndpointSliceInput[]) => EndpointSliceInput[];

/** Possible changes. Most affect one slice, some affect all slices. */
const sliceChanges: readonly Change[] = [
  changeOne((slice) => withLabels(slice, { 'endpointslice.kubernetes.io/managed-by': 'somebody.example.com' })),
  changeOne((slice) => withLabels(slice, { 'kubernetes.io/service-name': 'another' })),
  changeOne(({ metadata, ...slice }) => ({ ...slice, metadata: { ...metadata, ownerReferences: withOwnerUid(metadata, 'former') } })),
  changeOne(({ metadata, ...slice }) => ({ ...slice, metadata: { ...metadata, ownerReferences: undefined } })),
  changeOne(({ metadata, ...slice }) => ({ ...slice, metadata: { ...metadata, deletionTimestamp: '2025-11-05T00:00:00Z' } })),
  changeOne((slice, random) => ({ ...slice, endpoints: slice.endpoints?.map((e) => ({ ...e, hints: staleHints(random) })) })),
  changeOne((slice, random) => ({ ...slice, endpoints: slice.endpoints?.filter(() => random.chance(0.6)) })),
  changeOne((slice) => ({ ...slice, endpoints: [...(slice.endpoints ?? []), unknownEndpoint(slice)] })),
  changeOne((slice, random) => withLabels(slice, { app: 'changed', ...random.maybe(0.5, () => ({ extra: 'x' })) })),
  changeOne((slice) => ({ ...slice, ports: [...(slice.ports ?? [])].reverse() })),
  changeOne((slice, random) => ({
    ...slice,
    ports: random.pick<EndpointSliceInput['ports']>([[], null, [{ port: 1, protocol: 'TCP', name: 'old' }]]),
  })),
  changeOne((slice, random) => ({ ...slice, addressType: random.pick(['IPv4', 'IPv6', 'FQDN', 'IP']) })),
  changeOne((slice) => ({ ...slice, endpoints: [], ports: [] })),
  changeOne((slice, random) => ({
    ...slice,
    endpoints: slice.endpoints?.map((e) => ({ ...e, conditions: random.pick([{}, { ready: false }, { ready: true }]) })),
  })),
  changeOne((slice) => ({
    ...slice,
    endpoints: slice.endpoints?.map((e) => ({ ...e, targetRef: { ...e.targetRef, resourceVersion: '5' } })),
  })),
  changeOne((slice) => ({ ...slice, endpoints: slice.endpoints?.map((e) => ({ ...e, zone: 'zone-9' })) })),
  changeOne((slice) => ({
    ...slice,
    endpoints: slice.endpoints?.map(({ zone, ...e }) => ({ ...e, deprecatedTopology: { 'topology.kubernetes.io/zone': zone ?? 'z' } })),
  })),
  // The same endpoint in two slices.
  ({ random }, slices) => {
    const [from, to] = [random.pick(slices), random.pick(slices)];
    return from && to
      ? slices.map((s) =>
          s === to && s !== from ? { ...s, endpoints: [...(s.endpoints ?? []), ...(from.endpoints ?? []).slice(0, 2)] } : s,
        )
      : slices;
  },
  // More endpoints than a slice may hold.
  (_, slices) => {
    const [first, ...others] = slices;
    if (!first) return slices;
    const mergeable = others.filter((s) => s.addressType === first.addressType && haveSamePorts(s.ports, first.ports));
    const all = [first, ...mergeable].flatMap(({ endpoints }) => endpoints ?? []);
    return [{ ...first, endpoints: all }, ...others.filter((s) => !mergeable.includes(s))];
  },
  (_, slices) => [...slices, ...slices.slice(0, 1).map((s) => ({ ...s, endpoints: [], ports: [] }))],
  (_, slices) => slices.slice(1),
  ({ random }, slices) => slices.map((s) => withLabels(s, { app: random.pick(['web', 'changed']) })),
];

function changeOne(change: (slice: EndpointSliceInput, random: Random) => EndpointSliceInput): Change {
  return ({ random }, slices) => {
    const index = random.int(slices.length);
    return slices.map((slice, i) => (i === index ? change(slice, random) : slice));
  };
}

const withLabels = (slice: EndpointSliceInput, labels: Record<string, string>): EndpointSliceInput => ({
  ...slice,
  metadata: { ...slice.metadata, labels: { ...slice.metadata?.labels, ...labels } },
});

const withOwnerUid = (
  metadata: EndpointSliceInput['metadata'],
  uid: string,
): NonNullable<EndpointSliceInput['metadata']>['ownerReferences'] => (metadata?.ownerReferences ?? []).map((owner) => ({ ...owner, uid }));

const staleHints = (random: Random): EndpointInput['hints'] =>
  random.pick<EndpointInput['hints']>([
    { forZones: [{ name: `zone-${random.int(4)}` }] },
    { forZones: [{ name: 'zone-9' }] },
    { forZones: [{ name: 'zone-0' }], forNodes: [{ name: `node-${random.int(3)}` }] },
    { forZones: [] },
  ]);

const unknownEndpoint = ({ addressType }: EndpointSliceInput): EndpointInput => ({
  addresses: [addressType === 'IPv6' ? 'fd00:9::9' : '10.99.99.99'],
  conditions: { ready: true },
});

const haveSamePorts = (a: Ports, b: Ports): boolean => JSON.stringify(a ?? []) === JSON.stringify(b ?? []);

type Ports = readonly SlicePortInput[] | null | undefined;
