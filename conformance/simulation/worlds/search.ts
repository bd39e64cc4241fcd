import type { ClientPort } from 'kube-endpoints/port';
import type { BehaviorStats } from './behavior.ts';
import { maxActivityMs } from './checks.ts';
import { createFrontier, type Entry, type FoundState } from './frontier.ts';
import { keyOfState } from './key.ts';
import type { Action } from './messages.ts';
import { createRecovery, type Recovery } from './recovery.ts';
import { checkDelivery, findIndependent, type Transition } from './reduce.ts';
import { createUniverse, inspect, startWorld } from './start.ts';
import { historyKeyOf, type WorldState } from './state.ts';
import type { World } from './world.ts';

export interface SearchOptions {
  readonly injectBug?: (port: ClientPort) => ClientPort;
  /** Ends the search after this number of states. */
  readonly maxStates?: number;
  /** Whether to try all actions in every state, instead of a single independent one after the last fault. */
  readonly isFull?: boolean;
  /**
   * Whether states are equal only if all processes have had the same inputs. For processes with a bug, whose caches may not be what they have
   * received.
   */
  readonly comparesInputs?: boolean;
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
  /** The longest time in milliseconds from a change or a fault to a final state; absent if the search is not complete. */
  readonly recoveryMs?: number;
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
  const { isFull = false, maxStates = Number.POSITIVE_INFINITY, shouldStop = () => false } = options;
  const universe = createUniverse(world, options.injectBug);
  const start = await startWorld(universe, world);
  const frontier = createFrontier(options.comparesInputs ? historyKeyOf : keyOfState);
  const recovery = createRecovery();
  const counts = { states: 0, transitions: 0, finalStates: 0 };
  const finish = (result: Pick<SearchResult, 'isComplete' | 'recoveryMs' | 'violation'>): SearchResult => ({
    ...{ ...counts, pruned: frontier.pruned, behavior: universe.behavior.stats },
    ...result,
  });
  const fail = (index: number, problems: readonly string[]): SearchResult =>
    finish({ isComplete: false, violation: { problems, actions: [...start.actions, ...frontier.pathTo(index)] } });
  if (start.problems.length > 0) return finish({ isComplete: false, violation: start });
  frontier.postpone({ state: start.state, parent: -1, label: '' });
  for (let faults = 0; faults <= world.maxFaults; faults++) {
    frontier.startLevel();
    for (let found = frontier.take(); found; found = frontier.take()) {
      const { state, index } = found;
      counts.states += 1;
      const { actions, isFinal, problems } = inspect(universe, world, state);
      counts.finalStates += isFinal ? 1 : 0;
      if (isFinal) options.onFinalState?.(state);
      if (problems.length > 0 && !options.onProblem) return fail(index, problems);
      for (const problem of problems) options.onProblem?.(problem);
      if (problems.length > 0) continue;
      if (counts.states >= maxStates || shouldStop()) return finish({ isComplete: false });
      for await (const { action, next } of expand(world, state, actions, { isLast: faults === world.maxFaults, isFull })) {
        counts.transitions += 1;
        const entry: Entry = { state: next, parent: index, label: action.label };
        if (action.isFault) frontier.postpone(entry);
        else follow(recovery, found, { state: next, index: frontier.add(entry) });
      }
    }
  }
  const { milliseconds, state, isEndless } = recovery.findLongest(frontier.size);
  if (isEndless) return fail(state, ['what happens next leads back to this state, again and again']);
  if (milliseconds > maxActivityMs) return fail(state, [`the state is not final after ${milliseconds / 1000} s`]);
  return finish({ isComplete: true, recoveryMs: milliseconds });
}

/** Adds a step to the recovery, unless a client makes a change with it. */
function follow(recovery: Recovery, from: FoundState, to: FoundState): void {
  if (to.state.clientSteps === from.state.clientSteps) recovery.add(from.index, to.index, to.state.time - from.state.time);
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
