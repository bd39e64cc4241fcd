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

/** A clock for delays that a caller awaits: if `clock` is the system clock, its scheduled calls keep the process alive. */
export const toKeepAliveClock = (clock: Clock): Clock =>
  clock.schedule === systemClock.schedule ? { now: () => clock.now(), schedule: steadyClock.schedule } : clock;

export interface Alarm {
  /** Schedules a call at `dueAt` (milliseconds since the epoch), unless an earlier call is pending. */
  set(dueAt: number): void;
  cancel(): void;
}

export function createAlarm(clock: Clock, callback: () => void): Alarm {
  let call: ScheduledCall | undefined;
  let pendingDueAt = 0;
  const cancel = (): void => {
    call?.cancel();
    call = undefined;
  };
  return {
    set(dueAt) {
      if (call && pendingDueAt <= dueAt) return;
      cancel();
      pendingDueAt = dueAt;
      call = clock.schedule(
        () => {
          call = undefined;
          callback();
        },
        Math.max(0, dueAt - clock.now()),
      );
    },
    cancel,
  };
}

export function earliestTime(...times: readonly (number | undefined)[]): number | undefined {
  const definedTimes = times.filter((time) => time !== undefined);
  return definedTimes.length === 0 ? undefined : Math.min(...definedTimes);
}
