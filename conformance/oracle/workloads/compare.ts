import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { WorkloadAnswer } from './case.ts';

/** Returns the first write or Event in which two answers differ; undefined if they are the same. */
export function firstDifference(theirs: WorkloadAnswer, ours: WorkloadAnswer): Difference | undefined {
  for (const [step, answer] of theirs.steps.entries()) {
    const other = ours.steps[step];
    for (const list of ['writes', 'events'] as const) {
      const count = Math.max(answer[list].length, other?.[list].length ?? 0);
      for (let i = 0; i < count; i++) {
        if (isDeepStrictEqual(answer[list][i], other?.[list][i])) continue;
        return { path: `step ${step}, ${list} ${i}`, step, theirs: answer[list][i], ours: other?.[list][i] };
      }
    }
  }
  return undefined;
}
