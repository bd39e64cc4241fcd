import type { Clock } from 'kube-endpoints/port';

/** Who works on the same thing, one after the other. */
export interface Turns {
  /** Resolves when those before have ended. */
  take(key: string, id: string): Promise<void>;
  /** Ends a turn, even one that has not begun. */
  end(id: string): void;
}

/** @param longest milliseconds after which a turn that nobody ends is over */
export function createTurns(clock: Clock, longest: number): Turns {
  const last = new Map<string, Promise<void>>();
  const ends = new Map<string, () => void>();
  return {
    take(key, id) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const before = last.get(key) ?? Promise.resolve();
      const over = before.then(() => ended);
      last.set(key, over);
      ends.set(id, end);
      void over.then(() => {
        if (last.get(key) === over) last.delete(key);
        if (ends.get(id) === end) ends.delete(id);
      });
      return before.then(() => {
        const alarm = clock.schedule(end, longest);
        void ended.then(() => alarm.cancel());
      });
    },
    end: (id) => ends.get(id)?.(),
  };
}
