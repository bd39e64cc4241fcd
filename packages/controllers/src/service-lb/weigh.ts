import type { BalancedService, LoadBalancerPlanner, ServiceChange } from 'kube-endpoints/load-balancer';

/** What a change comes to. An object that cannot be weighed is one for a sync: that fails, and says so. */
export function weigh(planner: LoadBalancerPlanner, old: BalancedService | undefined, service: BalancedService): ServiceChange {
  try {
    return planner.serviceChanged(old, service);
  } catch {
    return { due: true, events: [] };
  }
}

/** Whether a Service wants a load balancer of this controller, or has to be cleaned up by it: then its sync decides. */
export const isClaimed = (planner: LoadBalancerPlanner, service: BalancedService): boolean => weigh(planner, undefined, service).due;
