import { type NodeIdentity, situationOf, type TrafficPolicy, verdictOf } from './categorize.ts';
import { type ProxyReasonCode, type ProxyReasonRow, proxyReasons } from './reasons.ts';
import type { EndpointView, ServicePortView } from './view.ts';

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
