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
