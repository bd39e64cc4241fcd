import { zoneLabel } from '../spec/index.ts';
import { type ProxyGates, type ProxyVersionOptions, proxyGatesFor } from './gates.ts';
import type { ProxyNode } from './objects.ts';
import { type ProxyReasonCode, type ProxyReasonRow, proxyReasons } from './reasons.ts';
import type { ServicePortInfo } from './service-ports.ts';
import { createTopologyFilter } from './topology-keys.ts';
import type { AppliedHints, EndpointView, ServicePortView } from './view.ts';

/** A traffic policy of a Service. */
export type TrafficPolicy = 'Cluster' | 'Local';

/** The fields of a node that decide which endpoints get its traffic. */
export type NodeIdentity = Pick<ProxyNode, 'name' | 'labels'>;

/** The endpoints of a port, grouped by the traffic they get. */
export type CategorizedEndpoints = Pick<ServicePortView, 'endpoints' | 'cluster' | 'local' | 'reachable' | 'hasAny' | 'hints' | 'chained'>;

/**
 * Decides which endpoints get traffic under which policy. Mirrors CategorizeEndpoints (1.36, pkg/proxy/topology.go).
 * @param endpoints sorted by address and port
 */
export function categorize(
  endpoints: readonly EndpointView[],
  port: ServicePortInfo,
  node: NodeIdentity,
  gates: ProxyGates = proxyGatesFor(),
): CategorizedEndpoints {
  if (endpoints.length === 0 && gates.emptyPortsSkipped) return emptyCategories;
  const { usesClusterEndpoints, usesLocalEndpoints } = port;
  const context = createPortContext(endpoints, port, node, gates);
  const cluster = usesClusterEndpoints ? chooseEndpoints(endpoints, 'Cluster', context) : undefined;
  const hasLocalEndpoint = context.isAnyLocalReady || context.isAnyLocalServing;
  const local = usesLocalEndpoints && hasLocalEndpoint ? chooseEndpoints(endpoints, 'Local', context) : undefined;
  const hasAny = gates.separatePolicies
    ? context.isAnyReady || context.isAnyServing
    : (cluster ?? local ?? []).length > 0 || context.isAnyServing;
  const chained = gates.unreadyChains ? endpoints.filter((endpoint) => isSelected(endpoint, port, context)) : undefined;
  return {
    endpoints,
    cluster,
    local,
    reachable: mergeEndpoints(endpoints, cluster, local, usesLocalEndpoints),
    hasAny: chained ? chained.length > 0 : hasAny,
    hints: context.hints,
    ...(chained && { chained }),
  };
}

/** Whether the policies and hints select an endpoint, no matter whether it is ready. Mirrors FilterEndpoints (1.22, pkg/proxy/topology.go). */
const isSelected = (endpoint: EndpointView, { internalPolicyLocal }: ServicePortInfo, { hints, zone }: PortContext): boolean =>
  internalPolicyLocal ? endpoint.isLocal : !hints || endpoint.zoneHints.includes(zone);

const emptyCategories: CategorizedEndpoints = {
  endpoints: [],
  cluster: undefined,
  local: undefined,
  reachable: undefined,
  hasAny: false,
  hints: undefined,
};

/** Chooses the endpoints that get traffic under a policy. Returns the input array itself if all are chosen, the usual case. */
function chooseEndpoints(endpoints: readonly EndpointView[], policy: TrafficPolicy, context: PortContext): readonly EndpointView[] {
  const getsTraffic = (endpoint: EndpointView): boolean => {
    const code = verdictOf(endpoint, policy, context);
    return code === 'Ready' || code === 'TerminatingFallback';
  };
  return endpoints.every(getsTraffic) ? endpoints : endpoints.filter(getsTraffic);
}

/** The inputs of a verdict besides the endpoint itself: the port's policies, the node, and all endpoints of the port. */
export interface PortContext {
  readonly usesPolicy: Readonly<Record<TrafficPolicy, boolean>>;
  readonly node: string;
  readonly zone: string;
  readonly hints: AppliedHints | undefined;
  readonly isAnyReady: boolean;
  /** With the feature gate ServiceTopology: whether topologyKeys select an endpoint; undefined if they select all. */
  readonly matchesTopology: ((endpoint: EndpointView) => boolean) | undefined;
  /** Whether terminating endpoints can get traffic. */
  readonly fallsBack: Readonly<Record<TrafficPolicy, boolean>>;
  /** Whether a terminating endpoint still serves. */
  readonly isAnyServing: boolean;
  readonly isAnyLocalReady: boolean;
  readonly isAnyLocalServing: boolean;
}

/** Computes the context that all endpoints of a port share. */
export function createPortContext(
  endpoints: readonly EndpointView[],
  port: Pick<ServicePortInfo, 'usesClusterEndpoints' | 'usesLocalEndpoints' | 'ignoresHints' | 'externalPolicyLocal' | 'topologyKeys'>,
  nodeIdentity: NodeIdentity,
  gates: ProxyGates = proxyGatesFor(),
): PortContext {
  const { name, labels } = nodeIdentity;
  const zone = labels?.[zoneLabel] ?? '';
  const fallsBack = {
    Cluster: gates.terminatingFallback && gates.separatePolicies,
    Local: gates.terminatingFallback && (gates.separatePolicies || port.externalPolicyLocal),
  };
  let [isAnyReady, isAnyServing, isAnyLocalReady, isAnyLocalServing] = [false, false, false, false];
  for (const endpoint of endpoints) {
    if (endpoint.ready) {
      isAnyReady = true;
      isAnyLocalReady ||= endpoint.isLocal;
    } else if (endpoint.serving && endpoint.terminating && fallsBack.Local) {
      isAnyServing = true;
      isAnyLocalServing ||= endpoint.isLocal;
    }
  }
  const usesPolicy = { Cluster: port.usesClusterEndpoints, Local: port.usesLocalEndpoints };
  const usesHints = usesPolicy.Cluster && !port.ignoresHints && (gates.separatePolicies || !port.externalPolicyLocal);
  const hints =
    (isAnyReady || gates.unreadyChains) && usesHints && !port.topologyKeys ? findAppliedHints(endpoints, name, zone, gates) : undefined;
  return {
    usesPolicy,
    node: name,
    zone,
    hints,
    matchesTopology: port.topologyKeys && createTopologyFilter(endpoints, port.topologyKeys, nodeIdentity),
    fallsBack,
    isAnyReady,
    isAnyServing,
    isAnyLocalReady,
    isAnyLocalServing,
  };
}

/** Returns why an endpoint gets traffic under a policy, or why not. `categorize` and `endpointVerdicts` both use this function. */
export function verdictOf(endpoint: EndpointView, policy: TrafficPolicy, context: PortContext): ProxyReasonCode {
  if (!context.usesPolicy[policy]) return 'PolicyNotUsed';
  if (policy === 'Local' && !endpoint.isLocal) return 'NotLocal';
  if (context.matchesTopology?.(endpoint) === false) return 'OtherTopology';
  if (endpoint.ready) return policy === 'Local' ? 'Ready' : verdictByHints(endpoint, context);
  if (!endpoint.terminating || !context.fallsBack[policy]) return 'NotReady';
  if (!endpoint.serving) return 'TerminatingNotServing';
  return (policy === 'Local' ? context.isAnyLocalReady : context.isAnyReady) ? 'Terminating' : 'TerminatingFallback';
}

function verdictByHints(endpoint: EndpointView, { hints, node, zone }: PortContext): ProxyReasonCode {
  if (hints === 'PreferSameNode') return endpoint.nodeHints.includes(node) ? 'Ready' : 'HintsOtherNode';
  if (hints === 'PreferSameZone') return endpoint.zoneHints.includes(zone) ? 'Ready' : 'HintsOtherZone';
  return 'Ready';
}

/**
 * Finds the kind of hints to apply: every ready endpoint has hints of this kind, and at least one has a hint for this node (or zone). Node
 * hints take precedence. Mirrors topologyModeFromHints (1.36, pkg/proxy/topology.go).
 */
function findAppliedHints(
  endpoints: readonly EndpointView[],
  node: string,
  zone: string,
  { nodeHints: usesNodeHints, zoneHints: usesZoneHints, hintsOfReady }: ProxyGates,
): AppliedHints | undefined {
  let [allHaveNodeHints, allHaveZoneHints, hasHintForNode, hasHintForZone] = [true, true, false, false];
  for (const { ready, nodeHints, zoneHints } of endpoints) {
    if (!ready && hintsOfReady) continue;
    allHaveNodeHints &&= nodeHints.length > 0;
    allHaveZoneHints &&= zoneHints.length > 0;
    hasHintForNode ||= nodeHints.includes(node);
    hasHintForZone ||= zoneHints.includes(zone);
  }
  if (usesNodeHints && allHaveNodeHints && hasHintForNode) return 'PreferSameNode';
  return usesZoneHints && allHaveZoneHints && hasHintForZone ? 'PreferSameZone' : undefined;
}

/**
 * Merges both lists, in the order of `endpoints`. Returns one of the two arrays itself if the other is undefined or adds nothing to
 * `cluster`.
 */
function mergeEndpoints(
  endpoints: readonly EndpointView[],
  cluster: readonly EndpointView[] | undefined,
  local: readonly EndpointView[] | undefined,
  usesLocal: boolean,
): readonly EndpointView[] | undefined {
  if (!usesLocal || !local) return cluster;
  if (!cluster) return local;
  const reachableEndpoints = new Set([...cluster, ...local]);
  return reachableEndpoints.size === cluster.length ? cluster : endpoints.filter((each) => reachableEndpoints.has(each));
}

/** An endpoint of a port and the traffic it gets. */
export interface EndpointVerdict {
  readonly endpoint: EndpointView;
  /** Why the endpoint gets traffic under the policy Cluster, or why not. */
  readonly cluster: ProxyReasonCode;
  /** Why the endpoint gets traffic under the policy Local, or why not. */
  readonly local: ProxyReasonCode;
  /** Whether any traffic from this node goes to the endpoint. */
  readonly reachable: boolean;
}

/**
 * Returns every endpoint of a port with its reasons, sorted by address and port.
 * @throws RangeError for an unknown version
 */
export function endpointVerdicts(port: ServicePortView, node: NodeIdentity, options: ProxyVersionOptions = {}): EndpointVerdict[] {
  const context = createPortContext(port.endpoints, port, node, proxyGatesFor(options));
  const reachableEndpoints = new Set(port.reachable);
  return port.endpoints.map((endpoint) => ({
    endpoint,
    cluster: verdictOf(endpoint, 'Cluster', context),
    local: verdictOf(endpoint, 'Local', context),
    reachable: reachableEndpoints.has(endpoint),
  }));
}

/** Returns the row of a reason code. */
export const proxyReason = (code: ProxyReasonCode): ProxyReasonRow => proxyReasons.find((row) => row.code === code) as ProxyReasonRow;
