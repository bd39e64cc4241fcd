import type { LoadBalancing, PodExplanation, Readiness, Reason } from 'kube-endpoints/explain';
import { type BalancedNode, type BalancedService, explainLoadBalancer } from 'kube-endpoints/load-balancer';
import { explainReadiness } from 'kube-endpoints/readiness';
import type { Scope } from '../input/scope.ts';
import type { Colour } from '../print/style.ts';

/** A reason as one line of text: "PodTerminal: the sentence (pod.status.phase, since 1.25)". */
export function formatReason({ code, message, path, since, until }: Reason): string {
  const range = [path, since === undefined ? '' : `since ${since}`, until === undefined ? '' : `until ${until}`];
  return `${code}: ${message.replace(/\.$/, '')} (${range.filter(Boolean).join(', ')})`;
}

/** What a pod is to a Service, in one word or two. */
export function stateOf({ selected, included, ready }: PodExplanation): { readonly word: string; readonly colour: Colour } {
  if (ready) return { word: 'ready', colour: 'green' };
  if (included) return { word: 'not ready', colour: 'yellow' };
  return selected ? { word: 'left out', colour: 'red' } : { word: 'not selected', colour: 'dim' };
}

/** Goes down from a pod that is not ready to what keeps it from being so. */
export const readinessIn =
  (version: string): Readiness =>
  (pod) =>
    explainReadiness(pod, { version }).causes;

/**
 * What keeps a Service from its load balancer. One without a uid was never in a cluster, so that nothing can be pending.
 */
export const loadBalancingIn =
  ({ nodes, eventsOf }: Pick<Scope, 'nodes' | 'eventsOf'>, version: string): LoadBalancing =>
  (service) => {
    if (!service.metadata?.uid) return [];
    // The rules of the input have made sure that these are what they are called.
    const balanced = { service: service as BalancedService, nodes: nodes as readonly BalancedNode[] | undefined };
    return explainLoadBalancer({ ...balanced, events: eventsOf(service), version });
  };
