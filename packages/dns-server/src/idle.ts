import type { Clock, ScheduledCall } from 'kube-endpoints/port';

/** Calls back once nothing has happened for a while. */
export interface IdleTimer {
  /** Something has happened. */
  restart(): void;
  stop(): void;
}

export function createIdleTimer(clock: Clock, milliseconds: number, expired: () => void): IdleTimer {
  let last = clock.now();
  let call: ScheduledCall | undefined;
  // One call at a time, set anew when it comes too early: what happens often does not schedule often.
  const look = (): void => {
    const left = last + milliseconds - clock.now();
    if (left <= 0) expired();
    else call = clock.schedule(look, left);
  };
  call = clock.schedule(look, milliseconds);
  return {
    restart() {
      last = clock.now();
    },
    stop: () => call?.cancel(),
  };
}
