import { createFrontier, type Entry } from './frontier.ts';
import { hashOf } from './intern.ts';
import { keyOfState } from './key.ts';
import { createUniverse, inspect, startWorld } from './start.ts';
import { historyKeyOf } from './state.ts';
import type { World } from './world.ts';

/** The result of a check of the keys of states. */
export interface KeyCheck {
  /** The number of states: with the same key, too, if their processes have had other inputs. */
  readonly states: number;
  readonly keys: number;
  /** False if the check ended before it had seen all states. */
  readonly isComplete: boolean;
  /** The actions to two states with the same key that do not lead to states with the same keys; absent without a difference. */
  readonly difference?: readonly [readonly string[], readonly string[]];
}

/**
 * Checks that all states of a world that have the same key lead to states with the same keys, are final alike, and have as many problems. Then a
 * search that continues from one of them only finds the same.
 */
export async function checkKeys(world: World, shouldStop: () => boolean = () => false): Promise<KeyCheck> {
  const universe = createUniverse(world);
  const frontier = createFrontier(historyKeyOf);
  const outcomes = new Map<number, { readonly outcome: string; readonly index: number }>();
  const finish = (isComplete: boolean): KeyCheck => ({ states: frontier.size, keys: outcomes.size, isComplete });
  frontier.postpone({ state: (await startWorld(universe, world)).state, parent: -1, label: '' });
  for (let faults = 0; faults <= world.maxFaults; faults++) {
    frontier.startLevel();
    for (let found = frontier.take(); found; found = frontier.take()) {
      if (shouldStop()) return finish(false);
      const { state, index } = found;
      const { actions, isFinal, problems } = inspect(universe, world, state);
      const nextKeys: string[] = [];
      for (const { label, isFault, run } of actions) {
        const entry: Entry = { state: await run(), parent: index, label };
        nextKeys.push(`${isFault} ${hashOf(keyOfState(entry.state))}`);
        if (!isFault) frontier.add(entry);
        else if (faults < world.maxFaults) frontier.postpone(entry);
      }
      const key = hashOf(keyOfState(state));
      const outcome = JSON.stringify([isFinal, problems.length, ...nextKeys.sort()]);
      const other = outcomes.get(key);
      if (!other) outcomes.set(key, { outcome, index });
      else if (other.outcome !== outcome) return { ...finish(false), difference: [frontier.pathTo(other.index), frontier.pathTo(index)] };
    }
  }
  return finish(true);
}
