import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

// most errors are made to be sent, and nobody looks where
Error.stackTraceLimit = 3;

const share = process.env['KUBE_ENDPOINTS_SAMPLE'] === undefined ? 1 : 0.25;
const seeds = Math.ceil(40 * share);

it(`lives through ${seeds} seeds of everything that can go wrong`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { problems, trace } = await simulate(seed);
    expect(problems, `npm run simulate:load-balancer -- --replay ${seed}\n${trace.lines(40).join('\n')}`).toEqual([]);
  }
});

it('plays the same again with the same seed, whatever was played in between', async () => {
  const digest = async (seed: number): Promise<number> => (await simulate(seed)).trace.digest();
  const [one, other, same] = [await digest(7), await digest(8), await digest(7)];
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

const compiled = mkdtempSync(join(tmpdir(), 'simulation-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

interface Run {
  readonly code: number;
  readonly output: string;
}

/** In a process of its own, for a bug is built into the sources as they are loaded. */
const run = (...args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    // what one has compiled, the next need not
    const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
    execFile(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], { maxBuffer: 2 ** 26, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` });
    });
  });

/** Each with the first seed that is tried; it is one that finds the bug, as long as nothing else has changed. */
it.each<[bug: string, first: number, found: RegExp]>([
  ['late-finalizer', 1, /it has never held the finalizer/],
  ['uid-ignored', 38, /has a load balancer that nobody wants/],
  ['lost-retry', 1, /has the status|has 0 load balancers|finalizer for nothing/],
  ['forgotten-nodes', 12, /has the nodes/],
  ['early-release', 1, /for all that it knows the load balancer is still there/],
  ['unswept-orphans', 25, /has a load balancer that nobody wants/],
  ['unnoticed-loss', 21, /has 0 load balancers, and wants one/],
  ['no-doubt', 51, /has a load balancer made for|has the nodes|nobody wants|has 0 load balancers/],
  ['early-sync', 1, /its caches of nodes are not complete/],
  ['no-lock', 1, /is still under way/],
])('finds the bug %s', async (bug, first, found) => {
  const { code, output } = await run('--bug', bug, '--trust', '--seed', String(first), '--seeds', '500');
  const seed = new RegExp(`again with: npm run simulate:load-balancer -- --replay (\\d+) --bug ${bug}`).exec(output)?.[1];
  expect(seed, output).toBeDefined();
  expect(output).toMatch(found);
  expect(code).toBe(1);
  // those before have been seen to pass without the bug
  if (Number(seed) > seeds) expect((await simulate(Number(seed))).problems).toEqual([]);
});

it('tells what is no bug and no number', async () => {
  const bug = await run('--bug', 'none-such');
  expect(bug).toEqual({ code: 2, output: expect.stringMatching(/^error: --bug: "none-such" is none of late-finalizer, .*\n$/) });
  expect(await run('--seeds', 'many')).toEqual({ code: 2, output: 'error: --seeds: "many" is no number\n' });
});
