import { expect, test } from 'vitest';
import type { BatchResult, TestResult } from './ginkgo.ts';
import { runTests } from './schedule.ts';

const passed: TestResult = { passed: true, seconds: 1, cause: '', output: '' };

/** Runs tests with a function that returns the names that one process finishes. Returns the batches and the results. */
async function schedule(
  names: readonly string[],
  finish: (batch: readonly string[]) => readonly string[],
): Promise<{ batches: (readonly string[])[]; results: Map<string, TestResult> }> {
  const batches: (readonly string[])[] = [];
  const results = new Map<string, TestResult>();
  await runTests(names, {
    processCount: 1,
    async runBatch(batch): Promise<BatchResult> {
      batches.push(batch);
      return { results: new Map(finish(batch).map((name) => [name, passed])), end: 'goroutine 1\npanic: boom\n' };
    },
    onResult(name, result) {
      if (results.has(name)) throw new Error(`a second result for ${name}`);
      results.set(name, result);
    },
  });
  return { batches, results };
}

test('runs all tests, and serial ones last and in their own processes', async () => {
  const { batches, results } = await schedule(['a [Serial]', 'b', 'c'], (batch) => batch);
  expect(batches).toStrictEqual([['b', 'c'], ['a [Serial]']]);
  expect([...results.keys()].sort()).toStrictEqual(['a [Serial]', 'b', 'c']);
});

test('runs the tests after one that ended the process with a report again', async () => {
  const { batches, results } = await schedule(['a', 'b', 'c'], (batch) => batch.slice(0, 1));
  expect(batches).toStrictEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
  expect([...results.values()].every((result) => result.passed)).toBe(true);
});

test('runs tests of a process without a report alone, and fails the test that ends its process', async () => {
  const { batches, results } = await schedule(['a', 'bad', 'c'], (batch) => (batch.includes('bad') ? [] : batch));
  expect(batches).toStrictEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  expect(results.get('bad')).toMatchObject({ passed: false, cause: 'the test program ended without a result: panic: boom' });
  expect(results.get('c')).toBe(passed);
});
