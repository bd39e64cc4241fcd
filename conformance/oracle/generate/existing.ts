import type { EndpointAddressInput, EndpointSubsetInput, EndpointsInput, Pod, Service, ServicePort } from 'kube-endpoints/types';
import type { World } from './world.ts';

/** Creates an existing object: roughly what a controller would write, with up to two changes. */
export function makeExisting(world: World, service: Service, pods: readonly Pod[]): EndpointsInput {
  const { random } = world;
  let existing = guessEndpoints(world, service, pods);
  for (let changes = random.pick([0, 1, 1, 1, 2]); changes > 0; changes--) existing = random.pick(alterations)(world, existing);
  return existing;
}

type Alteration = (world: World, existing: EndpointsInput) => EndpointsInput;

/** Possible changes; controllers of some releases do not notice all of them. */
const alterations: readonly Alteration[] = [
  ({ random }, e) => ({ ...e, subsets: random.shuffle(e.subsets ?? []) }),
  (_, e) => ({ ...e, subsets: [...(e.subsets ?? [])].reverse() }),
  ({ random }, e) => mapSubsets(e, (s) => ({ ...s, ports: random.shuffle(s.ports ?? []) })),
  ({ random }, e) => mapSubsets(e, (s) => ({ ...s, addresses: random.shuffle(s.addresses ?? []) })),
  (_, e) => mapAddresses(e, (a) => ({ ...a, targetRef: { ...a.targetRef, resourceVersion: '1' } })),
  (_, e) => mapAddresses(e, ({ targetRef, ...a }) => ({ ...a, targetRef: { ...targetRef, resourceVersion: undefined } })),
  ({ random }, e) => mapAddresses(e, (a) => (random.chance(0.5) ? { ...a, targetRef: { ...a.targetRef, apiVersion: 'v1' } } : a)),
  ({ random }, e) => mapAddresses(e, (a) => (random.chance(0.3) ? { ip: a.ip, hostname: a.hostname } : a)),
  ({ random }, e) => mapAddresses(e, (a) => (random.chance(0.3) ? { ...a, hostname: 'another' } : a)),
  ({ random }, e) => mapSubsets(e, (s) => ({ ...s, addresses: s.addresses?.filter(() => random.chance(0.8)) })),
  (_, e) => ({ ...e, subsets: (e.subsets ?? []).flatMap(splitInHalves) }),
  (_, e) => ({ ...e, subsets: [] }),
  (_, e) => ({ ...e, subsets: undefined }),
  ({ random }, e) => withLabels(e, { 'endpoints.kubernetes.io/managed-by': random.pick(['endpoint-controller', 'somebody', '']) }),
  ({ random }, e) => withLabels(e, { 'service.kubernetes.io/headless': random.pick(['', 'true']) }),
  ({ random }, e) => withLabels(e, { added: random.pick(['', 'x']) }),
  (_, e) => ({ ...e, metadata: { ...e.metadata, labels: undefined } }),
  ({ random }, e) => withAnnotations(e, { 'endpoints.kubernetes.io/over-capacity': random.pick(['warning', 'truncated', 'other', '']) }),
  (_, e) => withAnnotations(e, { 'endpoints.kubernetes.io/last-change-trigger-time': '2025-11-01T00:00:00Z' }),
  (_, e) => withAnnotations(e, { 'example.com/kept': 'yes' }),
  (_, e) => ({ ...e, metadata: { ...e.metadata, ...preservedMetadata } }),
];

/** Metadata that an update preserves. */
const preservedMetadata = {
  uid: 'endpoints-1',
  creationTimestamp: '2025-10-01T08:00:00Z',
  generation: 3,
  finalizers: ['example.com/hold'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'owner-1' }],
};

function guessEndpoints(world: World, service: Service, pods: readonly Pod[]): EndpointsInput {
  const { random, namespace, name } = world;
  const headless = service.spec?.clusterIP === 'None' || !service.spec?.clusterIP;
  const labels = {
    ...service.metadata?.labels,
    ...random.maybe(headless ? 0.8 : 0.1, () => ({ 'service.kubernetes.io/headless': '' })),
    ...random.maybe(0.6, () => ({ 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' })),
  };
  return {
    metadata: { name, namespace, resourceVersion: '40', labels },
    subsets: random.shuffle(guessSubsets(world, service, pods)),
  };
}

/** Groups pods by their ports, for well-formed objects only. */
function guessSubsets(world: World, service: Service, pods: readonly Pod[]): EndpointSubsetInput[] {
  const groups = new Map<string, { ports: object[]; ready: EndpointAddressInput[]; notReady: EndpointAddressInput[] }>();
  const hasVersion = world.random.chance(0.3);
  for (const pod of pods) {
    const address = guessAddress(world, service, pod, hasVersion);
    if (!address) continue;
    const ports = (service.spec?.ports ?? []).flatMap((port) => guessPort(port, pod));
    if (ports.length === 0 && (service.spec?.ports ?? []).length > 0) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
    const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
    (ready || service.spec?.publishNotReadyAddresses ? group.ready : group.notReady).push(address);
  }
  return [...groups.values()].map(({ ports, ready, notReady }) => ({
    addresses: ready.sort(compareAddresses),
    notReadyAddresses: notReady.sort(compareAddresses),
    ports: world.random.shuffle(ports),
  }));
}

function guessAddress(world: World, service: Service, pod: Pod, hasVersion: boolean): EndpointAddressInput | undefined {
  const { metadata, spec, status } = pod;
  const selected = Object.entries(service.spec?.selector ?? {}).every(([key, value]) => metadata?.labels?.[key] === value);
  const ip = (status?.podIPs ?? []).map((entry) => entry.ip ?? '').find((text) => text.includes(':') === world.isPrimaryIPv6);
  if (!selected || !ip || metadata?.deletionTimestamp || metadata?.namespace !== world.namespace) return undefined;
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  return {
    ip,
    hostname: spec?.subdomain === world.name ? spec.hostname : undefined,
    nodeName: spec?.nodeName ?? '',
    targetRef: {
      kind: 'Pod',
      namespace: metadata?.namespace,
      name: metadata?.name,
      uid: metadata?.uid,
      resourceVersion: hasVersion ? metadata?.resourceVersion : undefined,
    },
  };
}

function guessPort({ name, protocol, appProtocol, targetPort }: ServicePort, pod: Pod): object[] {
  const containerPort =
    typeof targetPort === 'number'
      ? targetPort
      : (pod.spec?.containers ?? [])
          .flatMap(({ ports }) => ports ?? [])
          .find((port) => port.name === targetPort && port.protocol === protocol)?.containerPort;
  return containerPort ? [{ name, port: containerPort, protocol, appProtocol }] : [];
}

const compareAddresses = (a: EndpointAddressInput, b: EndpointAddressInput): number =>
  compare(a.ip, b.ip) || compare(a.targetRef?.uid, b.targetRef?.uid);

const compare = (a: string | null | undefined, b: string | null | undefined): number =>
  Number((a ?? '') > (b ?? '')) - Number((a ?? '') < (b ?? ''));

/** Splits a subset in two, which repacking merges again. */
function splitInHalves(subset: EndpointSubsetInput): EndpointSubsetInput[] {
  const all = subset.addresses ?? [];
  if (all.length < 2) return [subset];
  const middle = all.length >> 1;
  return [
    { ...subset, addresses: all.slice(0, middle) },
    { addresses: all.slice(middle), ports: subset.ports },
  ];
}

const mapSubsets = (e: EndpointsInput, change: (subset: EndpointSubsetInput) => EndpointSubsetInput): EndpointsInput => ({
  ...e,
  subsets: e.subsets?.map(change),
});

const mapAddresses = (e: EndpointsInput, change: (address: EndpointAddressInput) => EndpointAddressInput): EndpointsInput =>
  mapSubsets(e, (s) => ({ ...s, addresses: s.addresses?.map(change), notReadyAddresses: s.notReadyAddresses?.map(change) }));

const withLabels = (e: EndpointsInput, labels: Record<string, string>): EndpointsInput => ({
  ...e,
  metadata: { ...e.metadata, labels: { ...e.metadata?.labels, ...labels } },
});

const withAnnotations = (e: EndpointsInput, annotations: Record<string, string>): EndpointsInput => ({
  ...e,
  metadata: { ...e.metadata, annotations: { ...e.metadata?.annotations, ...annotations } },
});
