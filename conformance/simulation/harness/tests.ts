import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampled, sampledRunCount } from '../../../test/support/sample.ts';
import { sourceConditions } from './hooks.ts';
import type { Simulate } from './simulate.ts';

/** A simulation, for its tests. */
export interface SimulationTest {
  readonly simulate: Simulate;
  /** The shell command that runs it. */
  readonly command: string;
  /** The main module. */
  readonly file: string;
  /** The number of seeds to run without a bug. */
  readonly seeds: number;
  readonly bugs: readonly BugTest[];
  /** The number of seeds to try with each bug. */
  readonly tries: number;
}

/** A bug, the first seed to try, and the expected problem. The first seed detects the bug as long as the code is unchanged. */
export type BugTest = readonly [bug: string, first: number, pattern: RegExp];

/** Tests that seeds pass and are reproducible, that bugs are detected, and that invalid arguments are refused. */
export function testSimulation(options: SimulationTest): void {
  const limit = Error.stackTraceLimit;
  beforeAll(() => {
    // Short stack traces save time: most errors are only created to be sent as responses.
    Error.stackTraceLimit = 3;
  });
  // Other test files run in the same process, and libraries such as agent-base read stacks.
  afterAll(() => {
    Error.stackTraceLimit = limit;
  });
  const seeds = sampledRunCount(options.seeds);
  testSeeds(options, seeds);
  testCommand(options, seeds);
}

function testSeeds({ simulate, command }: SimulationTest, seeds: number): void {
  it(`finds no problem in ${seeds} seeds`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { problems, trace } = await simulate(seed);
      expect(problems, `${command} -- --replay ${seed}\n${trace.lines(40).join('\n')}`).toEqual([]);
    }
  });

  it('produces the same trace for the same seed, even after another seed', async () => {
    const digest = async (seed: number): Promise<number> => (await simulate(seed)).trace.digest();
    const [firstDigest, differentSeedDigest, repeatedDigest] = [await digest(7), await digest(8), await digest(7)];
    expect(repeatedDigest).toBe(firstDigest);
    expect(differentSeedDigest).not.toBe(firstDigest);
  });
}

function testCommand({ simulate, command, file, bugs, tries }: SimulationTest, seeds: number): void {
  const compileCache = mkdtempSync(join(tmpdir(), 'simulation-'));
  afterAll(() => rmSync(compileCache, { recursive: true, force: true }));
  const run = (...args: readonly string[]): Promise<ProcessResult> => runProcess([file, ...args], compileCache);

  it.each(sampled(bugs, bugs.length))('finds the bug %s', async (bug, first, pattern) => {
    const { code, output } = await run('--bug', bug, '--skip-baseline', '--seed', String(first), '--seeds', String(tries));
    const seed = new RegExp(`to replay it, run: ${command} -- --replay (\\d+) --bug ${bug}`).exec(output)?.[1];
    expect(seed, output).toBeDefined();
    expect(output).toMatch(pattern);
    expect(code).toBe(1);
    // The earlier seeds have already passed without the bug.
    if (Number(seed) > seeds) expect((await simulate(Number(seed))).problems).toEqual([]);
  });

  it('rejects unknown bugs and invalid numbers', async () => {
    const bug = await run('--bug', 'none-such');
    const refusal = new RegExp(`^error: --bug: "none-such" is not one of ${bugs[0]?.[0]}, .*\\n$`);
    expect(bug).toEqual({ code: 2, output: expect.stringMatching(refusal) });
    expect(await run('--seeds', 'many')).toEqual({ code: 2, output: 'error: --seeds: "many" is not a number\n' });
  });
}

interface ProcessResult {
  readonly code: number;
  readonly output: string;
}

/** Runs Node.js in a new process, because a bug replaces sources while they are loaded. */
const runProcess = (args: readonly string[], compileCache: string): Promise<ProcessResult> =>
  new Promise((resolve) => {
    // Later processes reuse the compiled code.
    const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
    execFile(process.execPath, [...sourceConditions, ...args], { maxBuffer: 2 ** 26, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` });
    });
  });
