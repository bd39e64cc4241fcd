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

it.concurrent.each<[bug: string, found: RegExp]>([
  ['no-stale-tracker', /it knows slices up to \d+ only, and wrote one at \d+ itself/],
  ['no-stale-endpoints', /it has replaced version \d+ itself/],
  ['missed-tombstone', /no such slice is known|left over|are not right/],
  ['uid-ignored', /its owner is another Service|are not right/],
  ['early-write', /its caches of .* are not complete/],
  ['lost-requeue', /are not right/],
  ['lost-dirty', /are not right|left over/],
  ['no-relist', /has not heard of|is at work|are not right/],
  ['silent-410', /not what is due|is due|is not there|no such slice is known|are not right/],
])('finds the bug %s', async (bug, found) => {
  const { code, output } = await run('--bug', bug, '--seeds', '60');
  expect(output).toMatch(new RegExp(`again with: npm run simulate -- --replay \\d+ --bug ${bug}`));
  expect(output).toMatch(found);
  expect(code).toBe(1);
});

it('tells what is no bug and no number', async () => {
  expect((await run('--bug', 'none-such')).output).toContain('"none-such" is none of no-stale-tracker');
  expect((await run('--seeds', 'many')).output).toContain('"many" is no number');
});
