/** What can keep a Service of type LoadBalancer from its load balancer, or a Service from being rid of one. */
export type LoadBalancerCauseCode =
  | 'LoadBalancerOfOtherClass'
  | 'LoadBalancerNotPickedUp'
  | 'LoadBalancerFailing'
  | 'LoadBalancerWithoutNodes'
  | 'LoadBalancerAwaited'
  | 'LoadBalancerWithoutNodePorts'
  | 'LoadBalancerBeingDeleted'
  | 'LoadBalancerCleanupOwed';

/** Why a Service has no load balancer yet. `load-balancer` finds it, and `explain` has the sentence of each code. */
export interface LoadBalancerCause {
  readonly code: LoadBalancerCauseCode;
  /** The field that decides: "service.spec.loadBalancerClass". */
  readonly path: string;
  /** What the sentence names. */
  readonly values: Readonly<Record<string, string>>;
}
