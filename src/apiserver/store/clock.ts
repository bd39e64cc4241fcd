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

/** The time of the machine. What is scheduled does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(callback, milliseconds) {
    // A longer delay than a timer can hold would be taken for none at all.
    const timer = setTimeout(callback, Math.min(milliseconds, 0x7fffffff));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
