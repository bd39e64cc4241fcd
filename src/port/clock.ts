/** Where time comes from. Handed in, so that a test decides when it passes. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after so many milliseconds, unless it is cancelled before. */
  schedule(callback: () => void, milliseconds: number): ScheduledCall;
}

export interface ScheduledCall {
  cancel(): void;
}

/** A clock that also tells how much time has passed. */
export interface SteadyClock extends Clock {
  /** Milliseconds since some moment in the past, with fractions; moves on evenly, whatever is done to the time of day. */
  elapsed(): number;
}

/** The time of the machine. What is scheduled keeps the process alive. */
export const systemClock: SteadyClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  schedule(callback, milliseconds): ScheduledCall {
    // A longer delay than a timer can hold would be taken for none at all.
    const timer = setTimeout(callback, Math.min(milliseconds, 0x7fffffff));
    return { cancel: () => clearTimeout(timer) };
  },
};
