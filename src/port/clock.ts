/** The source of time. Injected, so that tests control when time passes. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after `milliseconds`, unless cancelled first. */
  schedule(callback: () => void, milliseconds: number): ScheduledCall;
}

export interface ScheduledCall {
  cancel(): void;
}

/** A clock that also measures elapsed time. */
export interface SteadyClock extends Clock {
  /** Monotonic milliseconds since an arbitrary moment, with fractions; unaffected by changes of the wall clock. */
  elapsed(): number;
}

/** The system clock. A pending callback keeps the process alive. */
export const systemClock: SteadyClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  schedule(callback, milliseconds): ScheduledCall {
    // setTimeout runs a delay beyond 2^31 - 1 ms at once, so cap it.
    const timer = setTimeout(callback, Math.min(milliseconds, 0x7fffffff));
    return { cancel: () => clearTimeout(timer) };
  },
};
