import { hashOf } from './intern.ts';
import { keyOfState } from './key.ts';
import { createUniverse, inspect, startWorld } from './start.ts';
import { historyKeyOf, type WorldState } from './state.ts';
import type { World } from './world.ts';

/** The result of a check of the keys of states. */
export interface KeyCheck {
  /** The number of states: with the same key, too, if their processes have had other inputs. */
  readonly states: number;
  readonly keys: number;
  /** False if the check ended before it had seen all states. */
  readonly isComplete: boolean;
  /** The actions to two states with the same key that do not lead to states with the same keys; absent if there are none. */
  readonly difference?: readonly [readonly string[], readonly string[]];
}

interface Reached {
  readonly state: WorldState;
  readonly path: readonly string[];
}

/**
 * Checks that all states of a world that have the same key lead to states with the same keys, are final alike, and have as many problems. Then a
 * search that goes on from one of them only finds the same.
 */
export async function checkKeys(world: World, shouldStop: () => boolean = () => false): Promise<KeyCheck> {
  const universe = createUniverse(world);
  const start = await startWorld(universe, world);
  const known = new Set<number>();
  const outcomes = new Map<number, { readonly outcome: string; readonly path: readonly string[] }>();
  let level: Reached[] = [{ state: start.state, path: [] }];
  for (let faults = 0; faults <= world.maxFaults; faults++) {
    const queue: Reached[] = [];
    const later: Reached[] = [];
    const add = (reached: Reached): void => {
      const key = hashOf(historyKeyOf(reached.state));
      if (!known.has(key)) queue.push(reached);
      known.add(key);
    };
    level.forEach(add);
    for (let each = queue.pop(); each; each = queue.pop()) {
      if (shouldStop()) return { states: known.size, keys: outcomes.size, isComplete: false };
      const { state, path } = each;
      const { actions, isFinal, problems } = inspect(universe, world, state);
      const nextKeys: string[] = [];
      for (const { label, isFault, run } of actions) {
        const next = await run();
        nextKeys.push(`${isFault} ${hashOf(keyOfState(next))}`);
        if (!isFault) add({ state: next, path: [...path, label] });
        else if (faults < world.maxFaults) later.push({ state: next, path: [...path, label] });
      }
      const key = hashOf(keyOfState(state));
      const outcome = JSON.stringify([isFinal, problems.length, ...nextKeys.sort()]);
      const other = outcomes.get(key);
      if (other && other.outcome !== outcome)
        return { states: known.size, keys: outcomes.size, isComplete: false, difference: [other.path, path] };
      if (!other) outcomes.set(key, { outcome, path });
    }
    level = later;
  }
  return { states: known.size, keys: outcomes.size, isComplete: true };
}
