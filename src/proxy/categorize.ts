import { zoneLabel } from '../spec/index.ts';
import type { ProxyNode } from './objects.ts';
import { type ProxyReasonCode, type ProxyReasonRow, proxyReasons } from './reasons.ts';
import type { ServicePortFacts } from './service-ports.ts';
import type { EndpointView, HintsFollowed, ServicePortView } from './view.ts';

/** Traffic policies: who may get traffic. */
export type TrafficPolicy = 'Cluster' | 'Local';

/** What of a node decides which endpoints get traffic. */
export type NodeIdentity = Pick<ProxyNode, 'name' | 'labels'>;

/** A port with the endpoints that traffic goes to. */
export type Categorized = Pick<ServicePortView, 'endpoints' | 'cluster' | 'local' | 'reachable' | 'hasAny' | 'hints'>;

/**
 * Which endpoints get traffic under which policy. Mirrors CategorizeEndpoints (1.36, pkg/proxy/topology.go).
 * @param endpoints by address and port
 */
export function categorize(endpoints: readonly EndpointView[], port: ServicePortFacts, node: NodeIdentity): Categorized {
  if (endpoints.length === 0) return nothing;
  const { usesClusterEndpoints, usesLocalEndpoints } = port;
  const situation = situationOf(endpoints, port, node);
  const cluster = usesClusterEndpoints ? chosen(endpoints, 'Cluster', situation) : undefined;
  const someLocal = situation.readyLocally || situation.servingLocally;
  const local = usesLocalEndpoints && someLocal ? chosen(endpoints, 'Local', situation) : undefined;
  const hasAny = situation.ready || situation.serving;
  return {
    endpoints,
    cluster,
    local,
    reachable: reachableOf(endpoints, cluster, local, usesLocalEndpoints),
    hasAny,
    hints: situation.hints,
  };
}

const nothing: Categorized = { endpoints: [], cluster: undefined, local: undefined, reachable: undefined, hasAny: false, hints: undefined };

/** All of them as they came where all are chosen, as is mostly so. */
function chosen(endpoints: readonly EndpointView[], policy: TrafficPolicy, situation: Situation): readonly EndpointView[] {
  const gets = (endpoint: EndpointView): boolean => {
    const code = verdictOf(endpoint, policy, situation);
    return code === 'Ready' || code === 'TerminatingFallback';
  };
  return endpoints.every(gets) ? endpoints : endpoints.filter(gets);
}

/** What is true of all endpoints of a port together, and decides about each. */
export interface Situation {
  readonly uses: Readonly<Record<TrafficPolicy, boolean>>;
  readonly node: string;
  readonly zone: string;
  readonly hints: HintsFollowed | undefined;
  readonly ready: boolean;
  /** A terminating one still serves. */
  readonly serving: boolean;
  readonly readyLocally: boolean;
  readonly servingLocally: boolean;
}

/** Looks at all endpoints of a port. */
export function situationOf(
  endpoints: readonly EndpointView[],
  port: Pick<ServicePortFacts, 'usesClusterEndpoints' | 'usesLocalEndpoints'>,
  { name, labels }: NodeIdentity,
): Situation {
  const zone = labels?.[zoneLabel] ?? '';
  let [ready, serving, readyLocally, servingLocally] = [false, false, false, false];
  for (const endpoint of endpoints) {
    if (endpoint.ready) {
      ready = true;
      readyLocally ||= endpoint.isLocal;
    } else if (endpoint.serving && endpoint.terminating) {
      serving = true;
      servingLocally ||= endpoint.isLocal;
    }
  }
  const uses = { Cluster: port.usesClusterEndpoints, Local: port.usesLocalEndpoints };
  const hints = ready && uses.Cluster ? hintsFollowed(endpoints, name, zone) : undefined;
  return { uses, node: name, zone, hints, ready, serving, readyLocally, servingLocally };
}

/** Why an endpoint gets traffic under a policy, or why not: the one place where that is decided. */
export function verdictOf(endpoint: EndpointView, policy: TrafficPolicy, situation: Situation): ProxyReasonCode {
  if (!situation.uses[policy]) return 'PolicyNotUsed';
  if (policy === 'Local' && !endpoint.isLocal) return 'NotLocal';
  if (endpoint.ready) return policy === 'Local' ? 'Ready' : verdictByHints(endpoint, situation);
  if (!endpoint.terminating) return 'NotReady';
  if (!endpoint.serving) return 'TerminatingNotServing';
  return (policy === 'Local' ? situation.readyLocally : situation.ready) ? 'Terminating' : 'TerminatingFallback';
}

function verdictByHints(endpoint: EndpointView, { hints, node, zone }: Situation): ProxyReasonCode {
  if (hints === 'PreferSameNode') return endpoint.nodeHints.includes(node) ? 'Ready' : 'HintsOtherNode';
  if (hints === 'PreferSameZone') return endpoint.zoneHints.includes(zone) ? 'Ready' : 'HintsOtherZone';
  return 'Ready';
}

/**
 * Hints count where every ready endpoint has some and those of one name this node, or its zone; those of nodes come first.
 * Mirrors topologyModeFromHints (1.36, pkg/proxy/topology.go).
 */
function hintsFollowed(endpoints: readonly EndpointView[], node: string, zone: string): HintsFollowed | undefined {
  let [allNodes, allZones, forNode, forZone] = [true, true, false, false];
  for (const { ready, nodeHints, zoneHints } of endpoints) {
    if (!ready) continue;
    allNodes &&= nodeHints.length > 0;
    allZones &&= zoneHints.length > 0;
    forNode ||= nodeHints.includes(node);
    forZone ||= zoneHints.includes(zone);
  }
  if (allNodes && forNode) return 'PreferSameNode';
  return allZones && forZone ? 'PreferSameZone' : undefined;
}

/** The union of both, in the order of all; one of the two where that is it. */
function reachableOf(
  endpoints: readonly EndpointView[],
  cluster: readonly EndpointView[] | undefined,
  local: readonly EndpointView[] | undefined,
  usesLocal: boolean,
): readonly EndpointView[] | undefined {
  if (!usesLocal || !local) return cluster;
  if (!cluster) return local;
  const both = new Set([...cluster, ...local]);
  return both.size === cluster.length ? cluster : endpoints.filter((each) => both.has(each));
}

/** An endpoint of a port, and what traffic it gets. */
export interface EndpointVerdict {
  readonly endpoint: EndpointView;
  /** Why it gets traffic under the policy Cluster, or why not. */
  readonly cluster: ProxyReasonCode;
  /** Why it gets traffic under the policy Local, or why not. */
  readonly local: ProxyReasonCode;
  /** Whether something goes to it from this node. */
  readonly reachable: boolean;
}

/** Every endpoint of a port with the reasons, by address and port: the decisions that the view is made of. */
export function endpointVerdicts(port: ServicePortView, node: NodeIdentity): EndpointVerdict[] {
  const situation = situationOf(port.endpoints, port, node);
  const reachable = new Set(port.reachable);
  return port.endpoints.map((endpoint) => ({
    endpoint,
    cluster: verdictOf(endpoint, 'Cluster', situation),
    local: verdictOf(endpoint, 'Local', situation),
    reachable: reachable.has(endpoint),
  }));
}

/** Why one endpoint of a port gets traffic under a policy, or why not. */
export const explainEndpoint = (port: ServicePortView, endpoint: EndpointView, policy: TrafficPolicy, node: NodeIdentity): ProxyReasonRow =>
  proxyReason(verdictOf(endpoint, policy, situationOf(port.endpoints, port, node)));

/** The row of a code. */
export const proxyReason = (code: ProxyReasonCode): ProxyReasonRow => proxyReasons.find((row) => row.code === code) as ProxyReasonRow;
