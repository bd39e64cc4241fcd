import type { Store } from '../store/index.ts';

/** Runs synchronous steps on the store; of a dry run, nothing remains but the answer. */
export function runSteps<T>(store: Store, dryRun: boolean, steps: () => T): T {
  if (!dryRun) return steps();
  let outcome: { readonly result: T } | undefined;
  const rehearsed = new Error('this was a dry run');
  try {
    store.transaction(() => {
      outcome = { result: steps() };
      throw rehearsed;
    });
  } catch (error) {
    if (error !== rehearsed) throw error;
  }
  return (outcome as unknown as { readonly result: T }).result;
}
