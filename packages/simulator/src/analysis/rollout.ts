import type { ApiObject } from 'kube-endpoints/port';
import { planRuns, type RunPlan } from './adversaries.ts';
import { type Check, checkScenario } from './check.ts';
import { checkEnvironment, type Environment } from './environment.ts';
import type { Scenario } from './scenario.ts';
import { type FixPart, findFix } from './search.ts';
import { completeWorld, countPods, shrinkWorld, type World } from './world.ts';

export interface ChangeOptions extends Environment {
  /** The objects of the cluster before the change. Without Nodes, there are three: n1, n2 and n3. */
  readonly objects: readonly ApiObject[];
  /** The number of runs with random delays, besides those of all adversaries. Default: 4 and, if there are many pods, fewer runs of both. */
  readonly seeds?: number;
  /** Whether to search a fix if the change drops requests. Default: true. */
  readonly searchesFix?: boolean;
}

export interface RolloutOptions extends ChangeOptions {
  /** The objects that the change applies. */
  readonly change: readonly ApiObject[];
}

export interface RolloutCheck extends Check {
  /** The smallest change that was found to be safe; undefined if the rollout is safe, or no fix was searched or found. */
  readonly fix?: RolloutFix;
}

export interface RolloutFix {
  readonly parts: readonly FixPart[];
  /** The check of the fixed objects, in a second search. */
  readonly check: Check;
}

/**
 * Checks whether applying objects to a cluster drops requests, within the ranges of all delays.
 * @throws ApiError if an object is invalid
 * @throws RangeError if a field of the environment is
 */
export function checkRollout({ objects, change, ...options }: RolloutOptions): RolloutCheck {
  return checkChange(completeWorld({ objects, change }), options, createRolloutScenario, shrinkWorld);
}

/** Creates the scenario of a world's change. */
export const createRolloutScenario = ({ objects, change }: World): Scenario => ({
  objects,
  change: (cluster) => change.forEach((object) => void cluster.apply(object)),
});

/**
 * Checks a change, and searches a fix if it drops requests.
 * @param shrink returns a smaller world in which the same fixes help, if there is one
 * @throws RangeError if a field of the environment is invalid
 */
export function checkChange(
  world: World,
  { seeds, searchesFix = true, ...environment }: Omit<ChangeOptions, 'objects'>,
  createScenario: (world: World) => Scenario,
  shrink: (world: World) => World | undefined = () => undefined,
): RolloutCheck {
  checkEnvironment(environment);
  const plans = planRuns(seeds ?? 4).slice(
    0,
    seeds === undefined ? Math.max(2, Math.floor(maxSimulatedPods / countPods(world))) : undefined,
  );
  const check: CheckWorld = (candidate, chosen, stopsAtFirst) =>
    checkScenario({ ...createScenario(candidate), ...environment }, chosen, stopsAtFirst);
  const result = check(world, plans);
  if (result.verdict !== 'drops' || !searchesFix) return result;
  const fix = findCheckedFix({ world, small: shrink(world), plans, worst: result.worst.name, check });
  return fix ? { ...result, fix } : result;
}

/** The number of pods in all runs of a check, so that a check takes seconds. Each check has at least two runs. */
const maxSimulatedPods = 500;

type CheckWorld = (world: World, plans: readonly RunPlan[], stopsAtFirst?: boolean) => Check;

interface FixSearch {
  readonly world: World;
  readonly small: World | undefined;
  readonly plans: readonly RunPlan[];
  /** The name of the worst run without a fix. */
  readonly worst: string;
  readonly check: CheckWorld;
}

/**
 * Searches a fix with the runs that are known to drop requests, in the small world first, and checks it with all runs. A run that still drops
 * requests joins the known ones.
 */
function findCheckedFix({ world, small, plans, worst, check }: FixSearch): RolloutFix | undefined {
  const known = new Set([worst]);
  for (let searched = small ?? world; ; ) {
    const knownPlans = plans.filter(({ name }) => known.has(name));
    const found = findFix(searched, (candidate) => check(candidate, knownPlans, true).verdict === 'safe');
    if (found) {
      const checked = check(found.apply(world), plans);
      if (checked.verdict === 'safe') return { parts: found.parts, check: checked };
      const { size } = known;
      known.add(checked.worst.name);
      if (known.size > size) continue;
    }
    if (searched === world) return undefined;
    searched = world;
  }
}
