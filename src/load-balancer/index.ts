/** The rules, by release, by which the service controller provides load balancers for Services. */
export type { LoadBalancerCauseCode } from '../types/index.ts';
export { type BalancerPort, type BalancerReference, type BalancerRequest, CloudError, type CloudPort, type HostsRequest } from './cloud.ts';
export { compareLoadBalancers, type LoadBalancerChange } from './compare.ts';
export { type ExplainLoadBalancerOptions, explainLoadBalancer, type LoadBalancerCause } from './explain.ts';
export { loadBalancerGates } from './gates.ts';
export { balancedNodes, excludeLabel, exclusionOf } from './nodes.ts';
export type { BalancedNode, BalancedService, LoadBalancerStatus } from './objects.ts';
export { createLoadBalancerPlanner } from './plan.ts';
export type { LoadBalancerPlanner } from './planner.ts';
export { readStatus } from './status.ts';
export { needsUpdate, updateReasons } from './update.ts';
export { needsCleanup, wantsLoadBalancer } from './wants.ts';
