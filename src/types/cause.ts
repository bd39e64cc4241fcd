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
