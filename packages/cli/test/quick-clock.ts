import type { SteadyClock } from 'kube-endpoints/port';

/** A clock whose time passes only by pauses, each of which ends at once, and by `pass`. */
export interface QuickClock extends SteadyClock {
  pass(milliseconds: number): void;
}

/** @param maxPauseMs a longer pause, such as a time limit, never ends */
export function createQuickClock(maxPauseMs = 1000): QuickClock {
  let time = 0;
  return {
    now: () => time,
    elapsed: () => time,
    pass(milliseconds) {
      time += milliseconds;
    },
    schedule(callback, milliseconds) {
      if (milliseconds > maxPauseMs) return { cancel: () => undefined };
      const immediate = setImmediate(() => {
        time += milliseconds;
        callback();
      });
      return { cancel: () => clearImmediate(immediate) };
    },
  };
}
