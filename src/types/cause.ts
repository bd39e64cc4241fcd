/**
 * A cause that a module such as readiness finds, and that `explain` turns into a reason with a message. These modules do not import each
 * other; their callers pass the causes to `explain`.
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
