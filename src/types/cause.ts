/**
 * A cause that one module finds and `explain` puts into words. The modules do not know each other: a caller hands the causes on.
 */
export interface Cause<Code extends string = string> {
  readonly code: Code;
  /** The field that decides: "pod.status.containerStatuses[0].state.waiting". */
  readonly path: string;
  /** The values that the sentence of the code names. */
  readonly values: Readonly<Record<string, string>>;
}
