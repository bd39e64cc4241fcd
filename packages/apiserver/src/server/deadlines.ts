import { createAlarm } from '../store/clock.ts';
import type { Clock } from '../store/index.ts';

export interface DeadlineItem {
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** A set of items with deadlines that share one timer, because most are removed long before they are due. */
export interface Deadlines<T extends DeadlineItem> {
  add(item: T): void;
  delete(item: T): void;
  /** Removes all items and cancels the timer. */
  clear(): void;
}

/** @param expire called for each item whose deadline has passed, after the item is removed */
export function createDeadlines<T extends DeadlineItem>(clock: Clock, expire: (item: T) => void): Deadlines<T> {
  const items = new Set<T>();
  const alarm = createAlarm(clock, () => {
    const now = clock.now();
    const expiredItems = [...items].filter(({ deadline }) => deadline <= now);
    for (const item of expiredItems) items.delete(item);
    for (const item of expiredItems) expire(item);
    for (const { deadline } of items) alarm.set(deadline);
  });
  return {
    add(item) {
      items.add(item);
      alarm.set(item.deadline);
    },
    delete: (item) => void items.delete(item),
    clear() {
      items.clear();
      alarm.cancel();
    },
  };
}
