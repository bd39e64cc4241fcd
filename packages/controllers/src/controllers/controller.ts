import type { Ownership } from '../election/ownership.ts';
import { createDelays, type Delays } from '../queue/delays.ts';
import { createQueue, type Limiter, type Queue, runWorkers } from '../queue/index.ts';
import type { ControllerName, SyncOutcome } from './controller-event.ts';
import { classifyFailure, OwnershipLostError } from './failures.ts';
import type { Setup } from './options.ts';

/** One sync of one Service. The sync handler counts its writes. */
export interface Job {
  readonly key: string;
  /** Number of consecutive failures before this sync. */
  readonly failures: number;
  writes: number;
  /** True if the Service does not exist, so that its state can be dropped after the sync. */
  isServiceGone: boolean;
}

/** The sync logic of one controller, without queue and workers. */
export interface SyncHandler {
  readonly name: ControllerName;
  readonly limiter: Limiter;
  /** Brings the Service's objects to the desired state. @throws the error that prevented it */
  sync(job: Job): Promise<void>;
  /** Drops the state of a Service. */
  forget(key: string): void;
}

/** A sync handler with its queue, workers and retries. */
export interface Controller {
  readonly name: ControllerName;
  /** True if no key is waiting, delayed or being processed. Services that wait after repeated refusals do not count. */
  readonly idle: boolean;
  /** Queues a key after a delay, 0 by default. If another replica owns the Service, drops the key's state instead. */
  enqueue(key: string, milliseconds?: number): void;
  /** Call after a change of ownership: queues newly owned keys, and drops the state of keys that are no longer owned. */
  adopt(keys: Iterable<string>): void;
  /** Marks a key as owned without a sync, so that `adopt` does not treat it as new. */
  hold(key: string): void;
  /** Drops a key's state and undoes `hold`. */
  drop(key: string): void;
  /** Works until the queue is shut down and empty. @throws an unexpected error of the sync handler */
  run(): Promise<void>;
  /** Stops accepting keys. */
  shutDown(): void;
  stats(): ControllerStats;
}

export interface ControllerStats {
  readonly waiting: number;
  readonly processing: number;
  readonly delayed: number;
  /** Number of syncs that have ended, by outcome. */
  readonly syncs: Readonly<Record<SyncOutcome, number>>;
  readonly writes: number;
}

/** Milliseconds until a dropped Service is synced again if the cause was temporary: no answer from the server, or a stale cache. */
const requeueAfterMs = 120_000;

/**
 * Milliseconds until a refused Service is synced again, because the cause, such as a policy, may vanish without an event of the Service.
 * In Kubernetes, the resync of the caches every 12 to 24 hours retries such a Service. The key does not count as delayed meanwhile.
 */
const requeueRefusedAfterMs = 1_800_000;

export function createController(handler: SyncHandler, setup: Setup): Controller {
  const { clock, ownership, onEvent } = setup;
  const { name } = handler;
  const queue = createQueue({ clock, name, limiter: handler.limiter, onEvent });
  const refusedDelays = createDelays(clock, queue.add);
  const heldKeys = new Set<string>();
  const counts = { success: 0, requeued: 0, retried: 0, dropped: 0, writes: 0 };
  const disown = (key: string): void => {
    if (!heldKeys.delete(key)) return;
    handler.forget(key);
    queue.forget(key);
    onEvent?.({ kind: 'disowned', controller: name, key });
  };
  const processKey = async (key: string): Promise<void> => {
    const startedAt = clock.elapsed();
    const job: Job = { key, failures: queue.failures(key), writes: 0, isServiceGone: false };
    if (ownership.owns(key)) heldKeys.add(key);
    else disown(key);
    const { outcome, error } = heldKeys.has(key)
      ? await syncKey(job, handler, queue, refusedDelays, setup)
      : { outcome: 'success' as const };
    if (job.isServiceGone && outcome === 'success') disown(key);
    if (error instanceof OwnershipLostError) disown(key);
    counts[outcome]++;
    counts.writes += job.writes;
    const failure = outcome !== 'success' && { error };
    const figures = { milliseconds: clock.elapsed() - startedAt, writes: job.writes, failures: failure ? job.failures + 1 : 0 };
    onEvent?.({ kind: 'synced', controller: name, key, outcome, ...figures, ...failure });
  };
  return {
    name,
    get idle() {
      return queue.length + queue.processing + queue.delayed === 0;
    },
    enqueue(key, milliseconds = 0) {
      if (!ownership.owns(key)) disown(key);
      else if (milliseconds > 0) queue.addAfter(key, milliseconds);
      else queue.add(key);
    },
    ...createHoldMethods(heldKeys, disown, handler, queue, ownership),
    run: () => runWorkers({ queue, workers: setup.workers, work: processKey }).finally(refusedDelays.clear),
    shutDown: () => void queue.shutDown(),
    stats: () => createStats(queue, counts),
  };
}

/** Runs one sync, and retries, delays or forgets the key according to the result. */
async function syncKey(
  job: Job,
  handler: SyncHandler,
  queue: Queue,
  refusedDelays: Pick<Delays, 'add'>,
  { maxRetries, settings }: Setup,
): Promise<{ outcome: SyncOutcome; error?: unknown }> {
  const { key } = job;
  try {
    await handler.sync(job);
    queue.forget(key);
    return { outcome: 'success' };
  } catch (error) {
    const kind = classifyFailure(error);
    if (kind === 'lost' || (kind === 'terminating' && settings.profile.terminatingNamespacesSkipped)) {
      queue.forget(key);
      return { outcome: kind === 'lost' ? 'requeued' : 'success', error };
    }
    if (job.failures < maxRetries) {
      queue.addRateLimited(key);
      return { outcome: kind === 'stale' ? 'requeued' : 'retried', error };
    }
    queue.forget(key);
    if (kind === 'refused' || kind === 'terminating') refusedDelays.add(key, requeueRefusedAfterMs, false);
    else queue.addAfter(key, requeueAfterMs);
    return { outcome: 'dropped', error };
  }
}

/** Creates the methods that track which Services this replica holds. */
function createHoldMethods(
  heldKeys: Set<string>,
  disown: (key: string) => void,
  handler: SyncHandler,
  queue: Queue,
  ownership: Ownership,
): Pick<Controller, 'adopt' | 'hold' | 'drop'> {
  return {
    adopt(keys) {
      for (const key of heldKeys) if (!ownership.owns(key)) disown(key);
      for (const key of keys) {
        if (heldKeys.has(key) || !ownership.owns(key)) continue;
        heldKeys.add(key);
        handler.forget(key);
        queue.add(key);
      }
    },
    hold(key) {
      if (ownership.owns(key)) heldKeys.add(key);
    },
    drop: disown,
  };
}

/** Statistics of a queue and of the syncs of its keys. */
export function createStats(queue: Queue, { writes, ...syncs }: Record<SyncOutcome | 'writes', number>): ControllerStats {
  return { waiting: queue.length, processing: queue.processing, delayed: queue.delayed, syncs, writes };
}
