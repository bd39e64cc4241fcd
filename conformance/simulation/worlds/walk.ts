import type { ClientPort } from 'kube-endpoints/port';
import { createRandom, type Random } from '../../model/random.ts';
import type { Action } from './messages.ts';
import type { SearchResult, Violation } from './search.ts';
import { createUniverse, inspect, type Start, startWorld } from './start.ts';
import type { Universe } from './state.ts';
import type { World } from './world.ts';

export interface WalkOptions {
  readonly walks: number;
  readonly seed: number;
  readonly injectBug?: (port: ClientPort) => ClientPort;
  /** Called before each walk; returns true to end. */
  readonly shouldStop?: () => boolean;
}

/** How many walks begin with the same processes, which then remember what they have done before; more would take too much memory. */
const walksPerUniverse = 200;

/**
 * Goes through a world at random, from the start to a final state, as often as `walks` says: a sample of the interleavings of a world that is too
 * large for a search. Equal states of different walks count each time. The result is that of a search that has not seen all states.
 */
export async function walkWorld(world: World, { walks, seed, injectBug, shouldStop = () => false }: WalkOptions): Promise<SearchResult> {
  const counts = { states: 0, transitions: 0, pruned: 0, finalStates: 0 };
  const behavior = { nodes: 0, inputs: 0, replays: 0 };
  let violation: Violation | undefined;
  for (let first = 0; first < walks && !violation && !shouldStop(); first += walksPerUniverse) {
    const universe = createUniverse(world, injectBug);
    const start = await startWorld(universe, world);
    if (start.problems.length > 0) violation = start;
    for (let walk = first; walk < Math.min(walks, first + walksPerUniverse) && !violation && !shouldStop(); walk++) {
      const { actions, problems } = await walkOnce(universe, world, start, createRandom(seed + walk));
      counts.states += actions.length + 1;
      counts.transitions += actions.length;
      if (problems.length > 0) violation = { problems, actions: [...start.actions, ...actions] };
      else counts.finalStates += 1;
    }
    for (const name of ['nodes', 'inputs', 'replays'] as const) behavior[name] += universe.behavior.stats[name];
  }
  return { ...counts, behavior, isComplete: false, ...(violation && { violation }) };
}

/** Returns the actions until a state has a problem, or is final. */
async function walkOnce(universe: Universe, world: World, { state: first }: Start, random: Random): Promise<Violation> {
  // Some walks have their faults soon after the start, others late, or none. The processes of some are fast, and clients slow.
  const faultChance = random.pick([0.3, 0.1, 0.03, 0.01]);
  const orderChance = random.pick([0, 0.5, 0.9]);
  const labels: string[] = [];
  let faultsLeft = world.maxFaults;
  for (let state = first; ; ) {
    const { actions, isFinal, problems } = inspect(universe, world, state);
    const isFault = faultsLeft > 0 && random.chance(faultChance) && actions.some((action) => action.isFault);
    if (problems.length > 0 || (isFinal && !isFault)) return { problems, actions: labels };
    const candidates = actions.filter((action) => action.isFault === isFault);
    const { label, run } = !isFault && random.chance(orderChance) ? (candidates[0] as Action) : random.pick(candidates);
    labels.push(label);
    faultsLeft -= isFault ? 1 : 0;
    state = await run();
  }
}
