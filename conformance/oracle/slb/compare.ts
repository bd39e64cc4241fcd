import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { SlbAnswer } from './case.ts';

/** The first step in which two answers differ; undefined where they are the same. */
export function firstDifference(theirs: SlbAnswer, ours: SlbAnswer): Difference | undefined {
  const plain = JSON.parse(JSON.stringify(ours)) as SlbAnswer;
  const count = Math.max(theirs.steps.length, plain.steps.length);
  const step = Array.from({ length: count }).findIndex((_, at) => !isDeepStrictEqual(theirs.steps[at], plain.steps[at]));
  return step < 0 ? undefined : { of: `step ${step}`, step, theirs: theirs.steps[step], ours: plain.steps[step] };
}
