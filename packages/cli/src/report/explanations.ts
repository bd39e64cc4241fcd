import type { LoadBalancing, PodExplanation, Readiness, Reason } from 'kube-endpoints/explain';
import { type BalancedNode, type BalancedService, explainLoadBalancer } from 'kube-endpoints/load-balancer';
import { explainReadiness } from 'kube-endpoints/readiness';
import type { ReleaseOptions } from 'kube-endpoints/versions';
import type { Scope } from '../input/scope.ts';
import type { Colour } from '../print/style.ts';

/** Formats a reason in one line: "PodTerminal: MESSAGE (pod.status.phase, since 1.25)". */
export function formatReason({ code, message, path, since, until }: Reason): string {
  const details = [path, since === undefined ? '' : `since ${since}`, until === undefined ? '' : `until ${until}`];
  return `${code}: ${message.replace(/\.$/, '')} (${details.filter(Boolean).join(', ')})`;
}

/** Describes a pod's state for a Service in one or two words. */
export function stateOf({ selected, included, ready }: PodExplanation): { readonly word: string; readonly colour: Colour } {
  if (ready) return { word: 'ready', colour: 'green' };
  if (included) return { word: 'not ready', colour: 'yellow' };
  return selected ? { word: 'left out', colour: 'red' } : { word: 'not selected', colour: 'dim' };
}

/** Creates a function that explains why a pod is not ready, down to the causes. */
export const createReadinessExplainer =
  (release: ReleaseOptions): Readiness =>
  (pod) =>
    explainReadiness(pod, release).causes;

/**
 * Creates a function that explains why a Service has no load balancer. A Service without a uid was never in a cluster and gets no
 * explanation.
 */
export const createLoadBalancingExplainer =
  ({ nodes, eventsOf }: Pick<Scope, 'nodes' | 'eventsOf'>, release: ReleaseOptions): LoadBalancing =>
  (service) => {
    if (!service.metadata?.uid) return [];
    // The input was validated when it was read, so the objects have these types.
    const balancerInput = { service: service as BalancedService, nodes: nodes as readonly BalancedNode[] | undefined };
    return explainLoadBalancer({ ...balancerInput, events: eventsOf(service), ...release });
  };
