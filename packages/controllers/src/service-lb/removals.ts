import type { KeyedMutex } from 'kube-endpoints/internal/apimachinery';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import { createExponentialLimiter, createQueue, runWorkers } from '../queue/index.ts';
import type { Calls } from './calls.ts';
import { type Backlog, isCancellation, isClaimed, isReleased } from './claims.ts';
import type { Setup } from './options.ts';
import { retryDelays } from './syncs.ts';

/** Deletes load balancers that no Service seems to need, after the API server has confirmed it. */
export interface Removals {
  readonly idle: boolean;
  readonly backlog: Backlog;
  /** @param service the Service of the load balancer; fields that are not known may be absent */
  add(key: string, service: BalancedService): void;
  run(): Promise<void>;
  shutDown(): void;
}

export interface RemovalsOptions {
  readonly setup: Setup;
  readonly calls: Calls;
  readonly mutex: KeyedMutex;
  /** Queues a sync of a Service that turns out to exist. */
  readonly enqueueSync: (key: string) => void;
}

export function createRemovals(options: RemovalsOptions): Removals {
  const { setup } = options;
  const { clock, ownership, onEvent } = setup;
  const pendingRemovals = new Map<string, { readonly key: string; readonly service: BalancedService }>();
  // The queue reports no events, because its keys are not those of Services.
  const queue = createQueue({ clock, name: 'service-lb', limiter: createExponentialLimiter(retryDelays) });
  let stopping = false;
  const work = async (id: string): Promise<void> => {
    const removal = pendingRemovals.get(id);
    if (!removal || stopping || !ownership.owns(removal.key)) return finish(id);
    const identity = { key: removal.key, uid: removal.service.metadata?.uid ?? '' };
    try {
      const outcome = await options.mutex.run(removal.key, () => remove(removal.key, removal.service, options));
      if (outcome === 'refuted') options.enqueueSync(removal.key);
      onEvent({ kind: 'orphan', ...identity, outcome });
      finish(id);
    } catch (error) {
      if (isCancellation(error)) return finish(id);
      onEvent({ kind: 'orphan', ...identity, outcome: 'retried', error });
      queue.addRateLimited(id);
    }
  };
  const finish = (id: string): void => {
    pendingRemovals.delete(id);
    queue.forget(id);
  };
  return {
    get idle() {
      return pendingRemovals.size === 0;
    },
    get backlog() {
      return { waiting: queue.length, processing: queue.processing, delayed: queue.delayed };
    },
    add(key, service) {
      const id = `${key}/${service.metadata?.uid ?? ''}`;
      if (stopping || !ownership.owns(key) || pendingRemovals.has(id)) return;
      pendingRemovals.set(id, { key, service });
      queue.add(id);
    },
    run: () => runWorkers({ queue, workers: setup.workers, work }),
    shutDown() {
      stopping = true;
      void queue.shutDown();
    },
  };
}

/**
 * Deletes the load balancer unless the API server shows that its Service still claims it ("refuted"). In a dry run, only reports it
 * ("found").
 */
async function remove(key: string, service: BalancedService, { setup, calls }: RemovalsOptions): Promise<'refuted' | 'found' | 'deleted'> {
  const liveService = await calls.readService(key);
  const isSameService = liveService?.metadata.uid === service.metadata?.uid;
  if (liveService && isSameService && !isReleased(liveService) && isClaimed(setup.planner, liveService)) return 'refuted';
  if (setup.dryRun) return 'found';
  await calls.delete(key, service);
  return 'deleted';
}
