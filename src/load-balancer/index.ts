/** How a Service of type LoadBalancer comes to its load balancer: the rules of the service controller, by release. */
export {
  type BalancerPort,
  type BalancerReference,
  type BalancerRequest,
  CloudError,
  type CloudErrorCode,
  type CloudPort,
  type HostsRequest,
  isCloudError,
} from './cloud.ts';
export {
  type BalancerEvent,
  explainLoadBalancer,
  type LoadBalancerCause,
  type LoadBalancerCauseCode,
  type LoadBalancerQuestion,
} from './explain.ts';
export { SyncError } from './failures.ts';
export { type LoadBalancerGate, type LoadBalancerGateName, type LoadBalancerVersion, loadBalancerGates } from './gates.ts';
export { balancedNodes, excludeLabel, exclusionOf, type NodeExclusion, type NodeOptions } from './nodes.ts';
export type {
  BalancedNode,
  BalancedPort,
  BalancedService,
  LoadBalancerIngress,
  LoadBalancerStatus,
  NodeTaint,
} from './objects.ts';
export { createLoadBalancerPlanner } from './plan.ts';
export type { Effect, EventEffect, LoadBalancerPlanner, ServiceChange, Steps } from './planner.ts';
export { readStatus } from './status.ts';
export { needsUpdate, type UpdateReason, type UpdateReasonCode, updateReasons } from './update.ts';
export { cleanupFinalizer, hasCleanupFinalizer, needsCleanup, wantsLoadBalancer } from './wants.ts';
