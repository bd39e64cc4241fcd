import { nameOf } from '../../apimachinery/index.ts';
import type { NodeIdentity, TrafficPolicy } from '../../proxy/categorize.ts';
import { convertEndpoints } from '../../proxy/convert-endpoints.ts';
import { nearestProxyRelease, proxyGatesFor } from '../../proxy/gates.ts';
import { createNodeView, type EndpointVerdict, endpointVerdicts, isWatched, proxyReason, type ServicePortView } from '../../proxy/index.ts';
import type { ProxyReasonCode } from '../../proxy/reasons.ts';
import { zoneLabel } from '../../spec/index.ts';
import type { EndpointSliceInput } from '../../types/index.ts';
import { type Cluster, familyOf } from '../cluster.ts';
import { type Destination, findNode } from '../destination.ts';
import type { Origin } from '../origin.ts';
import type { AddressRole, Port } from './ports.ts';

/** A node, or a group of nodes with identical results, and its view of the endpoints. */
export interface Viewpoint {
  /** Node names; empty if the result is the same on every node. */
  readonly nodes: readonly string[];
  readonly zone: string;
  readonly port: ServicePortView;
  readonly endpoints: readonly ViewedEndpoint[];
}

/** An endpoint as seen from a viewpoint. */
export interface ViewedEndpoint {
  readonly endpoint: EndpointVerdict['endpoint'];
  readonly code: ProxyReasonCode;
  readonly isUsed: boolean;
}

/** The traffic policy that applies. */
export interface Policy {
  readonly policy: TrafficPolicy;
  /** Whether traffic counts as external, so that externalTrafficPolicy applies. */
  readonly isExternal: boolean;
  /** Whether a client pod bypasses externalTrafficPolicy. */
  readonly isShortcut: boolean;
}

export type ServiceDestination = Extract<Destination, { readonly kind: 'service' }>;

/**
 * Determines the policy for an address. The node of a client pod forwards traffic to external addresses itself, bypassing
 * externalTrafficPolicy, unless the target is a node port of a different node.
 */
export function determinePolicy(
  { role }: Pick<ServiceDestination, 'role'>,
  { pod, node }: Pick<Origin, 'pod' | 'node'>,
  { internalPolicyLocal, externalPolicyLocal, usesClusterEndpoints, usesLocalEndpoints }: PortPolicies,
  nodeNames: readonly string[],
): Policy {
  const isExternal = role !== 'cluster';
  const isOwnNode = role !== 'nodePort' || (node !== undefined && nodeNames.includes(node));
  const isShortcut = isExternal && isOwnNode && pod !== undefined && externalPolicyLocal;
  // Before 1.24, internalTrafficPolicy Local applies to external traffic as well.
  const isLocal = !usesClusterEndpoints || (isExternal ? externalPolicyLocal && !isShortcut : internalPolicyLocal && usesLocalEndpoints);
  return { policy: isLocal ? 'Local' : 'Cluster', isExternal, isShortcut };
}

type PortPolicies = Pick<ServicePortView, 'internalPolicyLocal' | 'externalPolicyLocal' | 'usesClusterEndpoints' | 'usesLocalEndpoints'>;

/**
 * Computes the view from the node of the origin or, for a node port, from the node with the address. If that node is unknown, computes one
 * view per group of nodes with equal results. Empty if no node serves the port.
 */
export function findViewpoints(destination: ServiceDestination, { name, protocol }: Port, origin: Origin, cluster: Cluster): Viewpoint[] {
  const { service, address } = destination;
  const family = familyOf(address) ?? 'IPv4';
  const release = nearestProxyRelease(cluster.release);
  const slices = cluster.slicesOf(service).filter((slice) => isWatched(slice, 'EndpointSlice'));
  const { slicesRead } = proxyGatesFor(release);
  const ownEndpoints = slicesRead ? undefined : cluster.endpointsOf(service);
  const endpoints = ownEndpoints && isWatched(ownEndpoints, 'Endpoints') ? [ownEndpoints] : [];
  const readSlices = slicesRead ? slices : endpoints.flatMap((object) => convertEndpoints(object, family));
  return findNodeGroups(destination, readSlices, origin, cluster).flatMap(({ node, names }): Viewpoint[] => {
    const { ports } = createNodeView({ services: [service], endpointSlices: slices, endpoints }, node, { family, ...release });
    const port = ports.find((each) => each.portName === name && each.protocol === protocol);
    if (!port) return [];
    const { policy } = determinePolicy(destination, origin, port, names);
    const viewedEndpoints = endpointVerdicts(port, node, release).map((verdict) => viewEndpoint(verdict, policy));
    return [{ nodes: names, zone: node.labels?.[zoneLabel] ?? '', port, endpoints: viewedEndpoints }];
  });
}

function viewEndpoint({ endpoint, cluster, local }: EndpointVerdict, policy: TrafficPolicy): ViewedEndpoint {
  const code = policy === 'Local' ? local : cluster;
  return { endpoint, code, isUsed: proxyReason(code).used };
}

interface NodeGroup {
  readonly node: NodeIdentity;
  readonly names: readonly string[];
}

function findNodeGroups(
  { service, role, address }: ServiceDestination,
  slices: readonly EndpointSliceInput[],
  origin: Origin,
  cluster: Cluster,
): NodeGroup[] {
  const nodes = cluster.objects.nodes ?? [];
  const selectedNode = role === 'nodePort' ? findNode(address, cluster) : origin.node;
  if (selectedNode !== undefined) return [{ node: identityOf(selectedNode, cluster), names: [selectedNode] }];
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  const hasHints = endpoints.some(({ hints }) => hints?.forZones?.length || hints?.forNodes?.length);
  const { separatePolicies } = proxyGatesFor(nearestProxyRelease(cluster.release));
  const isAnyLocal = isLocal(service.spec, role) || (!separatePolicies && isLocal(service.spec, 'cluster'));
  if (!hasHints && !isAnyLocal) return [{ node: { name: '' }, names: [] }];
  const nodesWithEndpointsOrHints = new Set(
    endpoints.flatMap(({ nodeName, hints }) => [nodeName ?? '', ...(hints?.forNodes ?? []).map(({ name }) => name ?? '')]),
  );
  const nodeNames = nodes.length > 0 ? nodes.map(nameOf) : [...nodesWithEndpointsOrHints].filter((name) => name !== '');
  if (nodeNames.length === 0) return [{ node: { name: '' }, names: [] }];
  return groupNodes(
    nodeNames.map((name) => identityOf(name, cluster)),
    nodesWithEndpointsOrHints,
  );
}

/** Groups nodes without endpoints or hints of their own by zone, because their results can differ only by zone. */
function groupNodes(nodes: readonly NodeIdentity[], nodesWithEndpointsOrHints: ReadonlySet<string>): NodeGroup[] {
  const groups = Map.groupBy(nodes, ({ name, labels }) =>
    nodesWithEndpointsOrHints.has(name) ? `node ${name}` : `zone ${labels?.[zoneLabel] ?? ''}`,
  );
  return [...groups.values()].map((group) => ({ node: group[0] as NodeIdentity, names: group.map(({ name }) => name) }));
}

const isLocal = (spec: ServiceDestination['service']['spec'], role: AddressRole): boolean =>
  (role === 'cluster' ? spec?.internalTrafficPolicy : spec?.externalTrafficPolicy) === 'Local';

/** Finds the labels of a node; for an unknown node, the zone of an endpoint on that node. */
function identityOf(name: string, { objects, slices }: Cluster): NodeIdentity {
  const node = objects.nodes?.find((each) => nameOf(each) === name);
  if (node) return { name, labels: node.metadata?.labels ?? {} };
  for (const { endpoints } of slices) {
    const zone = endpoints?.find(({ nodeName }) => nodeName === name)?.zone;
    if (zone) return { name, labels: { [zoneLabel]: zone } };
  }
  return { name };
}
