import type { ClientPort } from 'kube-endpoints/port';
import type { BehaviorStats } from './behavior.ts';
import { createIntern } from './intern.ts';
import type { Action } from './messages.ts';
import { checkDelivery, findIndependent, type Transition } from './reduce.ts';
import { createUniverse, inspect, startWorld } from './start.ts';
import { keyOfState, type WorldState } from './state.ts';
import type { World } from './world.ts';

export interface SearchOptions {
  readonly injectBug?: (port: ClientPort) => ClientPort;
  /** Ends the search after this number of states. */
  readonly maxStates?: number;
  /** Whether to try all actions in every state, instead of a single independent one after the last fault. */
  readonly isFull?: boolean;
  /** Called for each state in which nothing can happen any more. */
  readonly onFinalState?: (state: WorldState) => void;
  /** Called for each problem; then the search continues with other states. Without it, the search ends with the first problem. */
  readonly onProblem?: (problem: string) => void;
  /** Called from time to time; returns true to end the search. */
  readonly shouldStop?: () => boolean;
}

export interface SearchResult {
  /** The number of distinct states. */
  readonly states: number;
  /** The number of actions that were tried. */
  readonly transitions: number;
  /** The number of actions that led to a state that was known already. */
  readonly pruned: number;
  /** The number of states in which nothing can happen any more. */
  readonly finalStates: number;
  readonly behavior: BehaviorStats;
  /** False if the search ended before it had seen all states. */
  readonly isComplete: boolean;
  readonly violation?: Violation;
}

export interface Violation {
  readonly problems: readonly string[];
  /** The actions that lead to the problem, with as few faults as possible, and in a full search then as few actions as possible. */
  readonly actions: readonly string[];
}

/** Searches all states of a world: those that can be reached with the fewest faults first. */
export async function searchWorld(world: World, options: SearchOptions = {}): Promise<SearchResult> {
  const universe = createUniverse(world, options.injectBug);
  const start = await startWorld(universe, world);
  const paths = createPaths();
  const counts = { states: 0, transitions: 0, pruned: 0, finalStates: 0 };
  const finish = (isComplete: boolean, violation?: Violation): SearchResult => ({
    ...{ ...counts, behavior: universe.behavior.stats, isComplete },
    ...(violation && { violation }),
  });
  const { isFull = false, maxStates = Number.POSITIVE_INFINITY, shouldStop = () => false } = options;
  const known = createHashSet();
  let level: Entry[] = [{ state: start.state, parent: -1, label: '' }];
  if (start.problems.length > 0) return finish(false, start);
  for (let faults = 0; faults <= world.maxFaults; faults++) {
    const queue = level.filter(({ state }) => known.add(keyOfState(state)));
    const later = createHashSet();
    counts.pruned += level.length - queue.length;
    level = [];
    for (let position = 0; position < queue.length; position++) {
      const { state, parent, label } = queue[position] as Entry;
      // Frees the memory of the state.
      delete queue[position];
      const index = paths.add(parent, label);
      counts.states += 1;
      const { actions, isFinal, problems } = inspect(universe, world, state);
      if (isFinal) {
        counts.finalStates += 1;
        options.onFinalState?.(state);
      }
      if (problems.length > 0 && !options.onProblem) return finish(false, { problems, actions: [...start.actions, ...paths.list(index)] });
      for (const problem of problems) options.onProblem?.(problem);
      if (problems.length > 0) continue;
      if (counts.states >= maxStates || shouldStop()) return finish(false);
      for await (const { action, next } of expand(world, state, actions, { isLast: faults === world.maxFaults, isFull })) {
        counts.transitions += 1;
        const key = keyOfState(next);
        const entry: Entry = { state: next, parent: index, label: action.label };
        if (action.isFault ? !known.has(key) && later.add(key) : known.add(key)) (action.isFault ? level : queue).push(entry);
        else counts.pruned += 1;
      }
    }
  }
  return finish(true);
}

/** Runs the actions of a state. After the last fault, and unless the search is full, only one of them if it is independent of the others. */
async function* expand(
  world: World,
  state: WorldState,
  actions: readonly Action[],
  { isLast, isFull }: { readonly isLast: boolean; readonly isFull: boolean },
): AsyncGenerator<Transition> {
  const independent = isLast && !isFull ? await findIndependent(world, state, actions) : undefined;
  if (independent) {
    checkDelivery(state, independent);
    yield independent;
    return;
  }
  for (const action of actions) {
    if (action.isFault && isLast) continue;
    const transition = { action, next: await action.run() };
    if (isLast && !isFull) checkDelivery(state, transition);
    yield transition;
  }
}

interface Entry {
  readonly state: WorldState;
  /** The index of the state before the action. */
  readonly parent: number;
  readonly label: string;
}

/** The first action that led to each state. */
function createPaths() {
  const parents: number[] = [];
  const labels: number[] = [];
  const labelTexts: string[] = [];
  const intern = createIntern();
  return {
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

/** A set of texts that stores only a hash of 52 bits of each. */
function createHashSet() {
  // A set of JavaScript has at most 2^24 elements.
  const shards = Array.from({ length: 64 }, () => new Set<number>());
  const hashOf = (text: string): number => {
    let [high, low] = [0x811c9dc5, 0x9e3779b1];
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul((low ^ code) + (low >>> 15), 0x85ebca6b);
    }
    return ((high ^ (high >>> 13)) >>> 0) * 0x100000 + ((low ^ (low >>> 16)) & 0xfffff);
  };
  const shardOf = (hash: number): Set<number> => shards[hash % shards.length] as Set<number>;
  return {
    has(text: string): boolean {
      const hash = hashOf(text);
      return shardOf(hash).has(hash);
    },
    /** Returns whether the text was not in the set. */
    add(text: string): boolean {
      const hash = hashOf(text);
      const shard = shardOf(hash);
      const { size } = shard;
      return shard.add(hash).size > size;
    },
  };
}
