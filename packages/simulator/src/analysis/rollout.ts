import type { ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../cluster/cluster.ts';
import { type Check, type CheckOptions, checkScenario } from './check.ts';
import { checkEnvironment, type Environment } from './environment.ts';
import type { Scenario } from './scenario.ts';
import { type FixPart, findFix } from './search.ts';
import { completeWorld, type World } from './world.ts';

export interface RolloutOptions extends Environment {
  /** The objects of the cluster before the change. Without Nodes, there are three. */
  readonly objects: readonly ApiObject[];
  /** The objects that the change applies. */
  readonly change: readonly ApiObject[];
  /** The number of runs with random delays. Default: 4. */
  readonly seeds?: number;
  /** Whether to search a fix if the change drops requests. Default: true. */
  readonly searchesFix?: boolean;
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
export function checkRollout({ objects, change, seeds, searchesFix = true, ...environment }: RolloutOptions): RolloutCheck {
  checkEnvironment(environment);
  const world = completeWorld({ objects, change });
  const options: CheckOptions = seeds === undefined ? {} : { seeds };
  const check = checkScenario(createScenario(world, environment), options);
  if (check.verdict !== 'drops' || !searchesFix) return check;
  let first = check.worst.name;
  const isSafe = (candidate: World): boolean => {
    const { verdict, worst } = checkScenario(createScenario(candidate, environment), { ...options, stopAtFirst: true, first });
    if (verdict !== 'safe') first = worst.name;
    return verdict === 'safe';
  };
  const found = findFix(world, isSafe);
  if (!found) return check;
  return { ...check, fix: { parts: found.parts, check: checkScenario(createScenario(found.world, environment), options) } };
}

const createScenario = ({ objects, change }: World, environment: Environment): Scenario => ({
  ...environment,
  objects,
  change: (cluster: Cluster) => change.forEach((object) => void cluster.apply(object)),
});
