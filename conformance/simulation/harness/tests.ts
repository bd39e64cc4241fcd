import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs, sampled } from '../../../test/support/sample.ts';
import { sourceConditions } from './hooks.ts';
import type { Simulate } from './simulate.ts';

/** A simulation, for its tests. */
export interface Tested {
  readonly simulate: Simulate;
  /** The shell command that runs it. */
  readonly command: string;
  /** The main module. */
  readonly file: string;
  /** The number of seeds to run without a bug. */
  readonly seeds: number;
  readonly bugs: readonly TestedBug[];
  /** The number of seeds to try with each bug. */
  readonly tries: number;
}

/** A bug with the first seed to try, which detects the bug unless the code has changed. */
export type TestedBug = readonly [bug: string, first: number, found: RegExp];

/** Tests that seeds pass and are reproducible, that bugs are detected, and that invalid arguments are refused. */
export function testSimulation(tested: Tested): void {
  const limit = Error.stackTraceLimit;
  beforeAll(() => {
    // Most errors are created to be sent, so their stacks are not read.
    Error.stackTraceLimit = 3;
  });
  // Other test files run in the same process, and libraries such as agent-base read stacks.
  afterAll(() => {
    Error.stackTraceLimit = limit;
  });
  const seeds = runs(tested.seeds);
  testSeeds(tested, seeds);
  testCommand(tested, seeds);
}

function testSeeds({ simulate, command }: Tested, seeds: number): void {
  it(`lives through ${seeds} seeds of everything that can go wrong`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { problems, trace } = await simulate(seed);
      expect(problems, `${command} -- --replay ${seed}\n${trace.lines(40).join('\n')}`).toEqual([]);
    }
  });

  it('plays the same again with the same seed, whatever was played in between', async () => {
    const digest = async (seed: number): Promise<number> => (await simulate(seed)).trace.digest();
    const [one, other, same] = [await digest(7), await digest(8), await digest(7)];
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
}

function testCommand({ simulate, command, file, bugs, tries }: Tested, seeds: number): void {
  const compiled = mkdtempSync(join(tmpdir(), 'simulation-'));
  afterAll(() => rmSync(compiled, { recursive: true, force: true }));
  const run = (...args: readonly string[]): Promise<Run> => runProcess([file, ...args], compiled);

  it.each(sampled(bugs, bugs.length))('finds the bug %s', async (bug, first, found) => {
    const { code, output } = await run('--bug', bug, '--trust', '--seed', String(first), '--seeds', String(tries));
    const seed = new RegExp(`again with: ${command} -- --replay (\\d+) --bug ${bug}`).exec(output)?.[1];
    expect(seed, output).toBeDefined();
    expect(output).toMatch(found);
    expect(code).toBe(1);
    // earlier seeds have already passed without the bug
    if (Number(seed) > seeds) expect((await simulate(Number(seed))).problems).toEqual([]);
  });

  it('rejects unknown bugs and invalid numbers', async () => {
    const bug = await run('--bug', 'none-such');
    const refusal = new RegExp(`^error: --bug: "none-such" is not one of ${bugs[0]?.[0]}, .*\\n$`);
    expect(bug).toEqual({ code: 2, output: expect.stringMatching(refusal) });
    expect(await run('--seeds', 'many')).toEqual({ code: 2, output: 'error: --seeds: "many" is not a number\n' });
  });
}

interface Run {
  readonly code: number;
  readonly output: string;
}

/** A bug replaces sources while they load, which requires a process of its own. */
const runProcess = (args: readonly string[], compiled: string): Promise<Run> =>
  new Promise((resolve) => {
    // later processes reuse the compiled code
    const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
    execFile(process.execPath, [...sourceConditions, ...args], { maxBuffer: 2 ** 26, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` });
    });
  });
