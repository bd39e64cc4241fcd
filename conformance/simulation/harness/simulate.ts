import type { Fleet } from './fleet.ts';
import { comeToRest, type Rest, requireOneOwner } from './rest.ts';
import type { Setting } from './setting.ts';
import { createStage, type Scenery, type Stage } from './stage.ts';
import type { Trace } from './trace.ts';

/** The result of a run. */
export interface Outcome {
  readonly seed: number;
  /** Forbidden actions of controllers, and missing ones. */
  readonly problems: readonly string[];
  readonly trace: Trace;
  readonly steps: number;
  /** The number of writes or calls by controllers. */
  readonly acts: number;
  /** The simulated time, in milliseconds. */
  readonly time: number;
}

export type Simulate = (seed: number) => Promise<Outcome>;

/** The definition of one simulation. */
export interface Simulation<S extends Setting> extends Scenery {
  readonly settingOf: (seed: number) => S;
  readonly plotOf: (stage: Stage<S>) => Plot;
}

/** The events of a simulation. */
export interface Plot extends Rest {
  readonly fleet: Fleet;
  /** Maximum milliseconds between steps: one value for a run, and sometimes another. */
  readonly paces: readonly number[];
  readonly lull: { readonly chance: number; readonly maxMs: number };
  /** Changes the world outside of replicas. */
  readonly happen: () => Promise<void> | void;
}

/** Runs one seed and returns the problems that it found. */
export async function simulateSeed<S extends Setting>(seed: number, simulation: Simulation<S>): Promise<Outcome> {
  const stage = await createStage(simulation.settingOf(seed), simulation);
  const { setting, scheduler, trace, problems, counts } = stage;
  const plot = simulation.plotOf(stage);
  try {
    await play(stage, plot);
    if (problems.length === 0) await comeToRest(stage, plot);
  } finally {
    for (const replica of plot.fleet.alive()) replica.kill();
    await stage.close();
  }
  return { seed, problems, trace, steps: setting.steps, acts: counts.acts, time: scheduler.time };
}

/** Executes random events as the seed decides. */
async function play(stage: Stage, { fleet, paces, lull, happen }: Plot): Promise<void> {
  const { setting, scheduler, problems } = stage;
  const { random, steps, unrest } = setting;
  const pace = random.pick(paces);
  fleet.tend(random, 3000);
  for (let step = 0; step < steps && problems.length === 0; step++) {
    if (random.chance(unrest)) fleet.disturb(random);
    else await happen();
    fleet.tend(random, 20_000);
    await scheduler.settle();
    if (!random.chance(0.3)) await scheduler.advance(random.chance(lull.chance) ? random.below(lull.maxMs) : random.below(pace));
    requireOneOwner(stage, fleet);
  }
}
