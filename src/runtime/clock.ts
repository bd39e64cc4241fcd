import type { Clock, ScheduledCall } from '../port/index.ts';

/** Time as the runtime needs it: delays are told by a time that nobody sets. */
export interface RuntimeClock extends Clock {
  /** Milliseconds since some moment in the past; moves on evenly, whatever is done to the time of day. */
  elapsed(): number;
}

/** The time of the machine. What is scheduled keeps the process alive. */
export const systemClock: RuntimeClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  schedule(callback, milliseconds): ScheduledCall {
    // A longer delay than a timer can hold would be taken for none at all.
    const timer = setTimeout(callback, Math.min(milliseconds, 0x7fffffff));
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Resolves after so many milliseconds, or as soon as the signal is aborted: whoever waits looks at the signal next. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      call.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const call = clock.schedule(end, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}
