import { createContext, type InitialState, type SimulationContext } from './context.ts';
import { type FinalPhaseOptions, requireOneOwner, runFinalPhase } from './final-phase.ts';
import type { Fleet } from './fleet.ts';
import type { Settings } from './settings.ts';
import type { Trace } from './trace.ts';

/** The result of a run. */
export interface Outcome {
  readonly seed: number;
  /** Forbidden and missing actions of controllers. */
  readonly problems: readonly string[];
  readonly trace: Trace;
  readonly steps: number;
  /** The number of writes or calls by controllers. */
  readonly actionCount: number;
  /** The simulated time, in milliseconds. */
  readonly time: number;
}

export type Simulate = (seed: number) => Promise<Outcome>;

/** The definition of one simulation. */
export interface Simulation<S extends Settings> extends InitialState {
  readonly createSettings: (seed: number) => S;
  readonly createScenario: (context: SimulationContext<S>) => Scenario;
}

/** The random events of a simulation, and its last phase. */
export interface Scenario extends FinalPhaseOptions {
  readonly fleet: Fleet;
  /** Candidates for the maximum pause between two steps; each run picks one. */
  readonly maxPausesMs: readonly number[];
  /** Replaces a pause with the probability `chance`. */
  readonly longPause: { readonly chance: number; readonly maxMs: number };
  /** Makes a random change in the cluster, as another client. */
  readonly changeCluster: () => Promise<void> | void;
}

/** Runs one seed and returns the problems that it found. */
export async function simulateSeed<S extends Settings>(seed: number, simulation: Simulation<S>): Promise<Outcome> {
  const context = await createContext(simulation.createSettings(seed), simulation);
  const { settings, scheduler, trace, problems, counts } = context;
  const scenario = simulation.createScenario(context);
  try {
    await runSteps(context, scenario);
    if (problems.length === 0) await runFinalPhase(context, scenario);
  } finally {
    for (const replica of scenario.fleet.liveReplicas()) replica.kill();
    await context.close();
  }
  return { seed, problems, trace, steps: settings.stepCount, actionCount: counts.actionCount, time: scheduler.time };
}

/** Runs the random steps of a seed. */
async function runSteps(context: SimulationContext, { fleet, maxPausesMs, longPause, changeCluster }: Scenario): Promise<void> {
  const { settings, scheduler, problems } = context;
  const { random, stepCount, disturbanceRate } = settings;
  const maxPauseMs = random.pick(maxPausesMs);
  fleet.replaceMissing(random, 3000);
  for (let step = 0; step < stepCount && problems.length === 0; step++) {
    if (random.chance(disturbanceRate)) fleet.disturb(random);
    else await changeCluster();
    fleet.replaceMissing(random, 20_000);
    await scheduler.settle();
    if (!random.chance(0.3))
      await scheduler.advance(random.chance(longPause.chance) ? random.below(longPause.maxMs) : random.below(maxPauseMs));
    requireOneOwner(context, fleet);
  }
}
