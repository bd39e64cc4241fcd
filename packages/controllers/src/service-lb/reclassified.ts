import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedService, LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import type { ScheduledCall } from 'kube-endpoints/port';
import type { Cache } from '../cache/index.ts';
import type { CachedService } from './caches.ts';
import type { Calls } from './calls.ts';
import { type Backlog, isCancellation, isClaimed } from './claims.ts';
import type { Setup } from './options.ts';
import type { Syncs } from './syncs.ts';

/**
 * Services that got a loadBalancerClass while no controller was running, and still have the finalizer. If the cloud has a load balancer for
 * such a Service, the Service is adopted and cleaned up. Otherwise it belongs to the controller of its class.
 *
 * Upstream has no such check, so the load balancer exists until its Service is deleted.
 */
export interface ReclassifiedServices {
  /** Checks all Services of the cache. */
  checkAll(): void;
  readonly idle: boolean;
  readonly backlog: Backlog;
  stop(): void;
}

export interface ReclassifiedServicesOptions {
  readonly setup: Setup;
  readonly services: Pick<Cache<CachedService>, 'get' | 'keys'>;
  readonly calls: Pick<Calls, 'get'>;
  readonly syncs: Pick<Syncs, 'adopt' | 'isAdopted'>;
}

/** Milliseconds before a failed call to the cloud is retried. */
const retryAfterMs = 30_000;

export function createReclassifiedServices({ setup, services, calls, syncs }: ReclassifiedServicesOptions): ReclassifiedServices {
  const { clock, ownership, planner } = setup;
  const timers = new Map<string, ScheduledCall>();
  const keysInProgress = new Set<string>();
  let stopped = false;
  const findReclassified = (key: string): BalancedService | undefined => {
    const service = services.get(key);
    return service && isReclassified(planner, service) && ownership.owns(key) && !syncs.isAdopted(key) ? service : undefined;
  };
  const checkService = async (key: string): Promise<void> => {
    timers.get(key)?.cancel();
    timers.delete(key);
    const service = findReclassified(key);
    if (!service || stopped || keysInProgress.has(key)) return;
    keysInProgress.add(key);
    try {
      if (await calls.get(key, service)) syncs.adopt(key);
    } catch (error) {
      if (!isCancellation(error) && !stopped)
        timers.set(
          key,
          clock.schedule(() => void checkService(key), retryAfterMs),
        );
    } finally {
      keysInProgress.delete(key);
    }
  };
  return {
    checkAll() {
      for (const key of services.keys()) void checkService(key);
    },
    get idle() {
      return keysInProgress.size + timers.size === 0;
    },
    get backlog() {
      return { waiting: 0, processing: keysInProgress.size, delayed: timers.size };
    },
    stop() {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  };
}

/** Whether a Service of another controller's class still has the cleanup finalizer. Never true in releases that ignore classes. */
export const isReclassified = (planner: LoadBalancerPlanner, service: BalancedService): boolean =>
  !isClaimed(planner, service) &&
  hasCleanupFinalizer(service) &&
  !service.metadata?.deletionTimestamp &&
  service.spec?.type === 'LoadBalancer' &&
  typeof service.spec.loadBalancerClass === 'string';
