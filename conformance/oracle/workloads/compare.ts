import { isDeepStrictEqual } from 'node:util';
import { compareText } from 'kube-endpoints/internal/apimachinery';
import type { Difference } from '../conform.ts';
import type { RecordedEvent, RecordedWrite, WorkloadAnswer } from './case.ts';

/** Returns the first write or Event in which two answers differ; undefined if they are the same. */
export function firstDifference(theirs: WorkloadAnswer, ours: WorkloadAnswer): Difference | undefined {
  for (let step = 0; step < Math.max(theirs.steps.length, ours.steps.length); step++) {
    for (const list of ['writes', 'events'] as const) {
      const [expected, actual] = [inOrder(theirs.steps[step]?.[list] ?? []), inOrder(ours.steps[step]?.[list] ?? [])];
      for (let i = 0; i < Math.max(expected.length, actual.length); i++) {
        if (isDeepStrictEqual(expected[i], actual[i])) continue;
        return { path: `step ${step}, ${list} ${i}`, step, theirs: expected[i], ours: actual[i] };
      }
    }
  }
  return undefined;
}

/** Sorts the Events of one time, because those of concurrent branches have no order. */
const inOrder = (list: readonly (RecordedWrite | RecordedEvent)[]): readonly (RecordedWrite | RecordedEvent)[] =>
  list.toSorted((a, b) => a.at - b.at || ('message' in a && 'message' in b ? compareText(a.message, b.message) : 0));
