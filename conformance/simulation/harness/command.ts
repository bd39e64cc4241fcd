import { spawn } from 'node:child_process';
import { argumentsOrExit, type SimulationArguments } from './arguments.ts';
import { guardRealTime } from './guard.ts';
import { type Replacement, replaceSources, sourceConditions } from './hooks.ts';
import type { Outcome, Simulate } from './simulate.ts';

/** What one simulation's command line has of its own. */
export interface Command {
  /** What somebody types to run it. */
  readonly command: string;
  /** The module that is run, and runs itself again where several processes share the seeds. */
  readonly file: string;
  /** The bugs that can be built in, and what each does to the sources. */
  readonly bugs: Readonly<Record<string, readonly Replacement[]>>;
  /** Imports the simulation, and all that it simulates: only when the sources have been replaced. */
  readonly load: (bug: string | undefined) => Promise<Simulate>;
  /** What the controllers did, as it is counted. */
  readonly acts: string;
}

/**
 * Simulates: `--seeds N` times, from `--seed S` on, with `--jobs J` processes. `--replay SEED` tells all that happens under one seed.
 * `--bug NAME` builds a bug in, to see that it is found; the run ends with the first seed that does, and that passes without it, unless
 * that is not doubted (`--trust`).
 * Leaves with 1 where a seed failed, with 2 where it cannot tell what is asked for.
 */
export async function runCommand(command: Command): Promise<void> {
  const asked = argumentsOrExit(Object.keys(command.bugs));
  // most errors are made to be sent, and nobody looks where
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
    // what fails without the bug as well has not found it
    if (bug !== undefined && !trust && (await runQuietly(run, seed)) !== 0) continue;
    totals.failed += 1;
    tell(run, outcome);
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

function tell({ command, asked: { bug } }: Run, { seed, problems, trace }: Outcome): void {
  const again = `${command} -- --replay ${seed}${bug === undefined ? '' : ` --bug ${bug}`}`;
  console.log(`seed ${seed}: ${problems.length} problems; again with: ${again}`);
  for (const line of trace.lines(40)) console.log(`  ${line.slice(0, 400)}`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem.slice(0, 2000)}`);
}

/** What a process tells the one that started it. */
interface Result {
  readonly passed: number;
  readonly failed: number;
}

/** Several processes, each with its part of the seeds. */
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

/** One seed without a bug; only its exit code tells how it went. */
const runQuietly = ({ file }: Run, seed: number): Promise<number> => runAgain(file, ['--seed', String(seed), '--seeds', '1'], 'ignore');

/** The same in a process of its own; answers with its exit code. Short-lived objects are many, so they are given more room. */
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
