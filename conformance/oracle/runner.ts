import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Case, Result } from './case.ts';
import type { SliceCase, SliceMode, SliceResult } from './slices/case.ts';

/** The time zone of the controller's process, which it uses for times up to 1.21: one with a half-hour offset and daylight saving. */
export const timeZone = 'America/St_Johns';

/**
 * Returns the oracle's answers to cases, in order.
 * @throws Error if the oracle exits with an error or skips a case
 */
export const runOracle = (binary: string, cases: readonly Case[]): Promise<Result[]> => runCases<Result>(binary, 'run', cases);

/** Like runOracle, for the EndpointSlice controllers. */
export const runSliceOracle = (binary: string, mode: SliceMode, cases: readonly SliceCase[]): Promise<SliceResult[]> =>
  runCases<SliceResult>(binary, mode, cases);

/** Runs a program in a mode, and returns its answers, one for each case. */
export async function runCases<R extends { readonly id: string }>(
  binary: string,
  mode: string,
  cases: readonly { readonly id: string }[],
): Promise<R[]> {
  if (cases.length === 0) return [];
  const oracle = spawn(binary, [mode], { env: { ...process.env, TZ: timeZone }, stdio: ['pipe', 'pipe', 'pipe'] });
  const exit = once(oracle, 'exit');
  // Receives the controller's log as well. Only its end is needed, for the error.
  let output = '';
  oracle.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-2000);
  });
  const input = pipeline(Readable.from(formatLines(cases)), oracle.stdin).catch(() => undefined);
  const results: R[] = [];
  for await (const line of createInterface({ input: oracle.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    results.push(JSON.parse(line) as R);
  }
  const [code] = await exit;
  await input;
  if (code !== 0) throw new Error(`${binary} exited with ${code}: ${output.trim().split('\n').at(-1)}`);
  const invalidLine = cases.findIndex(({ id }, i) => results[i]?.id !== id);
  if (invalidLine >= 0) throw new Error(`${binary} gave no answer to case ${cases[invalidLine]?.id}`);
  return results;
}

function* formatLines(cases: readonly unknown[]): Generator<string> {
  for (const each of cases) yield `${JSON.stringify(each)}\n`;
}
