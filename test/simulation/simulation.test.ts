import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const share = process.env['KUBE_ENDPOINTS_SAMPLE'] === undefined ? 1 : 0.25;
const seeds = Math.ceil(40 * share);

it(`lives through ${seeds} seeds of everything that can go wrong`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { problems, trace } = await simulate(seed);
    expect(problems, `npm run simulate -- --replay ${seed}\n${trace.lines(40).join('\n')}`).toEqual([]);
  }
});

it('plays the same again with the same seed, whatever was played in between', async () => {
  const digest = async (seed: number): Promise<number> => (await simulate(seed)).trace.digest();
  const [one, other, same] = [await digest(7), await digest(8), await digest(7)];
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

interface Run {
  readonly code: number;
  readonly output: string;
}

/** In a process of its own, for a bug is built into the sources as they are loaded. */
const run = (...args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` });
    });
  });

it.concurrent.each<[bug: string, seed: number, found: RegExp]>([
  ['no-stale-tracker', 1, /it knows slices up to \d+ only, and wrote one at \d+ itself/],
  ['no-stale-endpoints', 1, /it has replaced version \d+ itself/],
  ['missed-tombstone', 1, /no such slice is known|left over/],
  ['uid-ignored', 5, /not right|is due|another Service/],
  ['early-write', 1, /its caches of .* are not complete/],
  ['lost-requeue', 6, /are not right/],
  ['no-relist', 1, /has not heard of/],
  ['silent-410', 5, /not what is due|is not there|are not right/],
])('finds the bug %s', async (bug, seed, found) => {
  const { code, output } = await run('--bug', bug, '--seed', String(seed), '--seeds', '1');
  expect(output).toMatch(new RegExp(`again with: npm run simulate -- --replay ${seed} --bug ${bug}`));
  expect(output).toMatch(found);
  expect(code).toBe(1);
});

it('tells what is no bug and no number', async () => {
  expect((await run('--bug', 'none-such')).output).toContain('"none-such" is none of no-stale-tracker');
  expect((await run('--seeds', 'many')).output).toContain('"many" is no number');
});
