import type { Cache, CacheEvent, CacheListener } from './cache.ts';

/** Those who are told of a cache's changes. */
export interface Listeners<T> {
  /** Adds one, who is told first what is in the cache. Returns how to take it away. */
  add(listener: CacheListener<T>): () => void;
  /** Takes down who is there now: they, and nobody who comes later, are told of one set of changes. */
  audience(): (event: CacheEvent<T>, key: string) => void;
}

/** @param failed is told what a listener throws, which keeps nobody else from being told */
export function createListeners<T>(cache: Cache<T>, failed: (error: unknown) => void): Listeners<T> {
  let all: readonly Seat<T>[] = [];
  const tell = (seat: Seat<T>, event: CacheEvent<T>, key: string): void => {
    try {
      if (seat.taken) seat.listener(event, key);
    } catch (error) {
      failed(error);
    }
  };
  return {
    add(listener) {
      const seat: Seat<T> = { listener, taken: true };
      all = [...all, seat];
      for (const key of cache.keys()) tell(seat, { type: 'added', object: cache.get(key) as T, initial: true }, key);
      return () => {
        seat.taken = false;
        all = all.filter((each) => each !== seat);
      };
    },
    audience() {
      const seats = all;
      return (event, key) => {
        for (const seat of seats) tell(seat, event, key);
      };
    },
  };
}

interface Seat<T> {
  readonly listener: CacheListener<T>;
  taken: boolean;
}
