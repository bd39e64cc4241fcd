import { type Clock, type ScheduledCall, systemClock as steadyClock } from 'kube-endpoints/port';

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

/** The same time, for what a caller awaits: a call on the machine's clock then does keep the process alive. */
export const awaited = (clock: Clock): Clock =>
  clock.schedule === systemClock.schedule ? { now: () => clock.now(), schedule: steadyClock.schedule } : clock;

/** A call at some later time, of which there is at most one. */
export interface Alarm {
  /** Rings at that time at the latest; a time before that, for which it was set earlier, stays. */
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
