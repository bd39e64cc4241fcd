/** When virtual time starts in the program, in milliseconds since the epoch. */
export const start: number = Date.parse('2000-01-01T00:00:00Z');

/** A call of the container runtime, or an Event, in milliseconds since the start. */
export interface Call {
  readonly at: number;
  readonly do: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Sorts calls by time, and those at the same time like the program does. */
export const sortCalls = (calls: readonly Call[]): Call[] =>
  [...calls].sort((a, b) => a.at - b.at || (keyOf(a) < keyOf(b) ? -1 : 1)).map((call) => ({ ...call, at: call.at - start }));

const keyOf = ({ id, do: name, reason = '<nil>' }: Call): string => `${id} ${name} ${reason}`;
