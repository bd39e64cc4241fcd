import { nameOf } from '../../apimachinery/index.ts';
import type { NodeIdentity, TrafficPolicy } from '../../proxy/categorize.ts';
import { createNodeView, type EndpointVerdict, endpointVerdicts, isWatched, proxyReason, type ServicePortView } from '../../proxy/index.ts';
import type { ProxyReasonCode } from '../../proxy/reasons.ts';
import { zoneLabel } from '../../spec/index.ts';
import type { EndpointSliceInput } from '../../types/index.ts';
import { type Cluster, familyOf } from '../cluster.ts';
import { type Destination, nodeWith } from '../destination.ts';
import type { Origin } from '../origin.ts';
import type { AddressRole, Port } from './ports.ts';

/** A node, or nodes for which all is the same, and what becomes of the endpoints as seen from there. */
export interface Place {
  /** Names; none where it makes no difference which node it is. */
  readonly nodes: readonly string[];
  readonly zone: string;
  readonly port: ServicePortView;
  readonly endpoints: readonly Seen[];
}

/** An endpoint as seen from a place. */
export interface Seen {
  readonly endpoint: EndpointVerdict['endpoint'];
  readonly code: ProxyReasonCode;
  readonly isUsed: boolean;
}

/** Which endpoints traffic may go to. */
export interface Policy {
  readonly policy: TrafficPolicy;
  /** Whether traffic is from outside, so that externalTrafficPolicy counts. */
  readonly isExternal: boolean;
  /** Whether the policy for traffic from outside is passed by, because a pod asks. */
  readonly isShortcut: boolean;
}

export type ByRules = Extract<Destination, { readonly kind: 'service' }>;

/** A pod that asks for an address for clients outside is sent on by its own node, unless it is a node port of another one. */
export function policyOf(
  { role }: Pick<ByRules, 'role'>,
  { pod, node }: Pick<Origin, 'pod' | 'node'>,
  { internalPolicyLocal, externalPolicyLocal }: Pick<ServicePortView, 'internalPolicyLocal' | 'externalPolicyLocal'>,
  names: readonly string[],
): Policy {
  const isExternal = role !== 'cluster';
  const isOwnNode = role !== 'nodePort' || (node !== undefined && names.includes(node));
  const isShortcut = isExternal && isOwnNode && pod !== undefined && externalPolicyLocal;
  const isLocal = isExternal ? externalPolicyLocal && !isShortcut : internalPolicyLocal;
  return { policy: isLocal ? 'Local' : 'Cluster', isExternal, isShortcut };
}

/** How it is seen from the node that is asked from, or else from every node for which it is not the same. None: no node serves the port. */
export function placesFor(destination: ByRules, { name, protocol }: Port, origin: Origin, cluster: Cluster): Place[] {
  const { service, address } = destination;
  const family = familyOf(address) ?? 'IPv4';
  const slices = cluster.slicesOf(service).filter((slice) => isWatched(slice, 'EndpointSlice'));
  return nodesFor(destination, slices, origin, cluster).flatMap(({ node, names }): Place[] => {
    const { ports } = createNodeView({ services: [service], endpointSlices: slices }, node, { family });
    const port = ports.find((each) => each.portName === name && each.protocol === protocol);
    if (!port) return [];
    const { policy } = policyOf(destination, origin, port, names);
    const endpoints = endpointVerdicts(port, node).map((verdict) => seen(verdict, policy));
    return [{ nodes: names, zone: node.labels?.[zoneLabel] ?? '', port, endpoints }];
  });
}

function seen({ endpoint, cluster, local }: EndpointVerdict, policy: TrafficPolicy): Seen {
  const code = policy === 'Local' ? local : cluster;
  return { endpoint, code, isUsed: proxyReason(code).used };
}

interface NodeGroup {
  readonly node: NodeIdentity;
  readonly names: readonly string[];
}

function nodesFor(
  { service, role, address }: ByRules,
  slices: readonly EndpointSliceInput[],
  origin: Origin,
  cluster: Cluster,
): NodeGroup[] {
  const nodes = cluster.objects.nodes ?? [];
  const named = role === 'nodePort' ? nodeWith(address, cluster) : origin.node;
  if (named !== undefined) return [{ node: identityOf(named, cluster), names: [named] }];
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  const hasHints = endpoints.some(({ hints }) => hints?.forZones?.length || hints?.forNodes?.length);
  if (!hasHints && !isLocal(service.spec, role)) return [{ node: { name: '' }, names: [] }];
  const own = new Set(
    endpoints.flatMap(({ nodeName, hints }) => [nodeName ?? '', ...(hints?.forNodes ?? []).map(({ name }) => name ?? '')]),
  );
  const known = nodes.length > 0 ? nodes.map(nameOf) : [...own].filter((name) => name !== '');
  if (known.length === 0) return [{ node: { name: '' }, names: [] }];
  return grouped(
    known.map((name) => identityOf(name, cluster)),
    own,
  );
}

/** Nodes without endpoints of their own differ by their zones only. */
function grouped(nodes: readonly NodeIdentity[], own: ReadonlySet<string>): NodeGroup[] {
  const groups = Map.groupBy(nodes, ({ name, labels }) => (own.has(name) ? `node ${name}` : `zone ${labels?.[zoneLabel] ?? ''}`));
  return [...groups.values()].map((alike) => ({ node: alike[0] as NodeIdentity, names: alike.map(({ name }) => name) }));
}

const isLocal = (spec: ByRules['service']['spec'], role: AddressRole): boolean =>
  (role === 'cluster' ? spec?.internalTrafficPolicy : spec?.externalTrafficPolicy) === 'Local';

/** Where nodes are not known, the zone of one is taken from the slices that name it. */
function identityOf(name: string, { objects, slices }: Cluster): NodeIdentity {
  const node = objects.nodes?.find((each) => nameOf(each) === name);
  if (node) return { name, labels: node.metadata?.labels ?? {} };
  for (const { endpoints } of slices) {
    const zone = endpoints?.find(({ nodeName }) => nodeName === name)?.zone;
    if (zone) return { name, labels: { [zoneLabel]: zone } };
  }
  return { name };
}
