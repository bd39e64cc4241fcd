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
      const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, turn);
      const leave = (): void => {
        if (last.get(key) === turn) last.delete(key);
      };
      turn.then(leave, leave);
      return turn;
    },
  };
}
