import { canonicalIP, nameOf, objectKey } from '../apimachinery/index.ts';
import { type Cluster, familyOf } from './cluster.ts';
import type { TracePod, TraceService } from './objects.ts';
import { type AddressRole, findPort, isNumber, type RequestedPort } from './steps/ports.ts';

/** The target of the resolved name or the given address. */
export type Destination =
  | { readonly kind: 'service'; readonly service: TraceService; readonly address: string; readonly role: AddressRole }
  /** Endpoints directly: the name resolves to addresses of endpoints, not of the Service. */
  | { readonly kind: 'endpoints'; readonly service: TraceService; readonly addresses: readonly string[]; readonly family: 'IPv4' | 'IPv6' }
  | { readonly kind: 'pod'; readonly pod: TracePod; readonly address: string }
  /** No Service or pod has the address; `node` is the node that has it, if any. */
  | { readonly kind: 'unknown'; readonly address: string; readonly node?: string }
  /** Outside of the cluster: an external name, or a load balancer whose address nodes do not handle (ipMode Proxy). */
  | { readonly kind: 'outside'; readonly description: string; readonly loadBalancerService?: TraceService }
  /** The name does not resolve; `service` is the Service that it refers to, if that exists. */
  | { readonly kind: 'nowhere'; readonly service?: TraceService };

/** Where a request ends: also a redirect by an Ingress or a Gateway. */
export type FinalDestination = Destination | { readonly kind: 'redirect'; readonly location: string };

/**
 * Finds the owner of an address: a Service by one of its addresses, or by a node port if a node has the address; else the Service of a load
 * balancer with ipMode Proxy; else a pod. If Services share the address, the Services that offer the requested port come first (over TCP
 * before other protocols), then the Services with a cluster IP of the address's family, then the rest, sorted by namespace and name.
 */
export function findDestination(address: string, requested: RequestedPort, cluster: Cluster): Destination {
  const { services, pods } = cluster.objects;
  const node = findNode(address, cluster);
  const owners = findOwners(address, services, roleOf);
  const nodePortOwners = node !== undefined && isNumber(requested.port ?? '') ? findOwners(address, services, () => 'nodePort') : [];
  const owner =
    findOwnerWithPort(owners, requested) ??
    findOwnerWithPort(nodePortOwners, requested) ??
    owners[0] ??
    findOwnerWithPort(nodePortOwners, { ...requested, protocol: undefined });
  if (owner) return { kind: 'service', address, ...owner };
  const loadBalancerService = services.find((service) => isProxyModeAddress(address, service));
  if (loadBalancerService)
    return { kind: 'outside', description: `the load balancer of Service ${objectKey(loadBalancerService)}`, loadBalancerService };
  const pod = pods.find((each) => addressesOfPod(each).includes(address) && !hasEnded(each));
  return pod ? { kind: 'pod', pod, address } : { kind: 'unknown', address, ...(node !== undefined && { node }) };
}

/** A Service that an address may belong to. */
interface Owner {
  readonly service: TraceService;
  readonly role: AddressRole;
}

type RoleOf = (address: string, service: TraceService) => AddressRole | undefined;

/**
 * Finds the Services for which `findRole` returns a role, sorted by key. Services with a cluster IP of the address's family come first, because nodes
 * have rules only for these Services.
 */
function findOwners(address: string, services: readonly TraceService[], findRole: RoleOf): Owner[] {
  const owners = services.map((service) => ({ service, role: findRole(address, service) })).filter((owner): owner is Owner => !!owner.role);
  const hasClusterIPOfFamily = ({ service: { spec } }: Owner): boolean =>
    [spec?.clusterIP, ...(spec?.clusterIPs ?? [])].some((ip) => !!ip && familyOf(ip) === familyOf(address));
  const sortedOwners = owners.toSorted((a, b) => (objectKey(a.service) < objectKey(b.service) ? -1 : 1));
  return [...sortedOwners.filter(hasClusterIPOfFamily), ...sortedOwners.filter((owner) => !hasClusterIPOfFamily(owner))];
}

/** Finds the first owner that offers the requested port, preferring TCP. If no port is requested, finds the first owner with any port. */
function findOwnerWithPort(owners: readonly Owner[], requested: RequestedPort): Owner | undefined {
  const ownersWithPort = owners.filter(({ service, role }) => findPort(requested, service, role));
  const isTcp = ({ service, role }: Owner): boolean => findPort(requested, service, role)?.protocol === 'TCP';
  return (requested.port === undefined ? undefined : ownersWithPort.find(isTcp)) ?? ownersWithPort[0];
}

/** The role of an address for a Service; undefined if it is not an address of the Service that nodes serve. */
export function roleOf(address: string, { spec, status }: TraceService): AddressRole | undefined {
  if (spec?.type === 'ExternalName') return undefined;
  const isSame = (other: string | null | undefined): boolean => isAddress(other, address);
  if ([spec?.clusterIP, ...(spec?.clusterIPs ?? [])].some(isSame)) return 'cluster';
  if (spec?.externalIPs?.some(isSame)) return 'external';
  return status?.loadBalancer?.ingress?.some(({ ip, ipMode }) => isSame(ip) && !isProxyMode(ipMode)) ? 'loadBalancer' : undefined;
}

/** Whether the load balancer opens its own connections, so that nodes have no rules for its address. */
const isProxyMode = (ipMode: string | null | undefined): boolean => (ipMode ?? 'VIP') !== 'VIP';

const isProxyModeAddress = (address: string, { spec, status }: TraceService): boolean =>
  spec?.type !== 'ExternalName' && !!status?.loadBalancer?.ingress?.some(({ ip, ipMode }) => isAddress(ip, address) && isProxyMode(ipMode));

const isAddress = (text: string | null | undefined, address: string): boolean => !!text && canonicalIP(text) === address;

/** Selects the first address of the Service's first IP family; if no address has that family, the first address. */
export function selectPrimaryAddress(addresses: readonly string[], { spec }: TraceService): string | undefined {
  const family = spec?.ipFamilies?.[0] ?? familyOf(spec?.clusterIPs?.[0] ?? spec?.clusterIP ?? '');
  return addresses.find((address) => familyOf(address) === family) ?? addresses[0];
}

/** The valid addresses of a pod, in canonical form. */
export const addressesOfPod = ({ status }: TracePod): string[] =>
  [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)].flatMap((ip) => (ip ? (canonicalIP(ip) ?? []) : []));

/** Whether a pod has ended. Its status can still contain an address that another pod has now. */
const hasEnded = ({ status }: TracePod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Finds the name of the node with this address; undefined if no known node has it. */
export function findNode(address: string, { objects: { nodes = [] } }: Cluster): string | undefined {
  const node = nodes.find(
    (each) => nameOf(each) !== '' && each.status?.addresses?.some((nodeAddress) => isAddress(nodeAddress.address, address)),
  );
  return node && nameOf(node);
}
