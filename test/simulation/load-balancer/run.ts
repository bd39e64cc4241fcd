import { spawn } from 'node:child_process';
import { argumentsOrExit } from '../arguments.ts';
import { guardRealTime } from '../guard.ts';
import { replaceSources } from '../hooks.ts';
import { bugs } from './bugs.ts';
import type { Outcome } from './simulate.ts';

/**
 * Simulates the service load-balancer controller: `--seeds N` times, from `--seed S` on, with `--jobs J` processes. `--replay SEED` tells all that happens
 * under one seed. `--bug NAME` builds a bug in, to see that it is found; the run ends with the first seed that does, and that passes
 * without it, unless that is not doubted (`--trust`).
 * Leaves with 1 where a seed failed, with 2 where it cannot tell what is asked for.
 */
const asked = argumentsOrExit(Object.keys(bugs));

// most errors are made to be sent, and nobody looks where
Error.stackTraceLimit = 3;

const bug = asked.bug === undefined ? undefined : bugs[asked.bug];
const again = (seed: number): string =>
  `npm run simulate:load-balancer -- --replay ${seed}${asked.bug === undefined ? '' : ` --bug ${asked.bug}`}`;

if (asked.replay !== undefined) await replay(asked.replay);
else if (asked.jobs > 1) await share(asked.seed, asked.seeds, asked.jobs);
else await runAll(asked.seed, asked.seeds);

async function load(): Promise<(seed: number) => Promise<Outcome>> {
  const requireReplaced = replaceSources(bug ?? []);
  const { simulate } = await import('./simulate.ts');
  requireReplaced();
  return (seed) => guardRealTime(() => simulate(seed));
}

async function replay(seed: number): Promise<void> {
  const simulate = await load();
  const { problems, trace } = await simulate(seed);
  for (const line of trace.lines(asked.lines)) console.log(line);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function runAll(first: number, count: number): Promise<void> {
  const simulate = await load();
  const totals = { failed: 0, steps: 0, calls: 0, time: 0 };
  const started = performance.now();
  let seeds = 0;
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(seed);
    totals.steps += outcome.steps;
    totals.calls += outcome.calls;
    totals.time += outcome.time;
    seeds += 1;
    if (outcome.problems.length === 0) continue;
    // what fails without the bug as well has not found it
    if (bug && !asked.trust && (await runSelf(['--seed', String(seed), '--seeds', '1'])) !== 0) continue;
    totals.failed += 1;
    tell(outcome);
    if (bug) break;
  }
  const milliseconds = (performance.now() - started) / seeds;
  const hours = Math.round(totals.time / 3_600_000);
  console.log(`${totals.steps} steps, ${totals.calls} calls of the cloud, ${hours} hours; ${milliseconds.toFixed(1)} ms a seed`);
  const { failed } = totals;
  console.log(`${seeds - failed} passed, ${failed} failed`);
  process.send?.({ passed: seeds - failed, failed } satisfies Result);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

function tell({ seed, problems, trace }: Outcome): void {
  console.log(`seed ${seed}: ${problems.length} problems; again with: ${again(seed)}`);
  for (const line of trace.lines(40)) console.log(`  ${line.slice(0, 400)}`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem.slice(0, 2000)}`);
}

/** What a process tells the one that started it. */
interface Result {
  readonly passed: number;
  readonly failed: number;
}

/** Several processes, each with its part of the seeds. */
async function share(first: number, count: number, jobs: number): Promise<void> {
  const more = asked.bug === undefined ? [] : ['--bug', asked.bug];
  const results: Result[] = [];
  const codes = await Promise.all(
    Array.from({ length: jobs }, (_, job) => {
      const from = first + Math.floor((count * job) / jobs);
      const to = first + Math.floor((count * (job + 1)) / jobs);
      return runSelf(['--seed', String(from), '--seeds', String(to - from), ...more], (result) => results.push(result));
    }),
  );
  const sum = (key: keyof Result): number => results.reduce((total, result) => total + result[key], 0);
  console.log(`all together:\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = Math.max(...codes);
}

/** The same in a process of its own; answers with its exit code. Short-lived objects are many, so they are given more room. */
function runSelf(args: readonly string[], take: (result: Result) => void = () => {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const quiet = bug && !args.includes('--bug');
  const child = spawn(process.execPath, ['--max-semi-space-size=32', import.meta.filename, ...args], {
    stdio: quiet ? 'ignore' : ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', (result) => take(result as Result));
  child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
  return promise;
}
