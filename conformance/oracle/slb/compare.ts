import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { SlbAnswer } from './case.ts';

/** Removes the patched Services from an answer. */
export const withoutPatched = ({ id, steps }: SlbAnswer): SlbAnswer => ({
  id,
  steps: steps.map((step) => ({ ...step, syncs: step.syncs.map(({ patched: _, ...sync }) => sync) })),
});

/** Returns the first step in which two answers differ; undefined if they are the same. */
export function firstDifference(original: SlbAnswer, ours: SlbAnswer): Difference | undefined {
  const theirs = withoutPatched(original);
  const count = Math.max(theirs.steps.length, ours.steps.length);
  const step = Array.from({ length: count }).findIndex((_, index) => !isDeepStrictEqual(theirs.steps[index], ours.steps[index]));
  return step < 0 ? undefined : { path: `step ${step}`, step, theirs: theirs.steps[step], ours: ours.steps[step] };
}
