import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { PodAnswer, SchedulerAnswer } from './case.ts';

/** Returns the first pod and field in which two answers differ; undefined if they are the same. */
export function firstDifference(theirs: SchedulerAnswer, ours: SchedulerAnswer): Difference | undefined {
  for (const [step, expected] of theirs.pods.entries()) {
    const actual = ours.pods[step];
    for (const field of ['rejected', 'message', 'scores', 'host'] satisfies (keyof PodAnswer)[]) {
      if (isDeepStrictEqual(inOrder(expected[field]), inOrder(actual?.[field]))) continue;
      return { path: `pod ${step}, ${field}`, step, theirs: expected[field], ours: actual?.[field] };
    }
  }
  return undefined;
}

/** Sorts the reasons of nodes: the original iterates over a map of extended resources. */
const inOrder = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, 'reasons' in field ? { ...field, reasons: field.reasons.toSorted() } : field]),
      )
    : value;
