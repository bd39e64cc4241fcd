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
  const indexes = createNumberMap();
  const paths = createPaths();
  let queue: (FoundState | undefined)[] = [];
  let position = 0;
  let postponed = new Map<number, Entry>();
  let pruned = 0;
  const hashOfState = (state: WorldState): number => hashOf(keyOf(state));
  const addWithHash = ({ state, parent, label }: Entry, hash: number): number => {
    const known = indexes.get(hash);
    if (known !== undefined) {
      pruned += 1;
      return known;
    }
    const index = paths.add(parent, label);
    indexes.set(hash, index);
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
    add: (entry) => addWithHash(entry, hashOfState(entry.state)),
    postpone(entry) {
      const hash = hashOfState(entry.state);
      if (indexes.get(hash) !== undefined || postponed.has(hash)) pruned += 1;
      else postponed.set(hash, entry);
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
      [queue, position, postponed] = [[], 0, new Map()];
      for (const [hash, entry] of entries) addWithHash(entry, hash);
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

/** Numbers by hash, of which there may be more than the 2^24 elements of a map of JavaScript. */
function createNumberMap() {
  const shards = Array.from({ length: 64 }, () => new Map<number, number>());
  const shardOf = (hash: number): Map<number, number> => shards[hash % shards.length] as Map<number, number>;
  return {
    get: (hash: number): number | undefined => shardOf(hash).get(hash),
    set: (hash: number, value: number): void => void shardOf(hash).set(hash, value),
  };
}
