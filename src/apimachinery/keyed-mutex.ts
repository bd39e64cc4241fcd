/** Runs work for the same key sequentially, in the order of the calls. */
export interface KeyedMutex {
  /** Settles like the promise of `work`. If that fails, the next work of the key still runs. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Creates a mutex. It stores a key only while work for it runs or waits. */
export function createKeyedMutex(): KeyedMutex {
  const lastRuns = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const result = (lastRuns.get(key) ?? Promise.resolve()).then(work, work);
      lastRuns.set(key, result);
      const removeIfLast = (): void => {
        if (lastRuns.get(key) === result) lastRuns.delete(key);
      };
      result.then(removeIfLast, removeIfLast);
      return result;
    },
  };
}
