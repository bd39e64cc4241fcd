/** Lets one at a time work on a key, in the order in which they came. */
export interface Locks {
  /** Runs when all have ended that came before with this key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many keys are worked on or waited for. */
  readonly size: number;
}

export function createLocks(): Locks {
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = tails.get(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      tails.set(key, promise);
      try {
        await before;
        return await work();
      } finally {
        if (tails.get(key) === promise) tails.delete(key);
        resolve();
      }
    },
    get size() {
      return tails.size;
    },
  };
}
