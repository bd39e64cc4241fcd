import type { LoadBalancing } from 'kube-endpoints/explain';
import { type BalancedNode, type BalancedService, explainLoadBalancer } from 'kube-endpoints/load-balancer';
import type { Scope } from '../scope.ts';

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
