import type { SteadyClock } from 'kube-endpoints/port';
import type { Scheduler } from '../scheduler.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The wall-clock time at which simulations begin. */
export const epoch: number = Date.parse('2026-01-02T03:04:05Z');

/** The clock of one machine. */
export interface MachineClock extends SteadyClock {
  /** Moves the wall clock forwards or back, without effect on timers. */
  jump(milliseconds: number): void;
}

/** Creates a clock whose timers fire only while the process runs. */
export function createMachineClock(scheduler: Scheduler, lifecycle: Lifecycle): MachineClock {
  let offset = 0;
  return {
    now: () => epoch + Math.floor(scheduler.time) + offset,
    elapsed: () => scheduler.time,
    schedule(callback, milliseconds) {
      let cancelled = false;
      const fire = (): void => {
        if (!cancelled) callback();
      };
      const call = scheduler.schedule(() => lifecycle.run('timer', fire), milliseconds);
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
