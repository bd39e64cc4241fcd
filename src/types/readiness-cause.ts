/** What can keep a pod from being ready. */
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
  | 'NotReadyByAnother';

/** What keeps a pod from being ready: a container, a probe or a gate. `readiness` finds it, and `explain` has the sentence of each code. */
export interface ReadinessCause {
  readonly code: ReadinessCauseCode;
  /** The field that decides: "pod.status.containerStatuses[0].state.waiting". */
  readonly path: string;
  /** What the sentence names. */
  readonly values: Readonly<Record<string, string>>;
}
