import { commit, rollback, type StoreState } from './state.ts';

/**
 * Runs steps that are seen by others all together, or, where one throws, not at all; their revisions are then used again.
 * Within another transaction, only the steps of this one are undone.
 *
 * The steps have to be synchronous: nothing else happens while they run, so that none can read what may yet be undone.
 */
export function transact<T>(state: StoreState, steps: () => T): T {
  const mark = state.log.end;
  state.depth += 1;
  let result: T;
  try {
    result = steps();
    if (typeof (result as { readonly then?: unknown } | null | undefined)?.then === 'function') {
      throw new TypeError('the steps of a transaction have to be synchronous');
    }
  } catch (error) {
    rollback(state, mark);
    throw error;
  } finally {
    state.depth -= 1;
  }
  if (state.depth === 0) commit(state, mark);
  return result;
}
