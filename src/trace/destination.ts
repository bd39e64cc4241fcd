import { canonicalIP } from '../core/index.ts';
import { type Cluster, familyOf } from './cluster.ts';
import { keyOf, nameOf } from './named.ts';
import type { TracePod, TraceService } from './objects.ts';

/** Where the resolved name, or the address that was given, leads to. */
export type Destination =
  | { readonly kind: 'service'; readonly service: TraceService; readonly address: string; readonly role: AddressRole }
  /** Straight to endpoints: the Service has no address of its own. */
  | { readonly kind: 'endpoints'; readonly service: TraceService; readonly addresses: readonly string[]; readonly family: 'IPv4' | 'IPv6' }
  | { readonly kind: 'pod'; readonly pod: TracePod; readonly address: string }
  /** Nothing has the address, or a node that has no such node port. */
  | { readonly kind: 'unknown'; readonly address: string; readonly node?: string }
  /** What is not the cluster's: a name of others, or the load balancer of a Service that nodes leave its address to. */
  | { readonly kind: 'outside'; readonly name: string; readonly balanced?: TraceService }
  /** Nothing answers; the Service is the one that was meant, where there is one. */
  | { readonly kind: 'nowhere'; readonly service?: TraceService };

/** What of a Service an address is. */
export type AddressRole = 'cluster' | 'external' | 'loadBalancer' | 'nodePort';

/** In a sentence: "10.0.0.1 is ... Service shop/web". */
export const roleTexts: Readonly<Record<AddressRole, string>> = {
  cluster: 'the cluster IP',
  external: 'an external IP',
  loadBalancer: 'the load balancer address',
  nodePort: 'the address of a node, and the port a node port,',
};

/** What has an address: a Service by one of its addresses, by a node port, or a pod. */
export function destinationOf(address: string, port: string | undefined, cluster: Cluster): Destination {
  const { services, pods } = cluster.objects;
  for (const service of services) {
    const role = roleOf(address, service);
    if (role) return { kind: 'service', service, address, role };
  }
  const node = nodeWith(address, cluster);
  if (node !== undefined) {
    const service = services.find(({ spec }) => spec?.ports?.some(({ nodePort }) => !!nodePort && String(nodePort) === port));
    if (service) return { kind: 'service', service, address, role: 'nodePort' };
  }
  const balanced = services.find((service) => isLeftToBalancer(address, service));
  if (balanced) return { kind: 'outside', name: `the load balancer of Service ${keyOf(balanced)}`, balanced };
  const pod = pods.find((each) => addressesOfPod(each).includes(address) && !isOver(each));
  return pod ? { kind: 'pod', pod, address } : { kind: 'unknown', address, ...(node !== undefined && { node }) };
}

export function roleOf(address: string, { spec, status }: TraceService): AddressRole | undefined {
  if (spec?.type === 'ExternalName') return undefined;
  const isSame = (other: string | null | undefined): boolean => isAddress(other, address);
  if ([spec?.clusterIP, ...(spec?.clusterIPs ?? [])].some(isSame)) return 'cluster';
  if (spec?.externalIPs?.some(isSame)) return 'external';
  return status?.loadBalancer?.ingress?.some(({ ip, ipMode }) => isSame(ip) && !isOfProxy(ipMode)) ? 'loadBalancer' : undefined;
}

/** A load balancer that sends connections of its own: nodes have no rules for its address. */
const isOfProxy = (ipMode: string | null | undefined): boolean => (ipMode ?? 'VIP') !== 'VIP';

const isLeftToBalancer = (address: string, { spec, status }: TraceService): boolean =>
  spec?.type !== 'ExternalName' && !!status?.loadBalancer?.ingress?.some(({ ip, ipMode }) => isAddress(ip, address) && isOfProxy(ipMode));

const isAddress = (text: string | null | undefined, address: string): boolean => !!text && canonicalIP(text) === address;

/** The address that traffic to a Service takes of those that its name leads to: that of the Service's first family. */
export function primaryOf(addresses: readonly string[], { spec }: TraceService): string | undefined {
  const family = spec?.ipFamilies?.[0] ?? familyOf(spec?.clusterIPs?.[0] ?? spec?.clusterIP ?? '');
  return addresses.find((address) => familyOf(address) === family) ?? addresses[0];
}

/** The addresses of a pod, as far as they are some, in their canonical form. */
export const addressesOfPod = ({ status }: TracePod): string[] =>
  [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)].flatMap((ip) => (ip ? (canonicalIP(ip) ?? []) : []));

/** A pod that has ended may tell of an address that another one has by now. */
const isOver = ({ status }: TracePod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** The name of the node that has an address. */
export function nodeWith(address: string, { objects: { nodes = [] } }: Cluster): string | undefined {
  const node = nodes.find((each) => nameOf(each) !== '' && each.status?.addresses?.some((own) => isAddress(own.address, address)));
  return node && nameOf(node);
}
