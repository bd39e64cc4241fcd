import type { SteadyClock } from 'kube-endpoints/port';
import type { Scheduler } from '../scheduler.ts';
import type { Life } from './life.ts';

/** The time of day when simulations begin. */
export const epoch: number = Date.parse('2026-01-02T03:04:05Z');

/** The clock of one machine. */
export interface MachineClock extends SteadyClock {
  /** Sets the time of day, forwards or back. What is scheduled does not mind. */
  jump(milliseconds: number): void;
}

/** Timers ring only while the process runs. */
export function createMachineClock(scheduler: Scheduler, life: Life): MachineClock {
  let offset = 0;
  return {
    now: () => epoch + Math.floor(scheduler.time) + offset,
    elapsed: () => scheduler.time,
    schedule(callback, milliseconds) {
      let cancelled = false;
      const ring = (): void => {
        if (!cancelled) callback();
      };
      const call = scheduler.schedule(() => life.enter('timer', ring), milliseconds);
      return {
        cancel() {
          cancelled = true;
          call.cancel();
        },
      };
    },
    jump(milliseconds) {
      offset += milliseconds;
    },
  };
}
