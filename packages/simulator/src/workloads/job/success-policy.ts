import { countIndexes, type Intervals, parseIntervals } from './intervals.ts';
import type { JobSpec } from './objects.ts';

/**
 * The message of the first rule that the succeeded indexes meet; undefined if they meet none. Mirrors pkg/controller/job/success_policy.go of
 * 1.36.
 */
export function matchSuccessPolicy({ successPolicy, completions = 0 }: JobSpec, succeeded: Intervals): string | undefined {
  if (succeeded.length === 0) return undefined;
  const index = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
    const required = parseIntervals(succeededIndexes, completions);
    const count = countCommon(required, succeeded);
    return required.length > 0 && (count === countIndexes(required) || (succeededCount !== undefined && count >= succeededCount));
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

/** The number of indexes that are in both. */
function countCommon(a: Intervals, b: Intervals): number {
  let count = 0;
  for (let i = 0, j = 0; ; ) {
    const [left, right] = [a[i], b[j]];
    if (!left || !right) return count;
    count += Math.max(Math.min(left.last, right.last) - Math.max(left.first, right.first) + 1, 0);
    if (left.last <= right.last) i += 1;
    if (right.last <= left.last) j += 1;
  }
}
