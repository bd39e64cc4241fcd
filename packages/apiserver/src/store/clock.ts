import { type Clock, type ScheduledCall, systemClock as steadyClock } from 'kube-endpoints/port';

/** The system clock. Scheduled calls do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(callback, milliseconds) {
    // setTimeout fires immediately for delays above 2^31 - 1 ms.
    const timer = setTimeout(callback, Math.min(milliseconds, 0x7fffffff));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The same clock for delays that a caller awaits: on the system clock, these keep the process alive. */
export const awaited = (clock: Clock): Clock =>
  clock.schedule === systemClock.schedule ? { now: () => clock.now(), schedule: steadyClock.schedule } : clock;

/** A timer that has at most one pending call. */
export interface Alarm {
  /** Calls back at `at` (milliseconds since the epoch) or earlier; an earlier pending time stays. */
  set(at: number): void;
  cancel(): void;
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let call: ScheduledCall | undefined;
  let time = 0;
  const cancel = (): void => {
    call?.cancel();
    call = undefined;
  };
  return {
    set(at) {
      if (call && time <= at) return;
      cancel();
      time = at;
      call = clock.schedule(
        () => {
          call = undefined;
          ring();
        },
        Math.max(0, at - clock.now()),
      );
    },
    cancel,
  };
}
