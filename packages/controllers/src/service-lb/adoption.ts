import type { ScheduledCall } from 'kube-endpoints/port';
import type { Assembly } from './assembly.ts';
import { hasStatus } from './precedence.ts';
import { isClaimed } from './weigh.ts';

/** What becomes of the Services when it changes which are this replica's. */
export interface Adoption {
  /** Also at the start, when all that are this replica's are new. */
  adopt(): void;
  stop(): void;
}

/**
 * Those who had the Services before may have left calls behind that take effect later. So what is new is made sure of once more, when
 * nothing can be expected of these any longer.
 */
export function createAdoption({ setup, caches, calls, syncs, orphans, former }: Assembly): Adoption {
  const { clock, planner, ownership, cloudTimeout } = setup;
  const services = caches.services.cache;
  const timers = new Set<ScheduledCall>();
  let stopped = false;
  const confirmLater = (keys: readonly string[]): void => {
    const timer = clock.schedule(() => {
      timers.delete(timer);
      for (const key of keys) if (services.get(key)) syncs.confirm(key);
    }, cloudTimeout);
    timers.add(timer);
  };
  const isDue = (key: string): boolean => {
    const service = services.get(key);
    return service !== undefined && ownership.owns(key) && isClaimed(planner, service);
  };
  const publishedFirst = (keys: readonly string[]): string[] => {
    const published = new Set(keys.filter((key) => hasStatus(services.get(key))));
    return [...published, ...keys.filter((key) => !published.has(key))];
  };
  return {
    adopt() {
      calls.release();
      syncs.disown();
      // What comes at the end is the next process' to see to.
      if (stopped) return;
      const due = [...services.keys()].filter((key) => !syncs.isHeld(key) && isDue(key));
      const adopted = publishedFirst(due).filter(syncs.adopt);
      if (adopted.length > 0) confirmLater(adopted);
      former.look();
      orphans.sweep();
    },
    stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
}
