/** Runs work for the same key sequentially, in the order of the calls. Different keys do not wait for each other. */
export interface KeyedMutex {
  /** Settles like the work. If work fails, the next one still runs. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Creates a mutex. It stores a key only while work for it runs or waits. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const result = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, result);
      const removeIfLast = (): void => {
        if (last.get(key) === result) last.delete(key);
      };
      result.then(removeIfLast, removeIfLast);
      return result;
    },
  };
}
