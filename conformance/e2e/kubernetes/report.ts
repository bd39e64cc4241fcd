import type { TestResult } from './ginkgo.ts';
import type { ListedTest } from './list.ts';

export interface Outcome {
  readonly test: ListedTest;
  readonly result: TestResult;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Returns a line for each test that fails, or passes although the list has a reason for its failure. Undefined for other tests. */
export function describeOutcome({ test: { name, reason }, result }: Outcome): string | undefined {
  const seconds = `${result.seconds.toFixed(0)} s`;
  if (result.passed) return reason === undefined ? undefined : `UNEXPECTED ${name} (${seconds})\n  passes, but tests.txt says: ${reason}`;
  if (reason !== undefined) return `known ${name} (${seconds})\n  ${reason}\n  ${result.cause}`;
  return `FAILED ${name} (${seconds})\n  ${result.cause}`;
}

/** A test counts as failed if the list says something else about it. */
export function countOutcomes(outcomes: readonly Outcome[]): Counts {
  const asListed = outcomes.filter(({ test, result }) => result.passed === (test.reason === undefined));
  return { passed: asListed.filter(({ result }) => result.passed).length, failed: outcomes.length - asListed.length };
}
