import { parseIndex } from './indexes.ts';

/** Sets of completion indexes, as a status prints them. Mirrors orderedIntervals (1.36, pkg/controller/job/indexed_job_utils.go). */

/** Indexes from `first` to `last`, both included. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

export type Intervals = readonly Interval[];

/** Adds indexes in ascending order. */
export const addIndexes = (intervals: Intervals, indexes: readonly number[]): Intervals =>
  mergeIntervals(
    intervals,
    indexes.map((index) => ({ first: index, last: index })),
  );

export function mergeIntervals(a: Intervals, b: Intervals): Intervals {
  const result: Interval[] = [];
  const append = (next: Interval): void => {
    const last = result.at(-1);
    if (!last || next.first > last.last + 1) result.push(next);
    else if (last.last < next.last) result[result.length - 1] = { first: last.first, last: next.last };
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    const takesLeft = left && (!right || left.first < right.first);
    append((takesLeft ? left : right) as Interval);
    if (takesLeft) i += 1;
    else j += 1;
  }
  return result;
}

export const countIndexes = (intervals: Intervals): number => intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/** Searches as upstream does, because a status may contain unordered intervals. */
export function hasIndex(intervals: Intervals, index: number): boolean {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle] as Interval).last >= index) high = middle;
    else low = middle + 1;
  }
  return (intervals[high]?.first ?? Infinity) <= index;
}

/** For example "1,3-5,7". */
export const printIntervals = (intervals: Intervals): string =>
  intervals
    .map(({ first, last }) => {
      if (last <= first) return `${first}`;
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');

/** Parses intervals below `completions`. Ignores those that are not numbers. */
export function parseIntervals(text: string, completions: number): Intervals {
  if (text === '') return [];
  const result: Interval[] = [];
  for (const part of text.split(',')) {
    const [start = '', end] = part.split('-');
    const first = parseIndex(start);
    if (first === undefined) continue;
    if (first >= completions) break;
    const parsedLast = end === undefined ? first : parseIndex(end);
    if (parsedLast === undefined) continue;
    const last = end === undefined ? first : Math.min(parsedLast, completions - 1);
    const previous = result.at(-1);
    if (previous && previous.last === first - 1) result[result.length - 1] = { first: previous.first, last };
    else result.push({ first, last });
  }
  return result;
}
