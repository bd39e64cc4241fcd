import { sized } from './size.ts';

/** The best of several timings of a function, in microseconds per call; keeps results alive to prevent optimization. */
export function bestOf(work: () => unknown, rounds: number = sized(7, 2), milliseconds: number = sized(150, 10)): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const until = performance.now() + milliseconds;
    const start = performance.now();
    let calls = 0;
    let now = start;
    while (now < until) {
      kept.result = work();
      calls++;
      now = performance.now();
    }
    best = Math.min(best, ((now - start) * 1000) / calls);
  }
  return best;
}

const kept: { result: unknown } = { result: undefined };

/** A table with headings, aligned columns, and numbers to the right. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   '))
    .join('\n');
}

/** "1,234 µs" */
export const microseconds = (us: number): string =>
  `${us >= 100 ? Math.round(us).toLocaleString('en-US') : us.toFixed(us >= 10 ? 1 : 2)} µs`;
