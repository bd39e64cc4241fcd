/** A value from a time on, in milliseconds since the change. */
export type Change<Values extends readonly unknown[]> = readonly [at: number, ...values: Values];

/** Records the values of something over time. */
export interface Track<Values extends readonly unknown[]> {
  /** In order of time. */
  readonly changes: readonly Change<Values>[];
  /** Times before the first one of the track count as that one. A value that does not change is not recorded again. */
  record(at: number, ...values: Values): void;
}

/** @param start the first time, in milliseconds since the change */
export function createTrack<Values extends readonly unknown[]>(start: number): Track<Values> {
  const changes: Change<Values>[] = [];
  return {
    changes,
    record: (at, ...values) => {
      const time = Math.max(at, start);
      if (changes.at(-1)?.[0] === time) changes.pop();
      if (!isSame(changes.at(-1)?.slice(1), values)) changes.push([time, ...values]);
    },
  };
}

const isSame = (a: readonly unknown[] | undefined, b: readonly unknown[]): boolean =>
  a?.length === b.length && a.every((value, i) => value === b[i]);
