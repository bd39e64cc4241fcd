import type { Clock, ScheduledCall } from 'kube-endpoints/port';

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
