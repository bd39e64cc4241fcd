import { computeEndpointSlices, computeEndpoints } from 'kube-endpoints';
import type { ProxyNode, ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSlice, Endpoints, Node, Pod } from 'kube-endpoints/types';
import { type TestService, testServices } from './services.ts';
import { type Family, families, networks, type TopologyPod, topologyNodes, topologyPods } from './topology.ts';

/** Running and ready; running and not ready; terminating and still ready; deleted. */
export type PodState = 'ready' | 'notReady' | 'leaving' | 'gone';

/** The pods and Services at one time. */
export interface World {
  readonly pods: Readonly<Record<string, PodState>>;
  readonly services: readonly TestService[];
}

export interface WorldObjects {
  /** Keyed by namespace and name, like the following maps. */
  readonly services: ReadonlyMap<string, ProxyService>;
  readonly slices: ReadonlyMap<string, EndpointSlice>;
  /** Endpoints have one family: these are the Endpoints of a cluster with this family. */
  readonly endpoints: Readonly<Record<Family, ReadonlyMap<string, Endpoints>>>;
}

export const firstWorld: World = {
  pods: { a1: 'ready', a2: 'ready', a3: 'notReady', b1: 'ready', b2: 'leaving' },
  services: testServices,
};

/** Returns a copy of the world with different states of some pods. */
export function withPods(world: World, pods: Readonly<Record<string, PodState>>): World {
  return { ...world, pods: { ...world.pods, ...pods } };
}

/** Returns a copy of the world with a Service changed or removed. */
export function withService(world: World, name: string, change: (service: TestService) => TestService | undefined): World {
  return { ...world, services: world.services.flatMap((service) => (service.name === name ? (change(service) ?? []) : service)) };
}

/** Creates the objects of a world, with slices computed from its pods. */
export function objectsOf(world: World): WorldObjects {
  const pods = topologyPods.flatMap((pod) => podOf(pod, world) ?? []);
  const nodes = topologyNodes.map(({ name, zone }): Node => ({ metadata: { name, labels: labelsOf(name, zone) } }));
  const services = world.services.map(serviceOf);
  const slices = services.flatMap((service) =>
    computeEndpointSlices(service, pods, { nodes }).map((slice): EndpointSlice => {
      const name = `${service.metadata?.name}-${slice.addressType.toLowerCase()}`;
      return { ...slice, metadata: { ...slice.metadata, name } };
    }),
  );
  const endpointsOf = (family: Family): ReadonlyMap<string, Endpoints> =>
    indexByKey(services.flatMap((service) => computeEndpoints(withFamily(family, service), pods) ?? []));
  return {
    services: indexByKey(services.map(withHintsAnnotation)),
    slices: indexByKey(slices),
    endpoints: { IPv4: endpointsOf('IPv4'), IPv6: endpointsOf('IPv6') },
  };
}

/** Returns the Service of a cluster with one family. */
export function withFamily(family: Family, { spec, ...service }: ProxyService): ProxyService {
  const clusterIP = spec?.clusterIPs?.[families.indexOf(family)] ?? '';
  return { ...service, spec: { ...spec, clusterIP, clusterIPs: [clusterIP], ipFamilies: [family] } };
}

/** Kube-proxy before 1.31 follows hints only with this annotation. The controllers of this world do not see it: it affects their hints. */
const withHintsAnnotation = (service: ProxyService): ProxyService => ({
  ...service,
  metadata: { ...service.metadata, annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } },
});

/** Returns the node configuration of a proxy. */
export function proxyNode(name: string): ProxyNode {
  const node = topologyNodes.find((candidate) => candidate.name === name);
  if (node === undefined) throw new Error(`there is no node ${name}`);
  return {
    name,
    labels: labelsOf(name, node.zone),
    addresses: families.map((family) => node.address[family]),
    podCIDRs: families.map((family) => networks.pods[family]),
    localhostNodePorts: true,
    serviceCIDRs: families.map((family) => networks.services[family]),
  };
}

function podOf({ name, node, address }: TopologyPod, { pods, services }: World): Pod | undefined {
  const state = pods[name];
  if (state === undefined || state === 'gone') return undefined;
  const labels = Object.fromEntries(services.filter(({ members }) => members.includes(name)).map((service) => [service.name, 'member']));
  const deleted = state === 'leaving' ? { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 600 } : {};
  return {
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, labels, ...deleted },
    spec: { nodeName: node, containers: [{ name: 'app' }] },
    status: {
      phase: 'Running',
      podIP: address.IPv4,
      podIPs: [{ ip: address.IPv4 }, { ip: address.IPv6 }],
      conditions: [{ type: 'Ready', status: state === 'notReady' ? 'False' : 'True' }],
    },
  };
}

function serviceOf({ name, type, ports, clusterIPs, externalIPs, ingress, specFields }: TestService): ProxyService {
  return {
    metadata: { name, namespace: 'shop', uid: `uid-${name}` },
    spec: {
      type,
      selector: { [name]: 'member' },
      clusterIP: clusterIPs[0],
      clusterIPs,
      externalIPs,
      ipFamilies: ['IPv4', 'IPv6'],
      ports,
      ...specFields,
    },
    status: { loadBalancer: { ingress: ingress.map((ip) => ({ ip, ipMode: 'VIP' })) } },
  };
}

function labelsOf(name: string, zone: string): Record<string, string> {
  return { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone };
}

function indexByKey<T extends { readonly metadata?: unknown }>(objects: readonly T[]): Map<string, T> {
  const nameOf = (object: T): string => (object.metadata as { readonly name: string }).name;
  return new Map(objects.map((object) => [`shop/${nameOf(object)}`, object]));
}
