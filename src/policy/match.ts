import type { PolicyReasonCode, ReasonValues } from './reasons.ts';

/** Whether something matches, or the question whose answer decides it. */
export type Match = boolean | OpenQuestion;

export interface OpenQuestion {
  readonly code: PolicyReasonCode;
  readonly values: ReasonValues;
}

/** Three-valued "or": true if any is true, else the first open question, else false. */
export function matchAny<T>(items: Iterable<T>, test: (item: T) => Match): Match {
  let result: Match = false;
  for (const item of items) {
    const match = test(item);
    if (match === true) return true;
    if (result === false) result = match;
  }
  return result;
}

/** Three-valued "and": false if any is false, else the first open question, else true. */
export function matchAll(...tests: readonly (() => Match)[]): Match {
  let result: Match = true;
  for (const test of tests) {
    const match = test();
    if (match === false) return false;
    if (result === true) result = match;
  }
  return result;
}

/** The opposite; an open question stays open. */
export const matchNot = (match: Match): Match => (typeof match === 'boolean' ? !match : match);
