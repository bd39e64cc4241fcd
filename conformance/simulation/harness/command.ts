import { spawn } from 'node:child_process';
import { argumentsOrExit, type SimulationArguments } from './arguments.ts';
import { guardRealTime } from './guard.ts';
import { type Replacement, replaceSources, sourceConditions } from './hooks.ts';
import type { Outcome, Simulate } from './simulate.ts';

/** The command line of one simulation. */
export interface Command {
  /** The shell command that runs it. */
  readonly command: string;
  /** The main module, which also runs in worker processes if several share the seeds. */
  readonly file: string;
  /** The bugs that can be built in, with their source replacements. */
  readonly bugs: Readonly<Record<string, readonly Replacement[]>>;
  /** Imports the simulation and the code under test; call it only after sources are replaced. */
  readonly load: (bug: string | undefined) => Promise<Simulate>;
  /** The counted actions of controllers. */
  readonly acts: string;
}

/**
 * Simulates: `--seeds N` times, from `--seed S` on, with `--jobs J` processes. `--replay SEED` prints the trace of one seed.
 * `--bug NAME` builds a bug in and ends with the first seed that fails with the bug and passes without it.
 * `--trust` skips the run without the bug.
 * Exits with 1 if a seed failed, with 2 for invalid arguments.
 */
export async function runCommand(command: Command): Promise<void> {
  const asked = argumentsOrExit(Object.keys(command.bugs));
  // most errors are created to be sent, so their stacks are not read
  Error.stackTraceLimit = 3;
  const run: Run = { ...command, asked };
  if (asked.replay !== undefined) await replay(run, asked.replay);
  else if (asked.jobs > 1) await share(run);
  else await runAll(run);
}

interface Run extends Command {
  readonly asked: SimulationArguments;
}

async function simulation({ asked: { bug }, bugs, load }: Run): Promise<Simulate> {
  const requireReplaced = replaceSources((bug === undefined ? undefined : bugs[bug]) ?? []);
  const simulate = await load(bug);
  requireReplaced();
  return (seed) => guardRealTime(() => simulate(seed));
}

async function replay(run: Run, seed: number): Promise<void> {
  const simulate = await simulation(run);
  const { problems, trace } = await simulate(seed);
  for (const line of trace.lines(run.asked.lines)) console.log(line);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function runAll(run: Run): Promise<void> {
  const { seed: first, seeds: count, bug, trust } = run.asked;
  const simulate = await simulation(run);
  const totals = { failed: 0, steps: 0, acts: 0, time: 0 };
  const started = performance.now();
  let seeds = 0;
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(seed);
    totals.steps += outcome.steps;
    totals.acts += outcome.acts;
    totals.time += outcome.time;
    seeds += 1;
    if (outcome.problems.length === 0) continue;
    // a seed that also fails without the bug does not detect it
    if (bug !== undefined && !trust && (await runQuietly(run, seed)) !== 0) continue;
    totals.failed += 1;
    printOutcome(run, outcome);
    if (bug !== undefined) break;
  }
  const milliseconds = (performance.now() - started) / seeds;
  const hours = Math.round(totals.time / 3_600_000);
  console.log(`${totals.steps} steps, ${totals.acts} ${run.acts}, ${hours} hours; ${milliseconds.toFixed(1)} ms a seed`);
  const { failed } = totals;
  console.log(`${seeds - failed} passed, ${failed} failed`);
  process.send?.({ passed: seeds - failed, failed } satisfies Result);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

function printOutcome({ command, asked: { bug } }: Run, { seed, problems, trace }: Outcome): void {
  const again = `${command} -- --replay ${seed}${bug === undefined ? '' : ` --bug ${bug}`}`;
  console.log(`seed ${seed}: ${problems.length} problems; again with: ${again}`);
  for (const line of trace.lines(40)) console.log(`  ${line.slice(0, 400)}`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem.slice(0, 2000)}`);
}

/** The message of a worker process to its parent. */
interface Result {
  readonly passed: number;
  readonly failed: number;
}

/** Divides the seeds among several processes. */
async function share({ file, asked: { seed: first, seeds: count, jobs, bug } }: Run): Promise<void> {
  const more = bug === undefined ? [] : ['--bug', bug];
  const results: Result[] = [];
  const codes = await Promise.all(
    Array.from({ length: jobs }, (_, job) => {
      const from = first + Math.floor((count * job) / jobs);
      const to = first + Math.floor((count * (job + 1)) / jobs);
      const args = ['--seed', String(from), '--seeds', String(to - from), ...more];
      return runAgain(file, args, ['inherit', 'inherit', 'inherit', 'ipc'], (result) => results.push(result));
    }),
  );
  const sum = (key: keyof Result): number => results.reduce((total, result) => total + result[key], 0);
  console.log(`all together:\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = Math.max(...codes);
}

/** Runs one seed without a bug, and returns the exit code. */
const runQuietly = ({ file }: Run, seed: number): Promise<number> => runAgain(file, ['--seed', String(seed), '--seeds', '1'], 'ignore');

/** Runs this command in a process of its own and returns the exit code. A larger young generation suits short-lived objects. */
function runAgain(
  file: string,
  args: readonly string[],
  stdio: 'ignore' | ('inherit' | 'ipc')[],
  take: (result: Result) => void = () => {},
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(process.execPath, ['--max-semi-space-size=32', ...sourceConditions, file, ...args], { stdio });
  child.on('message', (result) => take(result as Result));
  child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
  return promise;
}
