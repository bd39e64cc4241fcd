import type { ApiObject } from 'kube-endpoints/port';
import { type Check, type CheckOptions, checkScenario } from './check.ts';
import { checkEnvironment, type Environment } from './environment.ts';
import type { Scenario } from './scenario.ts';
import { type FixPart, findFix } from './search.ts';
import { completeWorld, type World } from './world.ts';

export interface ChangeOptions extends Environment {
  /** The objects of the cluster before the change. Without Nodes, there are three: n1, n2 and n3. */
  readonly objects: readonly ApiObject[];
  /** The number of runs with random delays. Default: 4. */
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
  return checkChange(completeWorld({ objects, change }), options, (world) => ({
    objects: world.objects,
    change: (cluster) => world.change.forEach((object) => void cluster.apply(object)),
  }));
}

/** Checks a change, and searches a fix if it drops requests. @throws RangeError if a field of the environment is invalid */
export function checkChange(
  world: World,
  { seeds, searchesFix = true, ...environment }: Omit<ChangeOptions, 'objects'>,
  createScenario: (world: World) => Scenario,
): RolloutCheck {
  checkEnvironment(environment);
  const check = (candidate: World, options: CheckOptions = {}): Check =>
    checkScenario({ ...createScenario(candidate), ...environment }, { ...(seeds !== undefined && { seeds }), ...options });
  const result = check(world);
  if (result.verdict !== 'drops' || !searchesFix) return result;
  let first = result.worst.name;
  const isSafe = (candidate: World): boolean => {
    const { verdict, worst } = check(candidate, { stopAtFirst: true, first });
    if (verdict !== 'safe') first = worst.name;
    return verdict === 'safe';
  };
  const found = findFix(world, isSafe);
  return found ? { ...result, fix: { parts: found.parts, check: check(found.world) } } : result;
}
