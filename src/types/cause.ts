/**
 * A cause that another module finds, such as readiness, and that `explain` turns into a reason with a message. The modules do not
 * import each other: callers pass the causes on.
 */
export interface Cause<Code extends string = string> {
  readonly code: Code;
  /** The field that decides, such as "pod.status.containerStatuses[0].state.waiting". */
  readonly path: string;
  /** The values that the message of the code mentions. */
  readonly values: Readonly<Record<string, string>>;
}

/** What can keep a pod from being ready: a container, a probe or a readiness gate. */
export type ReadinessCauseCode =
  | 'PodEndedNotReady'
  | 'StatusesUnknown'
  | 'InitContainerIncomplete'
  | 'ContainerUnknown'
  | 'ContainerWaiting'
  | 'ContainerEnded'
  | 'ContainerNotStarted'
  | 'ReadinessProbeFails'
  | 'ContainerNotReady'
  | 'ReadinessGateMissing'
  | 'ReadinessGateNotTrue'
  | 'ReadyConditionOverridden';

/** What can keep a Service from getting its load balancer, or delay the deletion of one that it no longer needs. */
export type LoadBalancerCauseCode =
  | 'LoadBalancerOfOtherClass'
  | 'LoadBalancerNotPickedUp'
  | 'LoadBalancerFailing'
  | 'LoadBalancerWithoutNodes'
  | 'LoadBalancerPending'
  | 'LoadBalancerWithoutNodePorts'
  | 'LoadBalancerBeingDeleted'
  | 'LoadBalancerCleanupPending';
