import type { Drop } from '@kube-endpoints/simulator';
import type { FailedRequest } from './clients.ts';

/** A period in which the simulator expects failures, in milliseconds since the change. */
export interface Interval {
  readonly kind: Drop['kind'];
  /** Its begin at the earliest. */
  readonly from: number;
  /** Its end at the latest. */
  readonly to: number;
  /** The begin and the end if the machine adds nothing; absent if requests fail only if it does. */
  readonly exact?: { readonly from: number; readonly to: number };
  /** The requests that fail at least, if the machine adds nothing. */
  readonly failures: number;
}

/** The parts of a trial that are judged. */
export interface Observation {
  readonly since: number;
  readonly failures: readonly FailedRequest[];
}

/** How far a failure may be outside of an interval, in milliseconds: writes of the change and reports of clients have times of their own. */
const toleranceMs = 500;

/** An interval in which fewer failures are expected may be without one. */
const minExpectedFailures = 50;

/**
 * Merges the drops of the runs of one adversary, in order of the machine's part. The n-th drop of a kind is the same in all runs if all have as many of
 * this kind; otherwise, the intervals of a kind are one.
 * @param rate requests per second of each client
 */
export function mergeDrops(runs: readonly (readonly Drop[])[], rate: number): Interval[] {
  const kinds = [...new Set(runs.flatMap((drops) => drops.map(({ kind }) => kind)))];
  return kinds.flatMap((kind) => {
    const ofKind = runs.map((drops) => drops.filter((drop) => drop.kind === kind));
    const [exact = []] = ofKind;
    const isPaired = ofKind.every(({ length }) => length === exact.length);
    const groups = isPaired ? exact.map((_, i) => ofKind.map((drops) => drops.slice(i, i + 1))) : [ofKind];
    return groups.map((group) => createInterval(kind, group, rate));
  });
}

function createInterval(kind: Drop['kind'], [exact = [], ...others]: readonly (readonly Drop[])[], rate: number): Interval {
  const hull = (drops: readonly Drop[]): { from: number; to: number } => ({
    from: Math.min(...drops.map(({ from }) => from)),
    to: Math.max(...drops.map(({ to }) => to)),
  });
  return {
    kind,
    ...hull([exact, ...others].flat()),
    ...(exact.length > 0 && { exact: hull(exact) }),
    failures: exact.reduce((sum, { from, to, share = 0 }) => sum + (share * (to - from) * rate) / 1000, 0),
  };
}

/** Compares failures with intervals. Returns what contradicts the prediction, in sentences; none if they agree. */
export function judge(intervals: readonly Interval[], { since, failures }: Observation): string[] {
  const isIn = ({ kind, from, to }: Interval, { start, end }: FailedRequest): boolean => {
    const at = (kind === 'cut' ? end : start) - since;
    return at >= from - toleranceMs && at <= to + toleranceMs;
  };
  const outside = failures.filter((failure) => !intervals.some((interval) => isIn(interval, failure)));
  const [first] = outside;
  return [
    ...(first
      ? [
          `${outside.length} of ${failures.length} failures are outside of the predicted intervals, the first ${formatSeconds(first.start - since)} s after the change: ${first.code}`,
        ]
      : []),
    ...intervals
      .filter((interval) => interval.failures >= minExpectedFailures && !failures.some((failure) => isIn(interval, failure)))
      .map((interval) => `no request failed in the interval ${formatInterval(interval)}`),
  ];
}

/** For example "closed 2.4–9.7 s (at the latest 12.1 s)". */
export const formatInterval = ({ kind, from, to, exact = { from, to } }: Interval): string =>
  `${kind} ${formatSeconds(exact.from)}–${formatSeconds(exact.to)} s (at the latest ${formatSeconds(to)} s)`;

/** Seconds with one decimal. */
export const formatSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
