import { createIntern, hashOf } from './intern.ts';
import type { WorldState } from './state.ts';

/** A state that an action leads to. */
export interface Entry {
  readonly state: WorldState;
  /** The index of the state before the action; -1 for the first state. */
  readonly parent: number;
  readonly label: string;
}

/** A state that a search has found. Indexes count the states from 0, in the order in which they were found. */
export interface FoundState {
  readonly state: WorldState;
  readonly index: number;
}

/** The states that a search has found: those that can be reached with the fewest faults come first. */
export interface Frontier {
  /** The number of entries that were equal to others. */
  readonly pruned: number;
  /** The number of states. */
  readonly size: number;
  /** Adds a state. Returns its index, or that of an equal state. */
  add(entry: Entry): number;
  /** Adds a state that is reached by one fault more, for the next level. */
  postpone(entry: Entry): void;
  /** Removes the next state; undefined if all states with as many faults have been searched. */
  take(): FoundState | undefined;
  /** Continues with the states that were postponed. */
  startLevel(): void;
  /** The actions that led to a state. */
  pathTo(index: number): string[];
}

export function createFrontier(keyOf: (state: WorldState) => string): Frontier {
  const indexes = createHashMap();
  const paths = createPaths();
  let queue: (FoundState | undefined)[] = [];
  let position = 0;
  let postponed: (Entry & { readonly key: string })[] = [];
  let postponedKeys = createHashMap();
  let pruned = 0;
  const addWithKey = ({ state, parent, label }: Entry, key: string): number => {
    const known = indexes.get(key);
    if (known !== undefined) {
      pruned += 1;
      return known;
    }
    const index = paths.add(parent, label);
    indexes.set(key, index);
    queue.push({ state, index });
    return index;
  };
  return {
    get pruned() {
      return pruned;
    },
    get size() {
      return paths.size();
    },
    add: (entry) => addWithKey(entry, keyOf(entry.state)),
    postpone(entry) {
      const key = keyOf(entry.state);
      if (indexes.get(key) !== undefined || postponedKeys.get(key) !== undefined) pruned += 1;
      else {
        postponedKeys.set(key, 0);
        postponed.push({ ...entry, key });
      }
    },
    take() {
      const found = queue[position];
      // Frees the memory of the state.
      queue[position] = undefined;
      position += 1;
      return found;
    },
    startLevel() {
      const entries = postponed;
      [queue, position, postponed, postponedKeys] = [[], 0, [], createHashMap()];
      for (const { key, ...entry } of entries) addWithKey(entry, key);
    },
    pathTo: paths.list,
  };
}

/** The first action that led to each state. */
function createPaths() {
  const parents: number[] = [];
  const labels: number[] = [];
  const labelTexts: string[] = [];
  const intern = createIntern();
  return {
    size: () => parents.length,
    /** Adds a state and returns its index. */
    add(parent: number, label: string): number {
      labels.push(intern(label));
      labelTexts[labels.at(-1) as number] = label;
      return parents.push(parent) - 1;
    },
    list(index: number): string[] {
      const path: string[] = [];
      for (let each = index; each > 0 && parents[each] !== -1; each = parents[each] as number)
        path.push(labelTexts[labels[each] as number] as string);
      return path.reverse();
    },
  };
}

/** Numbers of texts. Stores only a hash of each text. */
function createHashMap() {
  // A map of JavaScript has at most 2^24 elements.
  const shards = Array.from({ length: 64 }, () => new Map<number, number>());
  const shardOf = (hash: number): Map<number, number> => shards[hash % shards.length] as Map<number, number>;
  return {
    get(text: string): number | undefined {
      const hash = hashOf(text);
      return shardOf(hash).get(hash);
    },
    set(text: string, value: number): void {
      const hash = hashOf(text);
      shardOf(hash).set(hash, value);
    },
  };
}
