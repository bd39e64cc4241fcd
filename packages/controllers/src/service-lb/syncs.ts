import { hasCleanupFinalizer, SyncError } from 'kube-endpoints/internal';
import type { KeyedMutex } from 'kube-endpoints/internal/apimachinery';
import type { BalancedNode, BalancedService } from 'kube-endpoints/load-balancer';
import type { Cache } from '../cache/index.ts';
import { type ControllerStats, createStats } from '../controllers/controller.ts';
import type { SyncOutcome } from '../controllers/controller-event.ts';
import { OwnershipLostError } from '../controllers/failures.ts';
import { createExponentialLimiter, createQueue, type Queue, runWorkers } from '../queue/index.ts';
import type { CachedService } from './caches.ts';
import type { Calls } from './calls.ts';
import { addBacklogs, ControllerStoppingError, createPrecedence, isCancellation, isClaimed, isReleased, toClusterIP } from './claims.ts';
import type { Setup } from './options.ts';
import { createJob, type Job, type Performer } from './perform.ts';

/** The queue of Service syncs, and their state. */
export interface Syncs {
  /** Whether no key is waiting, delayed or processing. */
  readonly idle: boolean;
  /** Queues a sync of the Service. If this replica does not own the Service, forgets it instead. */
  enqueue(key: string): void;
  /**
   * Queues a sync that records no Events unless it fails. Does nothing if a retry is pending, or if the Service needs neither a load balancer
   * nor cleanup.
   */
  confirm(key: string): void;
  /** Adopts a Service: this replica manages it from now on, and queues its first sync. Returns false if it was adopted before. */
  adopt(key: string): boolean;
  /** Forgets the Services that this replica no longer owns. */
  disown(): void;
  isAdopted(key: string): boolean;
  /** When the load balancer was last ensured, by `clock.elapsed()`; undefined if it never was, or if a retry or a change is pending. */
  ensuredAt(key: string): number | undefined;
  /** Works until `shutDown` is called. */
  run(): Promise<void>;
  /** Starts no further sync. */
  shutDown(): void;
  stats(): ControllerStats;
}

export interface SyncsOptions {
  readonly setup: Setup;
  readonly services: Pick<Cache<CachedService>, 'get'>;
  readonly nodes: () => readonly BalancedNode[];
  readonly calls: Calls;
  readonly mutex: KeyedMutex;
  readonly performer: Performer;
}

/** Limits of the retries, in milliseconds: minRetryDelay and maxRetryDelay (1.36, controllers/service/controller.go). */
export const retryDelays = { base: 5000, max: 300_000 };

/** State of the Services, in addition to that of the planner. */
interface SyncState {
  readonly adoptedKeys: Set<string>;
  /** Services whose next sync records Events. */
  readonly keysToReport: Set<string>;
  readonly ensuredTimes: Map<string, number>;
  /** Newly adopted Services that have been read from the cache only, not yet from the API server. */
  readonly unverifiedKeys: Set<string>;
  /** Services as they were when their cleanup started. If a Service disappears before that ends, its load balancer is still deleted. */
  readonly pendingCleanup: Map<string, BalancedService>;
  stopping: boolean;
}

const createState = (): SyncState => ({
  adoptedKeys: new Set(),
  keysToReport: new Set(),
  ensuredTimes: new Map(),
  pendingCleanup: new Map(),
  unverifiedKeys: new Set(),
  stopping: false,
});

export function createSyncs(options: SyncsOptions): Syncs {
  const { clock, ownership, planner, onEvent, workers } = options.setup;
  const queue = createQueue({ clock, name: 'service-lb', limiter: createExponentialLimiter(retryDelays), onEvent });
  const state = createState();
  const counts = { success: 0, requeued: 0, retried: 0, dropped: 0, writes: 0 };
  const { adoptedKeys, keysToReport, ensuredTimes, unverifiedKeys } = state;
  const disown = (key: string): void => {
    for (const collection of [adoptedKeys, keysToReport, ensuredTimes, unverifiedKeys]) collection.delete(key);
    precedence.finish(key);
    queue.forget(key);
    planner.forget(key);
  };
  const enqueue = (key: string): void => {
    if (!ownership.owns(key)) disown(key);
    else {
      keysToReport.add(key);
      queue.add(key);
    }
  };
  const precedence = createPrecedence(queue.add);
  const work = async (key: string): Promise<void> => {
    if (precedence.deferIfNeeded(key, options.services.get(key))) return;
    const { outcome, writes, cancelled } = await processKey(key, options, state, queue);
    precedence.finish(key);
    if (cancelled) disown(key);
    counts[outcome]++;
    counts.writes += writes;
  };
  return {
    get idle() {
      return queue.length + queue.processing + queue.delayed + precedence.waitingCount === 0;
    },
    enqueue,
    confirm(key) {
      const service = options.services.get(key);
      // A Service that needs nothing from this controller may belong to another one, so it must not be written.
      if (service && !isClaimed(planner, service)) return;
      if (ownership.owns(key) && queue.failures(key) === 0) queue.add(key);
    },
    ...createAdopter(state, disown, options, (key) => {
      precedence.add(key, options.services.get(key));
      enqueue(key);
    }),
    ensuredAt: (key) => (queue.failures(key) === 0 && !keysToReport.has(key) ? ensuredTimes.get(key) : undefined),
    run: () => runWorkers({ queue, workers, work }),
    shutDown() {
      state.stopping = true;
      void queue.shutDown();
    },
    stats: () => addBacklogs(createStats(queue, counts), [{ waiting: precedence.waitingCount, processing: 0, delayed: 0 }]),
  };
}

/** Adopts and disowns Services. */
const createAdopter = (
  { adoptedKeys, unverifiedKeys, pendingCleanup }: SyncState,
  disown: (key: string) => void,
  { setup: { ownership }, services }: Pick<SyncsOptions, 'setup' | 'services'>,
  startSync: (key: string) => void,
): Pick<Syncs, 'adopt' | 'disown' | 'isAdopted'> => ({
  adopt(key) {
    if (adoptedKeys.has(key)) return false;
    adoptedKeys.add(key);
    unverifiedKeys.add(key);
    startSync(key);
    return true;
  },
  disown() {
    for (const key of adoptedKeys) if (!ownership.owns(key)) disown(key);
    // Keeps Services that still exist, because this replica may own them again before their cleanup has ended.
    for (const key of pendingCleanup.keys()) if (!ownership.owns(key) && !services.get(key)) pendingCleanup.delete(key);
  },
  isAdopted: (key) => adoptedKeys.has(key),
});

interface ProcessResult {
  readonly outcome: SyncOutcome;
  readonly writes: number;
  /** Whether this replica must stop managing the Service. */
  readonly cancelled: boolean;
}

/** Runs a sync and reports it. */
async function processKey(key: string, options: SyncsOptions, state: SyncState, queue: Queue): Promise<ProcessResult> {
  const { clock, onEvent } = options.setup;
  const startTime = clock.elapsed();
  const job = createJob(key, !state.keysToReport.delete(key));
  const previousFailures = queue.failures(key);
  const { outcome, error } = await attempt(job, options, state, queue);
  const { writes } = job;
  const errorField = error !== undefined && { error };
  const failures = errorField ? previousFailures + 1 : 0;
  onEvent({
    kind: 'synced',
    controller: 'service-lb',
    key,
    outcome,
    milliseconds: clock.elapsed() - startTime,
    writes,
    failures,
    ...errorField,
  });
  return { outcome, writes, cancelled: isCancellation(error) };
}

interface AttemptResult {
  readonly outcome: SyncOutcome;
  readonly error?: unknown;
}

async function attempt(job: Job, options: SyncsOptions, state: SyncState, queue: Queue): Promise<AttemptResult> {
  const { key } = job;
  try {
    await options.mutex.run(key, () => sync(job, options, state));
    queue.forget(key);
    return { outcome: 'success' };
  } catch (error) {
    if (isCancellation(error)) return { outcome: 'requeued', error };
    state.keysToReport.add(key);
    const retryAfter = error instanceof SyncError ? error.retryAfter : undefined;
    // Prevents a hot loop if the cloud always asks for an immediate retry.
    if (retryAfter !== undefined && Number.isFinite(retryAfter)) queue.addAfter(key, Math.max(minRetryMs, retryAfter));
    else queue.addRateLimited(key);
    return { outcome: 'retried', error };
  }
}

const minRetryMs = 1000;

async function sync(job: Job, options: SyncsOptions, state: SyncState): Promise<void> {
  const { key } = job;
  const { adoptedKeys, unverifiedKeys, ensuredTimes, stopping } = state;
  const { planner, ownership, clock } = options.setup;
  if (stopping) throw new ControllerStoppingError();
  if (!ownership.owns(key)) throw new OwnershipLostError(key);
  adoptedKeys.add(key);
  const current = await readService(key, options, state);
  const service = current && isReleased(current) ? toClusterIP(current) : current;
  ensuredTimes.delete(key);
  const previousService = state.pendingCleanup.get(key);
  if (service && service.spec?.type !== 'LoadBalancer') state.pendingCleanup.set(key, service);
  else if (!service && previousService && !options.setup.dryRun) await options.calls.delete(key, previousService);
  await options.performer.run(job, planner.sync(key, service, options.nodes()));
  state.pendingCleanup.delete(key);
  if (job.ensured) ensuredTimes.set(key, clock.elapsed());
  if (service) return;
  for (const collection of [adoptedKeys, unverifiedKeys]) collection.delete(key);
  planner.forget(key);
}

/**
 * Reads the Service from the cache or, in two cases, from the API server: if the cached Service is partial, because a cloud needs all its
 * fields to clean up, and if it was just adopted and has the finalizer, because the previous owner may have cleaned up.
 * Without the finalizer, the cache suffices, because the patch that adds the finalizer fails if the Service is gone or was recreated.
 */
async function readService(
  key: string,
  { services, calls }: SyncsOptions,
  { unverifiedKeys }: SyncState,
): Promise<BalancedService | undefined> {
  const service = services.get(key);
  if (!service?.partial && !(service && unverifiedKeys.has(key) && hasCleanupFinalizer(service))) return service;
  const liveService = await calls.readService(key);
  unverifiedKeys.delete(key);
  return liveService as BalancedService | undefined;
}
