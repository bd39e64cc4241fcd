import { planRuns, type RunPlan } from './adversaries.ts';
import type { Drop } from './drop.ts';
import { explainDrops } from './explain.ts';
import { type Run, runScenario, type Scenario } from './scenario.ts';

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
  /** Both orders of extremes and random delays are runs, not a proof: `bounds` if all adversaries ran, `sampled` if only some runs did. */
  readonly searched: 'bounds' | 'sampled';
  readonly runs: readonly RunSummary[];
  /** The run that loses most; the first one if none loses any. */
  readonly worst: WorstRun;
}

export interface WorstRun extends Run {
  readonly name: string;
  /** The drops in sentences. */
  readonly sentences: readonly string[];
}

export interface CheckOptions {
  /** The number of runs with random delays, besides those of the adversaries. Default: 4. */
  readonly seeds?: number;
  /** Ends the search at the first run that drops requests or does not complete the change. */
  readonly stopAtFirst?: boolean;
  /** The name of the run to begin with. */
  readonly first?: string;
}

/** Runs a scenario with all adversaries and with random delays, and returns the worst run. */
export function checkScenario(scenario: Scenario, { seeds = 4, stopAtFirst = false, first }: CheckOptions = {}): Check {
  const plans = planRuns(seeds).toSorted((a, b) => Number(b.name === first) - Number(a.name === first));
  const runs: RunSummary[] = [];
  let worst: { readonly plan: RunPlan; readonly run: Run; readonly summary: RunSummary } | undefined;
  for (const plan of plans) {
    const run = runScenario(scenario, plan.choose());
    const summary = { name: plan.name, drops: run.drops.length, lostMs: sumLosses(run.drops), unfinished: run.unfinished };
    runs.push(summary);
    if (!worst || isWorse(summary, worst.summary)) worst = { plan, run, summary };
    if (stopAtFirst && isBad(summary)) break;
  }
  if (!worst) throw new RangeError('a check needs a run');
  return {
    verdict: verdictOf(runs),
    searched: runs.length === plans.length ? 'bounds' : 'sampled',
    runs,
    worst: { ...worst.run, name: worst.plan.name, sentences: explainDrops(worst.run.drops) },
  };
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
