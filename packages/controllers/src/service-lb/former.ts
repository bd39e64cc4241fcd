import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedService, LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import type { ScheduledCall } from 'kube-endpoints/port';
import type { Cache } from '../cache/index.ts';
import type { KnownService } from './caches.ts';
import type { Calls } from './calls.ts';
import { type Backlog, isClaimed, isEnd } from './claims.ts';
import type { Setup } from './options.ts';
import type { Syncs } from './syncs.ts';

/**
 * Services that were given a class while nobody looked, and hold the finalizer still: the cloud is asked whether it has a load balancer of
 * them, which nobody would clean up before they are deleted. Where it has none, they are left to whom they belong.
 *
 * Kubernetes' controller does not ask: a load balancer whose Service gets a class while it is away stays until the Service goes.
 */
export interface Former {
  /** Asks about all there are. */
  look(): void;
  readonly idle: boolean;
  readonly backlog: Backlog;
  stop(): void;
}

export interface FormerOptions {
  readonly setup: Setup;
  readonly services: Pick<Cache<KnownService>, 'get' | 'keys'>;
  readonly calls: Pick<Calls, 'get'>;
  readonly syncs: Pick<Syncs, 'adopt' | 'isHeld'>;
}

/** Milliseconds until a cloud is asked again that did not answer. */
const comeBack = 30_000;

export function createFormer({ setup, services, calls, syncs }: FormerOptions): Former {
  const { clock, ownership, planner } = setup;
  const timers = new Map<string, ScheduledCall>();
  const asking = new Set<string>();
  let stopped = false;
  const candidate = (key: string): BalancedService | undefined => {
    const service = services.get(key);
    return service && isFormer(planner, service) && ownership.owns(key) && !syncs.isHeld(key) ? service : undefined;
  };
  const ask = async (key: string): Promise<void> => {
    timers.get(key)?.cancel();
    timers.delete(key);
    const service = candidate(key);
    if (!service || stopped || asking.has(key)) return;
    asking.add(key);
    try {
      if (await calls.get(key, service)) syncs.adopt(key);
    } catch (error) {
      if (!isEnd(error) && !stopped)
        timers.set(
          key,
          clock.schedule(() => void ask(key), comeBack),
        );
    } finally {
      asking.delete(key);
    }
  };
  return {
    look() {
      for (const key of services.keys()) void ask(key);
    },
    get idle() {
      return asking.size + timers.size === 0;
    },
    get backlog() {
      return { waiting: 0, processing: asking.size, delayed: timers.size };
    },
    stop() {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  };
}

/** Of type LoadBalancer, but another controller's by its class, where the release leaves classes alone. */
export const isFormer = (planner: LoadBalancerPlanner, service: BalancedService): boolean =>
  !isClaimed(planner, service) &&
  hasCleanupFinalizer(service) &&
  !service.metadata?.deletionTimestamp &&
  service.spec?.type === 'LoadBalancer' &&
  typeof service.spec.loadBalancerClass === 'string';
