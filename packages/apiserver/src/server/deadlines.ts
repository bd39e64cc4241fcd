import { createAlarm } from '../store/clock.ts';
import type { Clock } from '../store/index.ts';

/** What has until some time, in milliseconds since the epoch. */
export interface Due {
  deadline: number;
}

/** Those that have to be done by some time, with one timer for all of them: most are done long before. */
export interface Deadlines<T extends Due> {
  add(due: T): void;
  delete(due: T): void;
  /** Forgets all of them. */
  clear(): void;
}

/** @param expire called for what is late; it is not waited for any more */
export function createDeadlines<T extends Due>(clock: Clock, expire: (due: T) => void): Deadlines<T> {
  const waiting = new Set<T>();
  const alarm = createAlarm(clock, () => {
    const now = clock.now();
    const late = [...waiting].filter(({ deadline }) => deadline <= now);
    for (const due of late) waiting.delete(due);
    for (const due of late) expire(due);
    for (const { deadline } of waiting) alarm.set(deadline);
  });
  return {
    add(due) {
      waiting.add(due);
      alarm.set(due.deadline);
    },
    delete: (due) => void waiting.delete(due),
    clear() {
      waiting.clear();
      alarm.cancel();
    },
  };
}
