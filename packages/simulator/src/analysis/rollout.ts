import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { planRuns, type RunPlan } from './adversaries.ts';
import { type Check, checkScenario } from './check.ts';
import { completeWorld } from './complete-world.ts';
import { checkEnvironment, type Environment } from './environment.ts';
import { type Proof, proveChange } from './proof/proof.ts';
import { reduceWorld, withoutOtherWorkloads } from './reduce.ts';
import { findReleaseFix, type ReleaseFix } from './release-fix.ts';
import { type Scenario, startScenario } from './scenario.ts';
import { type FixPart, type FoundFix, findFix, listFixes } from './search.ts';
import type { TimedRule } from './simulation/keep-out.ts';
import { countPods, type World } from './world.ts';

export interface ChangeOptions extends Environment {
  /** The objects of the cluster before the change. Without Nodes, there are three, n1, n2 and n3, or more if pods exclude each other. */
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
  /** The smallest change that is safe, if possible for every order of events; undefined if the rollout is safe, or no fix was searched or found. */
  readonly fix?: RolloutFix;
  /** A later release of kube-proxy that prevents drops, too, if the environment gives a release. */
  readonly releaseFix?: ReleaseFix;
  /** Override rules that prevent drops of a scenario, too, for pods that its steps take out of a load balancer. */
  readonly ruleFix?: RuleFix;
  /** What was tried if no fix was found, for example "a preStop sleep"; absent if none was searched. */
  readonly triedFixes?: readonly string[];
  /** The world of the runs if it is smaller than the given one. */
  readonly reduced?: Size & { readonly from: Size };
}

interface Size {
  readonly pods: number;
  readonly nodes: number;
}

export interface RolloutFix {
  readonly parts: readonly FixPart[];
  /** The check of the fixed objects, in a second search. */
  readonly check: Check;
}

export interface RuleFix {
  /** More items of the field `rules` of the scenario. */
  readonly rules: readonly TimedRule[];
  /** The check of the scenario with them. */
  readonly check: Check;
}

/**
 * Checks whether applying objects to a cluster drops requests, within the ranges of all delays.
 * @throws ApiError if an object is invalid
 * @throws RangeError if a field of the environment is
 */
export function checkRollout({ objects, change, ...options }: RolloutOptions): RolloutCheck {
  return checkChange(completeWorld({ objects, change }), options, createRolloutScenario, true);
}

/** Creates the scenario of a world's change. */
export const createRolloutScenario = ({ objects, change }: World): Scenario => ({
  objects,
  actions: [{ at: 0, run: ({ cluster }) => change.forEach((object) => void cluster.apply(object)) }],
  prove: (start, environment) => {
    const changed = change.filter((object) => !objects.some((before) => deepEqual(before, object)));
    return proveChange({ objects: start.objects, change: changed, drained: [] }, environment);
  },
});

/**
 * Checks a change, and searches a fix if it drops requests.
 * @param isReducible whether a smaller world can stand for it
 * @throws RangeError if a field of the environment is invalid
 */
export function checkChange(
  given: World,
  { seeds, searchesFix = true, ...environment }: Omit<ChangeOptions, 'objects'>,
  createScenario: (world: World) => Scenario,
  isReducible = false,
): RolloutCheck {
  checkEnvironment(environment);
  const reduced = isReducible && seeds === undefined ? reduceLargeWorld(given) : undefined;
  const world = reduced ?? given;
  const allPlans = planRuns(seeds ?? 4);
  const plans = seeds === undefined ? allPlans.slice(0, Math.max(2, Math.floor(maxSimulatedPods / countPods(world)))) : allPlans;
  const isSampled = plans.length < allPlans.length;
  const create = (candidate: World, settings: Environment = environment): Scenario => {
    const scenario = { ...createScenario(candidate), ...settings };
    return reduced ? { ...scenario, prove: withoutWholeCluster(scenario.prove) } : scenario;
  };
  const check: CheckWorld = (candidate, chosen, stopsAtFirst = isSampled) => checkScenario(create(candidate), chosen, stopsAtFirst);
  const prove: ProveWorld = (candidate) => {
    const scenario = create(candidate);
    return scenario.prove?.(startScenario(scenario), scenario);
  };
  const result = { ...check(world, plans), ...(reduced && { reduced: { ...sizeOf(reduced), from: sizeOf(given) } }) };
  if (result.verdict !== 'drops' || !searchesFix) return result;
  const fix = findCheckedFix({ worlds: isReducible ? listWorlds(world) : [world], plans, worst: result.worst.name, check, prove });
  const releaseFix = findReleaseFix(environment, (settings) => checkScenario(create(world, settings), plans, isSampled));
  return { ...result, ...(fix ? { fix } : { triedFixes: listFixes(world) }), ...(releaseFix && { releaseFix }) };
}

/** The number of pods in all runs of a check, so that a check takes seconds. Each check has at least two runs, unless the first drops requests. */
const maxSimulatedPods = 160;

/** A world with more pods or nodes is reduced: it then has four runs, and further adversaries find more than further pods do. */
const maxPods = 40;

function reduceLargeWorld(world: World): World | undefined {
  if (!reduceWorld(world, maxPods)) return undefined;
  const relevant = withoutOtherWorkloads(world);
  return reduceWorld(relevant, maxPods) ?? relevant;
}

const sizeOf = (world: World): Size => ({ pods: countPods(world), nodes: world.objects.filter(({ kind }) => kind === 'Node').length });

/** Worlds of growing sizes, the last of which is the given one. */
const listWorlds = (world: World): readonly World[] => [...smallSizes.flatMap((pods) => reduceWorld(world, pods) ?? []), world];

/** The first one has the least replicas of each workload. */
const smallSizes = [1, 40, 120];

type CheckWorld = (world: World, plans: readonly RunPlan[], stopsAtFirst?: boolean) => Check;

/** Proves a change without a run. */
type ProveWorld = (world: World) => Proof | undefined;

/** A smaller cluster has no proof for the whole one. */
const withoutWholeCluster =
  (prove: Scenario['prove']): Scenario['prove'] =>
  (start, environment) => {
    const proof = prove?.(start, environment) ?? { holds: false, sentences: [] };
    const sentences = [...(proof.holds ? [] : proof.sentences), 'a smaller cluster stands for the whole one'];
    return { ...proof, holds: false, sentences, ...(proof.holds && { shortMs: 0 }) };
  };

interface FixSearch {
  /** The last one is the whole world. */
  readonly worlds: readonly World[];
  readonly plans: readonly RunPlan[];
  /** The name of the worst run without a fix. */
  readonly worst: string;
  readonly check: CheckWorld;
  readonly prove: ProveWorld;
}

/**
 * Searches a fix with the runs that are known to drop requests, in the smallest world first, and checks it with all runs of the whole one. A run
 * that still drops requests joins the known ones; if it is known already, the world is too small. If only time is missing for a proof, pods end later by
 * whole seconds.
 */
function findCheckedFix({ worlds, plans, worst, check, prove }: FixSearch): RolloutFix | undefined {
  const whole = worlds.at(-1) as World;
  const known = new Set([worst]);
  let found: FoundFix | undefined;
  for (const world of worlds)
    for (let size = 0; size < known.size; ) {
      size = known.size;
      const knownPlans = plans.filter(({ name }) => known.has(name));
      found = findFix(world, (candidate) => check(candidate, knownPlans, true).verdict === 'safe', found);
      if (!found) break;
      const { shortMs } = prove(found.apply(whole)) ?? {};
      const later = shortMs === undefined ? undefined : found.endLater(Math.ceil(shortMs / 1000));
      for (const { parts, apply } of later ? [later, found] : [found]) {
        const checked = check(apply(whole), plans);
        if (checked.verdict !== 'safe') known.add(checked.worst.name);
        else if (parts === found.parts || checked.proof?.holds || checked.proof?.shortMs === 0) return { parts, check: checked };
      }
    }
  return undefined;
}
