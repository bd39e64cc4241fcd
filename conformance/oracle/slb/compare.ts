import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { SlbAnswer } from './case.ts';

/** The first step in which two answers differ; undefined where they are the same. */
export function firstDifference(theirs: SlbAnswer, ours: SlbAnswer): Difference | undefined {
  const count = Math.max(theirs.steps.length, ours.steps.length);
  const step = Array.from({ length: count }).findIndex((_, at) => !isDeepStrictEqual(theirs.steps[at], ours.steps[at]));
  return step < 0 ? undefined : { of: `step ${step}`, step, theirs: theirs.steps[step], ours: ours.steps[step] };
}
