import { adversaries, type RunPlan } from './adversaries.ts';
import type { Drop } from './drop.ts';
import { explainDrops } from './explain.ts';
import { findMinReadyWait } from './min-ready.ts';
import type { Proof } from './proof/proof.ts';
import { type Run, runScenario, type Scenario, type Start, startScenario } from './scenario.ts';

/** The result of one run of a search. */
export interface RunSummary {
  /** The name of an adversary, or "seed 1". */
  readonly name: string;
  readonly drops: number;
  /** The time in milliseconds that all connections of all clients would have to fail for the same loss. */
  readonly lostMs: number;
  readonly unfinished: readonly string[];
}

export interface Check {
  /** `safe` if no run drops requests and all runs complete the change. */
  readonly verdict: 'safe' | 'drops' | 'unfinished';
  /** Runs are no proof. `bounds`: all adversaries ran. `sampled`: only some did, because the world is large. */
  readonly searched: 'bounds' | 'sampled';
  /** If the verdict is `safe`: whether a proof covers every order of events, which runs cannot. Absent for a scenario. */
  readonly proof?: Proof;
  readonly runs: readonly RunSummary[];
  /** The run that loses most; the first one if none loses any. */
  readonly worst: WorstRun;
  /** The steps of a scenario, and the starts and ends of its faults and rules, in order. `at` is in milliseconds since its start. */
  readonly steps?: readonly { readonly at: number; readonly summary: string }[];
}

export interface WorstRun extends Run {
  readonly name: string;
  /** The drops in sentences. */
  readonly sentences: readonly string[];
}

/**
 * Runs a scenario with several choices of delays, and returns the worst run.
 * @param plans at least one
 * @param stopsAtFirst whether the first run ends the check that drops requests or does not complete the change
 */
export function checkScenario(scenario: Scenario, plans: readonly RunPlan[], stopsAtFirst = false): Check {
  const start = startScenario(scenario);
  const runs: RunSummary[] = [];
  let worst: { readonly plan: RunPlan; readonly run: Run; readonly summary: RunSummary } | undefined;
  for (const plan of plans) {
    const { run, summary } = runPlan(scenario, start, plan);
    runs.push(summary);
    if (!worst || isWorse(summary, worst.summary)) worst = { plan, run, summary };
    if (stopsAtFirst && isBad(summary)) break;
  }
  if (!worst) throw new RangeError('a check needs a run');
  const verdict = verdictOf(runs);
  return {
    verdict,
    searched: adversaries.every(({ name }) => runs.some((run) => run.name === name)) ? 'bounds' : 'sampled',
    ...(verdict === 'safe' && scenario.prove && { proof: scenario.prove(start, scenario) }),
    runs,
    worst: { ...worst.run, name: worst.plan.name, sentences: explainDrops(worst.run.drops) },
  };
}

/**
 * Runs a plan from a whole second. If no request fails, and it waits for `minReadySeconds`, runs it again from the time at which that wait is shortest:
 * it counts from a time in whole seconds, so it is almost a second shorter for a pod that becomes ready at the end of a second.
 */
function runPlan(scenario: Scenario, start: Start, plan: RunPlan): { readonly run: Run; readonly summary: RunSummary } {
  const runFrom = (phaseMs: number): ReturnType<typeof runPlan> => {
    const run = runScenario(scenario, start, plan.choose(), phaseMs);
    return { run, summary: { name: plan.name, drops: run.drops.length, lostMs: sumLosses(run.drops), unfinished: run.unfinished } };
  };
  const whole = runFrom(0);
  const readyAt = isBad(whole.summary) ? undefined : findMinReadyWait(whole.run);
  if (readyAt === undefined) return whole;
  const late = runFrom(999 - ((readyAt - whole.run.since) % 1000));
  return isWorse(late.summary, whole.summary) ? late : whole;
}

function verdictOf(runs: readonly RunSummary[]): Check['verdict'] {
  if (runs.some(({ drops }) => drops > 0)) return 'drops';
  return runs.some(({ unfinished }) => unfinished.length > 0) ? 'unfinished' : 'safe';
}

const isBad = ({ drops, unfinished }: RunSummary): boolean => drops > 0 || unfinished.length > 0;

function isWorse(a: RunSummary, b: RunSummary): boolean {
  if (a.drops > 0 !== b.drops > 0) return a.drops > 0;
  return a.drops > 0 ? a.lostMs > b.lostMs : a.unfinished.length > b.unfinished.length;
}

/** A cut loses no time: each cut process counts as a millisecond. */
const sumLosses = (drops: readonly Drop[]): number =>
  drops.reduce((sum, { from, to, share, pods }) => sum + (share === undefined ? pods.length : (to - from) * share), 0);
