import type { BatchResult, TestResult } from './ginkgo.ts';

export interface ScheduleOptions {
  readonly runBatch: (names: readonly string[]) => Promise<BatchResult>;
  /** The number of processes that run tests at the same time. */
  readonly processCount: number;
  /** Receives each result once. */
  readonly onResult: (name: string, result: TestResult) => void;
}

/** A process takes a second to start, so it runs several tests. */
const MAX_BATCH_SIZE = 8;

/**
 * Runs tests in several processes, and those that are marked as serial afterwards, one at a time. Tests that were not run, because an
 * earlier test ended the process, run again: alone if the process left no report. A test that ends its process fails.
 */
export async function runTests(names: readonly string[], options: ScheduleOptions): Promise<void> {
  const isSerial = (name: string): boolean => name.includes('[Serial]');
  await runParallel(
    names.filter((name) => !isSerial(name)),
    options,
  );
  await runParallel(names.filter(isSerial), { ...options, processCount: 1 });
}

async function runParallel(names: readonly string[], { runBatch, processCount, onResult }: ScheduleOptions): Promise<void> {
  const waiting = [...names];
  const alone: string[] = [];
  const takeBatch = (): string[] =>
    waiting.length > 0 ? waiting.splice(0, Math.min(MAX_BATCH_SIZE, Math.ceil(waiting.length / processCount))) : alone.splice(0, 1);
  const work = async (): Promise<void> => {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      const { results, end } = await runBatch(batch);
      for (const [name, result] of results) onResult(name, result);
      const rest = batch.filter((name) => !results.has(name));
      if (results.size > 0) waiting.push(...rest);
      else if (batch.length > 1) alone.push(...rest);
      else onResult(batch[0] ?? '', { passed: false, seconds: 0, cause: describeEnd(end), output: end });
    }
  };
  await Promise.all(Array.from({ length: processCount }, work));
}

/** Returns the reason why a process ended without a result. */
function describeEnd(end: string): string {
  const lines = end.split('\n').filter((line) => line.trim() !== '');
  const panic = lines.find((line) => /^(?:panic:|fatal error:|.*\[PANICKED\])|\[FAILED\]/.test(line));
  return `the test program ended without a result: ${panic ?? lines.slice(-3).join(' ').slice(-300)}`;
}
