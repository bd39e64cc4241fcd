import type { BalancedService } from 'kube-endpoints/load-balancer';
import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';

/**
 * Calls that were given up though they change something. They may take effect at any time, even one whose promise was rejected when its
 * signal was aborted: so their Service is looked at again, soon, when they turn out to have been done, and after a long time.
 */
export interface Doubts {
  add(key: string, service: BalancedService, call: Promise<unknown>): void;
  /** How many Services are still to be looked at because of the time. */
  readonly size: number;
  stop(): void;
}

export interface DoubtsOptions {
  readonly clock: Pick<SteadyClock, 'schedule'>;
  /** Milliseconds after which nothing is expected any more of a call that has not been answered. */
  readonly horizon: number;
  /** Looks at what became of it: whether its load balancer is wanted, and as it should be. */
  readonly look: (key: string, service: BalancedService) => void;
}

export function createDoubts({ clock, horizon, look }: DoubtsOptions): Doubts {
  const timers = new Map<string, ScheduledCall>();
  let stopped = false;
  const later = (id: string, milliseconds: number, then: () => void): void => {
    timers.get(id)?.cancel();
    timers.set(id, clock.schedule(then, milliseconds));
  };
  return {
    add(key, service, call) {
      if (stopped) return;
      const id = service.metadata?.uid ?? key;
      const settle = (): void => {
        if (!stopped) look(key, service);
      };
      const last = (): void => {
        timers.delete(id);
        look(key, service);
      };
      const first = (): void => {
        look(key, service);
        later(id, horizon - soon(horizon), last);
      };
      later(id, soon(horizon), first);
      call.then(settle, () => undefined);
    },
    get size() {
      return timers.size;
    },
    stop() {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  };
}

const soon = (horizon: number): number => Math.ceil(horizon / 10);
