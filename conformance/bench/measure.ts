import { chooseBySize } from './size.ts';

/**
 * Returns the best of several timings of a function, in microseconds per call. Stores the results, so that calls are not optimized away.
 */
export function bestOf(work: () => unknown, rounds: number = chooseBySize(7, 2), milliseconds: number = chooseBySize(150, 10)): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const endTime = performance.now() + milliseconds;
    const start = performance.now();
    let calls = 0;
    let now = start;
    while (now < endTime) {
      sink.result = work();
      calls++;
      now = performance.now();
    }
    best = Math.min(best, ((now - start) * 1000) / calls);
  }
  return best;
}

const sink: { result: unknown } = { result: undefined };

/** Formats a table with headings. The first column is left-aligned, the others right-aligned. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const allRows = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...allRows.map((row) => (row[column] ?? '').length)));
  return allRows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   '))
    .join('\n');
}

/** Formats microseconds, for example "1,234 µs". */
export const microseconds = (us: number): string =>
  `${us >= 100 ? Math.round(us).toLocaleString('en-US') : us.toFixed(us >= 10 ? 1 : 2)} µs`;
