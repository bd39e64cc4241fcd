import { createAlarm } from '../store/clock.ts';
import type { Clock } from '../store/index.ts';

/** `deadline` is in milliseconds since the epoch. */
export interface Due {
  deadline: number;
}

/** A set of items with deadlines that share one timer, because most are removed long before they are due. */
export interface Deadlines<T extends Due> {
  add(due: T): void;
  delete(due: T): void;
  /** Removes all items and cancels the timer. */
  clear(): void;
}

/** @param expire called for each item whose deadline has passed, after the item is removed */
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
