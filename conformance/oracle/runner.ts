import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Case, Result } from './case.ts';
import type { SliceCase, SliceMode, SliceResult } from './slices/case.ts';

/** The zone that the controller's process runs in, and writes times in up to 1.21: one with half an hour and summer time. */
export const timeZone = 'America/St_Johns';

/**
 * An oracle's answers to cases, in their order.
 * @throws Error where it ends early or skips one
 */
export const runOracle = (binary: string, cases: readonly Case[]): Promise<Result[]> => answers<Result>(binary, 'run', cases);

/** The same for the controllers of slices. */
export const runSliceOracle = (binary: string, mode: SliceMode, cases: readonly SliceCase[]): Promise<SliceResult[]> =>
  answers<SliceResult>(binary, mode, cases);

/** What a program that is called with a mode prints to cases, a line each. */
export async function answers<R extends { readonly id: string }>(
  binary: string,
  mode: string,
  cases: readonly { readonly id: string }[],
): Promise<R[]> {
  if (cases.length === 0) return [];
  const oracle = spawn(binary, [mode], { env: { ...process.env, TZ: timeZone }, stdio: ['pipe', 'pipe', 'pipe'] });
  const exit = once(oracle, 'exit');
  // the controller's log goes here too: its last words matter only where it fails
  let said = '';
  oracle.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2000);
  });
  const fed = pipeline(Readable.from(lines(cases)), oracle.stdin).catch(() => undefined);
  const results: R[] = [];
  for await (const line of createInterface({ input: oracle.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    results.push(JSON.parse(line) as R);
  }
  const [code] = await exit;
  await fed;
  if (code !== 0) throw new Error(`${binary} ended with ${code}: ${said.trim().split('\n').at(-1)}`);
  const wrong = cases.findIndex(({ id }, i) => results[i]?.id !== id);
  if (wrong >= 0) throw new Error(`${binary} gave no answer to case ${cases[wrong]?.id}`);
  return results;
}

function* lines(cases: readonly unknown[]): Generator<string> {
  for (const each of cases) yield `${JSON.stringify(each)}\n`;
}
