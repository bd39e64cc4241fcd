import { parseArgs } from 'node:util';
import { DEFAULT_RELEASE, reasonForNoCluster } from '../cluster.ts';
import { reasonToSkip } from '../proxy/probe.ts';
import { type Case, createCase, createFixCases } from './cases.ts';
import { formatInterval, formatSeconds, type Interval, judge, mergeDrops } from './judge.ts';
import { type Machine, startMachine } from './machine.ts';
import { type Prediction, predict, predictDrops } from './prediction.ts';
import { rows } from './rows.ts';
import type { Trial } from './trial.ts';

/**
 * Usage: run.ts [TEXT...] [--rows N] [--jobs 1] [--rate 500] [--predict]. Makes changes in a real cluster, with real processes, rules and requests, whose
 * delays are injected, and compares the requests that fail with those that the simulator predicts. TEXT selects the rows whose names contain it,
 * --rows the first N; --jobs rows run at a time, and share --rate requests per second. --predict makes only the predictions.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: String(rows.length) },
    jobs: { type: 'string', default: '1' },
    rate: { type: 'string', default: '500' },
    predict: { type: 'boolean', default: false },
  },
});

/** A trial in which the machine was too slow is repeated; a case has at most so many trials. */
const maxTries = 6;

/** The least part of the requests that clients have to send. */
const minShareSent = 0.5;

/** Requests per second of one row. */
const rate = Number(values.rate) / Number(values.jobs);

interface Report {
  readonly predicted: string;
  readonly observed: string;
  readonly problems: readonly string[];
}

let passed = 0;
let failed = 0;
let trials = 0;
process.exitCode = await main();

async function main(): Promise<number> {
  const reason = values.predict ? undefined : (reasonForNoCluster(DEFAULT_RELEASE) ?? reasonToSkip('nftables'));
  if (reason !== undefined) {
    console.log(`rollouts in a real cluster skipped: ${reason}`);
    if (process.env['CI'] === 'true') failed += 1;
  } else {
    await runCases();
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function runCases(): Promise<void> {
  const machine = values.predict ? undefined : await startMachine(DEFAULT_RELEASE);
  const isSelected = (name: string): boolean => positionals.length === 0 || positionals.some((text) => name.includes(text));
  const cases = listCases(isSelected);
  const runNext = async (): Promise<void> => {
    for (const each of cases) print(each, await runCase(each, machine));
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, runNext));
  await machine?.stop();
}

/** The cases of the selected rows. The fix of a row is searched when its turn comes. */
function* listCases(isSelected: (name: string) => boolean): Generator<Case> {
  for (const row of rows.filter(({ name }) => isSelected(name)).slice(0, Number(values.rows))) {
    yield createCase(row);
    if (row.expected === 'drops') yield* createFixCases(row);
  }
}

function print({ name }: Case, { predicted, observed, problems }: Report): void {
  if (problems.length === 0) passed += 1;
  else failed += 1;
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name}: ${predicted}${observed}`);
  for (const problem of problems) console.log(`       ${problem}`);
}

/** Predicts a case, and runs it until the machine was fast enough. */
async function runCase(each: Case, machine: Machine | undefined): Promise<Report> {
  const prediction = predict(each.row, each.createObjects('row'));
  const { verdict, adversary } = prediction;
  const predicted = verdict === 'safe' ? 'safe' : `${verdict} with "${adversary}"`;
  const problems = verdict === each.expected ? [] : [`the simulator says "${verdict}", the table "${each.expected}"`];
  if (!machine) return { predicted, observed: '', problems };
  for (let tries = 1; ; tries += 1) {
    const trial = await runTrial(each, adversary, machine).catch((error: Error) => error);
    if (trial instanceof Error) return { predicted, observed: '', problems: [...problems, trial.message] };
    const message = describeSlowness(trial);
    if (message === undefined) {
      const { observed, contradictions } = compare(each, prediction, trial);
      return { predicted, observed, problems: [...problems, ...contradictions] };
    }
    if (tries === maxTries)
      return { predicted, observed: '', problems: [...problems, `not judged: ${message} in the last of ${tries} trials`] };
    console.log(`again  ${each.name}: ${message}`);
  }
}

/** Why the machine was too slow to judge a trial; undefined if it was not. */
function describeSlowness({ lateness: { what, ms, share }, sent, duration }: Trial): string | undefined {
  if (share > 1) return `${what} was ${Math.round(ms)} ms late`;
  return sent < (minShareSent * rate * duration) / 1000 ? `the clients sent only ${sent} requests` : undefined;
}

async function runTrial({ row, createObjects }: Case, adversary: string, machine: Machine): Promise<Trial> {
  trials += 1;
  return await machine.run({ row, objects: createObjects(`row${trials}`), index: trials % 150, adversary, rate });
}

function compare(
  { row, createObjects, expected }: Case,
  { adversary }: Prediction,
  trial: Trial,
): { observed: string; contradictions: string[] } {
  const { since, sent, failures, lateness } = trial;
  const conditions = { adversary, phaseMs: since % 1000, machineShare: lateness.share };
  const intervals = expected === 'safe' ? [] : mergeDrops(predictDrops(row, createObjects('row'), conditions), rate / 2);
  const machinePart = `the machine up to ${Math.round(lateness.ms)} ms late (${lateness.what})`;
  return {
    observed: `; ${failures.length} of ${sent} failed${formatTimes(trial)}${formatIntervals(intervals)}; ${machinePart}`,
    contradictions: [...judge(intervals, trial), ...(expected === 'drops' && failures.length === 0 ? ['no request failed'] : [])],
  };
}

function formatTimes({ failures, since }: Trial): string {
  const times = failures.map(({ start }) => start - since);
  return times.length === 0 ? '' : ` at ${formatSeconds(Math.min(...times))}–${formatSeconds(Math.max(...times))} s`;
}

function formatIntervals(intervals: readonly Interval[]): string {
  return intervals.length === 0 ? '' : `, predicted ${intervals.map(formatInterval).join(', ')}`;
}
