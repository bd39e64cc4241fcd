import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { BalancedService, BalancerReference } from 'kube-endpoints/load-balancer';
import type { ScheduledCall } from 'kube-endpoints/port';
import type { Cache } from '../cache/index.ts';
import type { CachedService } from './caches.ts';
import type { Calls } from './calls.ts';
import { type Backlog, isClaimed, isReleased } from './claims.ts';
import type { Setup } from './options.ts';
import { isReclassified } from './reclassified.ts';
import type { Removals } from './removals.ts';
import type { Syncs } from './syncs.ts';

/**
 * Compares the load balancers that the cloud lists with the Services. Finds load balancers without a Service, left by an earlier process,
 * and Services whose load balancer has disappeared. Upstream does neither.
 */
export interface Orphans {
  /** Starts a comparison, after the running one if any; then repeats it periodically. */
  sweep(): void;
  readonly idle: boolean;
  readonly backlog: Backlog;
  stop(): Promise<void>;
}

export interface OrphansOptions {
  readonly setup: Setup;
  readonly calls: Calls;
  readonly services: Pick<Cache<CachedService>, 'get' | 'keys'>;
  readonly syncs: Pick<Syncs, 'adopt' | 'confirm' | 'enqueue' | 'ensuredAt'>;
  readonly removals: Pick<Removals, 'add'>;
  readonly onDefect: (error: unknown) => void;
}

/** Milliseconds before a failed call to the cloud is retried. Doubles with each failure, up to the time between two sweeps. */
const firstRetryMs = 30_000;

export function createOrphans(options: OrphansOptions): Orphans {
  const { setup, calls } = options;
  const { clock, orphanSweep } = setup;
  const { list } = calls;
  let timer: ScheduledCall | undefined;
  let runningSweep: Promise<void> | undefined;
  let isRepeatDue = false;
  let failureCount = 0;
  let stopped = false;
  const sweepOnce = async (listBalancers: NonNullable<typeof list>): Promise<void> => {
    const listStart = clock.elapsed();
    const references = await listBalancers().catch(() => undefined);
    failureCount = references ? 0 : failureCount + 1;
    if (references && !stopped) compare(references, listStart, options);
    runningSweep = undefined;
    if (isRepeatDue) begin();
    else if (!stopped)
      timer = clock.schedule(begin, references ? orphanSweep : Math.min(firstRetryMs * 2 ** (failureCount - 1), orphanSweep));
  };
  const begin = (): void => {
    timer?.cancel();
    timer = undefined;
    isRepeatDue = runningSweep !== undefined;
    if (list && !isRepeatDue && !stopped) runningSweep = sweepOnce(list).catch(options.onDefect);
  };
  return {
    sweep: begin,
    get idle() {
      return !runningSweep && failureCount === 0;
    },
    get backlog() {
      return { waiting: 0, processing: runningSweep ? 1 : 0, delayed: !runningSweep && failureCount > 0 ? 1 : 0 };
    },
    async stop() {
      stopped = true;
      isRepeatDue = false;
      timer?.cancel();
      await runningSweep;
    },
  };
}

/** @param listStart `clock.elapsed()` when the list was requested. A load balancer that was ensured later does not count as missing. */
function compare(references: readonly BalancerReference[], listStart: number, { setup, services, syncs, removals }: OrphansOptions): void {
  const { ownership, namespace, planner } = setup;
  const listedIds = new Set<string>();
  const cleanUp = (key: string): void => {
    if (!syncs.adopt(key)) syncs.enqueue(key);
  };
  for (const reference of references) {
    const key = metaNamespaceKey(reference);
    listedIds.add(idOf(key, reference.uid));
    if (!ownership.owns(key) || (namespace !== undefined && namespace !== reference.namespace)) continue;
    const service = services.get(key);
    const owner = service?.metadata?.uid === reference.uid && !isReleased(service) ? service : undefined;
    if (owner && isReclassified(planner, owner)) cleanUp(key);
    else if (!owner || !isClaimed(planner, owner)) removals.add(key, serviceOf(reference));
  }
  for (const key of services.keys()) {
    const ensuredTime = syncs.ensuredAt(key);
    const isMissing =
      ensuredTime !== undefined && ensuredTime < listStart && !listedIds.has(idOf(key, services.get(key)?.metadata?.uid ?? ''));
    if (isMissing) syncs.confirm(key);
  }
}

const idOf = (key: string, uid: string): string => `${key} ${uid}`;

/** A Service with only the fields of a reference, because the Service itself may be gone. */
const serviceOf = ({ namespace, name, uid }: BalancerReference): BalancedService => ({
  metadata: { namespace, name, uid },
  spec: { type: 'LoadBalancer' },
});
