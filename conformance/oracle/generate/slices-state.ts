import type { Node, Pod, Service } from 'kube-endpoints/types';
import type { Revision } from './pods.ts';
import { nodeName } from './slices-nodes.ts';
import type { SliceTraits } from './slices-themes.ts';
import { randomTime, type World } from './world.ts';

/** The objects at one time. */
export interface State {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly revisions: readonly Revision[];
}

/** Adds to a Service the fields that only slices depend on: topology annotations and labels that are reserved on slices. */
export function addSliceFields(world: World, traits: SliceTraits, { metadata, spec }: Service): Service {
  const { random } = world;
  return {
    metadata: {
      ...metadata,
      labels: random.chance(world.traits.oddLabels) ? { ...metadata?.labels, ...random.pick(reservedLabels) } : metadata?.labels,
      annotations: { ...metadata?.annotations, ...random.maybe(traits.topology, () => drawTopologyAnnotations(world)) },
      ...random.maybe(0.02, () => ({ deletionTimestamp: randomTime(world) })),
    },
    spec: { ...spec, ...random.maybe(traits.distribution, () => ({ trafficDistribution: drawDistribution(world) })) },
  };
}

/** Draws usually one of the two keys, with "Auto". If the Service has both, the first one counts. */
export function drawTopologyAnnotations({ random }: World): Record<string, string> {
  const value = (): string =>
    random.pick(['Auto', 'Auto', 'Auto', 'Auto', 'auto', 'auto', 'Disabled', 'disabled', '', 'AUTO', 'PreferZone']);
  const hasBothKeys = random.chance(0.1);
  const hasHintsKey = hasBothKeys || random.chance(0.5);
  return {
    ...(hasHintsKey && { 'service.kubernetes.io/topology-aware-hints': value() }),
    ...((hasBothKeys || !hasHintsKey) && { 'service.kubernetes.io/topology-mode': value() }),
  };
}

export const drawDistribution = ({ random }: World): string =>
  random.pick(['PreferClose', 'PreferClose', 'PreferSameZone', 'PreferSameNode', 'PreferSameNode', 'Unknown', '', 'preferclose']);

const reservedLabels: readonly Record<string, string>[] = [
  { 'endpointslice.kubernetes.io/managed-by': 'me' },
  { 'kubernetes.io/service-name': 'another' },
  { 'service.kubernetes.io/headless': 'yes' },
  { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io', 'kubernetes.io/service-name': '' },
];

/** Assigns pods to nodes, and sets fields that only slices depend on. */
export function assignToNodes(world: World, traits: SliceTraits, pods: readonly Pod[], nodes: readonly Node[]): Pod[] {
  const { random } = world;
  const isEven = random.chance(traits.even);
  return pods.map((pod, i) => {
    const isLost = nodes.length === 0 ? random.chance(0.1) : random.chance(traits.lostNode);
    const index = nodes.length === 0 ? 0 : isEven ? i % nodes.length : random.int(nodes.length);
    // The node 99 does not exist.
    const node = isLost ? random.pick([undefined, '', nodeName(99)]) : nodeName(index);
    return addIPs(world, traits, {
      metadata: {
        ...pod.metadata,
        deletionTimestamp: pod.metadata?.deletionTimestamp ?? random.maybe(traits.terminating, () => randomTime(world)),
      },
      spec: { ...pod.spec, nodeName: node },
      status: pod.status,
    });
  });
}

function addIPs({ random, nextUniqueNumber }: World, traits: SliceTraits, pod: Pod): Pod {
  const ips = pod.status?.podIPs ?? [];
  if (ips.length === 0 || !random.chance(traits.severalIPs)) return pod;
  const number = nextUniqueNumber();
  const moreIPs = random.pick([
    [`10.77.0.${number & 255}`],
    [`fd00:77::${number.toString(16)}`],
    [`10.77.1.${number & 255}`, `fd00:78::${number.toString(16)}`],
  ]);
  return { ...pod, status: { ...pod.status, podIPs: [...ips, ...moreIPs.map((ip) => ({ ip }))] } };
}
