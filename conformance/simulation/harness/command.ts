import { spawn } from 'node:child_process';
import { divideSeeds, parseArgumentsOrExit, type SimulationArguments } from './arguments.ts';
import { guardRealTime } from './guard.ts';
import { type Replacement, replaceSources, sourceConditions } from './hooks.ts';
import type { Outcome, Simulate } from './simulate.ts';

/** The command line of one simulation. */
export interface Command {
  /** The shell command that runs it. */
  readonly shellCommand: string;
  /** The main module, which worker processes also run if the seeds are divided among them. */
  readonly file: string;
  /** The bugs that can be injected, with their source replacements. */
  readonly bugs: Readonly<Record<string, readonly Replacement[]>>;
  /** Imports the simulation and the code under test. Call `load` only after sources are replaced. */
  readonly load: (bug: string | undefined) => Promise<Simulate>;
  /** The plural noun for what `actionCount` counts, such as `writes`. Used in the summary. */
  readonly actionNoun: string;
}

/**
 * Runs the simulation for `--seeds N` seeds, from `--seed S` on, in `--jobs J` processes.
 * `--replay SEED` prints the trace of one seed, or only the last lines of it with `--lines N`.
 * `--bug NAME` injects a bug. Each process stops at its first seed that fails with the bug but passes without it.
 * `--skip-baseline` skips the runs without the bug.
 * Sets the exit code to 1 if a seed failed, and to 2 for invalid arguments.
 */
export async function runCommand(command: Command): Promise<void> {
  const options = parseArgumentsOrExit(Object.keys(command.bugs));
  // Short stack traces save time: most errors are only created to be sent as responses.
  Error.stackTraceLimit = 3;
  const run: Run = { ...command, options };
  if (options.replay !== undefined) await replay(run, options.replay);
  else if (options.jobs > 1) await runInProcesses(run);
  else await runAll(run);
}

interface Run extends Command {
  readonly options: SimulationArguments;
}

async function loadSimulation({ options: { bug }, bugs, load }: Run): Promise<Simulate> {
  const checkAllReplaced = replaceSources((bug === undefined ? undefined : bugs[bug]) ?? []);
  const simulate = await load(bug);
  checkAllReplaced();
  return (seed) => guardRealTime(() => simulate(seed));
}

async function replay(run: Run, seed: number): Promise<void> {
  const simulate = await loadSimulation(run);
  const { problems, trace } = await simulate(seed);
  for (const line of trace.lines(run.options.lines)) console.log(line);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function runAll(run: Run): Promise<void> {
  const { seed: first, seeds: count, bug, skipBaseline } = run.options;
  const simulate = await loadSimulation(run);
  const totals = { failed: 0, steps: 0, actionCount: 0, time: 0 };
  const startMs = performance.now();
  let seedCount = 0;
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(seed);
    totals.steps += outcome.steps;
    totals.actionCount += outcome.actionCount;
    totals.time += outcome.time;
    seedCount += 1;
    if (outcome.problems.length === 0) continue;
    // A seed that also fails without the bug does not detect the bug.
    if (bug !== undefined && !skipBaseline && (await runWithoutBug(run, seed)) !== 0) continue;
    totals.failed += 1;
    printOutcome(run, outcome);
    if (bug !== undefined) break;
  }
  const milliseconds = (performance.now() - startMs) / seedCount;
  const hours = Math.round(totals.time / 3_600_000);
  console.log(`${totals.steps} steps, ${totals.actionCount} ${run.actionNoun}, ${hours} hours; ${milliseconds.toFixed(1)} ms a seed`);
  const { failed } = totals;
  console.log(`${seedCount - failed} passed, ${failed} failed`);
  process.send?.({ passed: seedCount - failed, failed } satisfies Result);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

function printOutcome({ shellCommand, options: { bug } }: Run, { seed, problems, trace }: Outcome): void {
  const replayCommand = `${shellCommand} -- --replay ${seed}${bug === undefined ? '' : ` --bug ${bug}`}`;
  console.log(`seed ${seed}: ${problems.length} problems; to replay it, run: ${replayCommand}`);
  for (const line of trace.lines(40)) console.log(`  ${line.slice(0, 400)}`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem.slice(0, 2000)}`);
}

/** The message of a worker process to its parent. */
interface Result {
  readonly passed: number;
  readonly failed: number;
}

/** Divides the seeds among several processes. */
async function runInProcesses({ file, options }: Run): Promise<void> {
  const results: Result[] = [];
  const codes = await Promise.all(
    divideSeeds(options).map((args) =>
      runInProcess(file, args, ['inherit', 'inherit', 'inherit', 'ipc'], (result) => results.push(result)),
    ),
  );
  const sum = (key: keyof Result): number => results.reduce((total, result) => total + result[key], 0);
  console.log(`all together:\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = Math.max(...codes);
}

/** Runs one seed without a bug, and returns the exit code. */
const runWithoutBug = ({ file }: Run, seed: number): Promise<number> =>
  runInProcess(file, ['--seed', String(seed), '--seeds', '1'], 'ignore');

/** Runs this command in a new process and returns the exit code. A larger young generation suits the many short-lived objects. */
function runInProcess(
  file: string,
  args: readonly string[],
  stdio: 'ignore' | ('inherit' | 'ipc')[],
  onResult: (result: Result) => void = () => {},
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(process.execPath, ['--max-semi-space-size=32', ...sourceConditions, file, ...args], { stdio });
  child.on('message', (result) => onResult(result as Result));
  child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
  return promise;
}
