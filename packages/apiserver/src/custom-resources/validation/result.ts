import type { Problem } from './problem.ts';

/** What comes of checking a value. Of alternatives that all fail, the one with the most checks that hold is shown. */
export interface Result {
  readonly problems: Problem[];
  matches: number;
  /** The messages, once there are too many of them to go through. */
  messages?: Set<string>;
}

export const newResult = (): Result => ({ problems: [], matches: 0 });

/** A problem is told of once. */
export function report(result: Result, problem: Problem): void {
  const { problems } = result;
  if (problems.length >= many) {
    result.messages ??= new Set(problems.map(({ message }) => message));
    if (result.messages.has(problem.message)) return;
    result.messages.add(problem.message);
  } else if (problems.some(({ message }) => message === problem.message)) return;
  problems.push(problem);
}

const many = 16;

export function merge(result: Result, other: Result): void {
  for (const problem of other.problems) report(result, problem);
  result.matches += other.matches;
}
