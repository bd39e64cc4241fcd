import { hasCleanupFinalizer, type KeyedMutex, SyncError } from 'kube-endpoints/internal';
import type { BalancedNode, BalancedService } from 'kube-endpoints/load-balancer';
import type { Cache } from '../cache/index.ts';
import type { ControllerStats } from '../controllers/controller.ts';
import type { SyncOutcome } from '../controllers/controller-event.ts';
import { OwnershipLost } from '../controllers/failures.ts';
import { createQueue, exponentialLimiter, type Queue, runWorkers } from '../queue/index.ts';
import type { CachedService } from './caches.ts';
import type { Calls } from './calls.ts';
import { asReleased, ControllerStopping, createPrecedence, isCancellation, isClaimed, isReleased, withBacklogs } from './claims.ts';
import type { Setup } from './options.ts';
import { createJob, type Job, type Performer } from './perform.ts';

/** The queue of Service syncs, and their state. */
export interface Syncs {
  /** Whether no key is waiting, delayed or processing. */
  readonly idle: boolean;
  /** Queues the Service for a sync. Does nothing but forget it if this replica does not own it. */
  enqueue(key: string): void;
  /**
   * Queues a sync that records no Events unless it fails. Does nothing if a retry is pending, or if the Service neither wants a load
   * balancer nor needs cleanup.
   */
  confirm(key: string): void;
  /** Marks a Service as held by this replica and queues it. Returns false if it was held already. */
  adopt(key: string): boolean;
  /** Forgets the Services that this replica no longer owns. */
  disown(): void;
  isHeld(key: string): boolean;
  /** Elapsed time of the clock when the load balancer was last ensured; undefined if it never was, or if a retry or a change is pending. */
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

/** Milliseconds after the first failure, and at most: minRetryDelay and maxRetryDelay (1.36, controllers/service/controller.go). */
const retryDelays = { base: 5000, max: 300_000 };

/** State of Services beyond that of the planner. */
interface SyncState {
  readonly held: Set<string>;
  /** Services whose next sync records Events. */
  readonly emitEvents: Set<string>;
  readonly ensured: Map<string, number>;
  /** Newly adopted Services that have been read from the cache only, not yet from the API server. */
  readonly unverified: Set<string>;
  /** Services whose cleanup has started, as they were then. If one is deleted before that ends, its load balancer is still deleted. */
  readonly pendingCleanup: Map<string, BalancedService>;
  stopping: boolean;
}

const createState = (): SyncState => ({
  held: new Set(),
  emitEvents: new Set(),
  ensured: new Map(),
  pendingCleanup: new Map(),
  unverified: new Set(),
  stopping: false,
});

export function createSyncs(options: SyncsOptions): Syncs {
  const { clock, ownership, planner, onEvent, workers } = options.setup;
  const queue = createQueue({ clock, name: 'service-lb', limiter: exponentialLimiter(retryDelays), onEvent });
  const state = createState();
  const counts = { success: 0, requeued: 0, retried: 0, dropped: 0, writes: 0 };
  const { held, emitEvents, ensured, unverified } = state;
  const disown = (key: string): void => {
    for (const known of [held, emitEvents, ensured, unverified]) known.delete(key);
    precedence.finish(key);
    queue.forget(key);
    planner.forget(key);
  };
  const enqueue = (key: string): void => {
    if (!ownership.owns(key)) disown(key);
    else {
      emitEvents.add(key);
      queue.add(key);
    }
  };
  const precedence = createPrecedence(queue.add);
  const work = async (key: string): Promise<void> => {
    if (precedence.defers(key, options.services.get(key))) return;
    const { outcome, writes, cancelled } = await processKey(key, options, state, queue);
    precedence.finish(key);
    if (cancelled) disown(key);
    counts[outcome]++;
    counts.writes += writes;
  };
  return {
    get idle() {
      return queue.length + queue.processing + queue.delayed + precedence.waiting === 0;
    },
    enqueue,
    confirm(key) {
      const service = options.services.get(key);
      // A Service without a claim may belong to another controller by now: write nothing to it.
      if (service && !isClaimed(planner, service)) return;
      if (ownership.owns(key) && queue.failures(key) === 0) queue.add(key);
    },
    ...holding(state, disown, options, (key) => {
      precedence.add(key, options.services.get(key));
      enqueue(key);
    }),
    ensuredAt: (key) => (queue.failures(key) === 0 && !emitEvents.has(key) ? ensured.get(key) : undefined),
    run: () => runWorkers({ queue, workers, work }),
    shutDown() {
      state.stopping = true;
      void queue.shutDown();
    },
    stats: () => withBacklogs(statsOf(queue, counts), [{ waiting: precedence.waiting, processing: 0, delayed: 0 }]),
  };
}

/** Adopts and disowns Services. */
const holding = (
  { held, unverified, pendingCleanup }: SyncState,
  disown: (key: string) => void,
  { setup: { ownership }, services }: Pick<SyncsOptions, 'setup' | 'services'>,
  begin: (key: string) => void,
): Pick<Syncs, 'adopt' | 'disown' | 'isHeld'> => ({
  adopt(key) {
    if (held.has(key)) return false;
    held.add(key);
    unverified.add(key);
    begin(key);
    return true;
  },
  disown() {
    for (const key of held) if (!ownership.owns(key)) disown(key);
    // Keep those that still exist: their ownership may return before their cleanup has finished.
    for (const key of pendingCleanup.keys()) if (!ownership.owns(key) && !services.get(key)) pendingCleanup.delete(key);
  },
  isHeld: (key) => held.has(key),
});

function statsOf(queue: Queue, { writes, ...syncs }: Record<SyncOutcome | 'writes', number>): ControllerStats {
  return { waiting: queue.length, processing: queue.processing, delayed: queue.delayed, syncs, writes };
}

interface ProcessResult {
  readonly outcome: SyncOutcome;
  readonly writes: number;
  /** Whether this replica must give the Service up. */
  readonly cancelled: boolean;
}

/** Runs a sync and reports it. */
async function processKey(key: string, options: SyncsOptions, state: SyncState, queue: Queue): Promise<ProcessResult> {
  const { clock, onEvent } = options.setup;
  const started = clock.elapsed();
  const job = createJob(key, !state.emitEvents.delete(key));
  const before = queue.failures(key);
  const { outcome, error } = await attempt(job, options, state, queue);
  const { writes } = job;
  const failed = error !== undefined && { error };
  const failures = failed ? before + 1 : 0;
  onEvent({ kind: 'synced', controller: 'service-lb', key, outcome, milliseconds: clock.elapsed() - started, writes, failures, ...failed });
  return { outcome, writes, cancelled: isCancellation(error) };
}

interface Result {
  readonly outcome: SyncOutcome;
  readonly error?: unknown;
}

async function attempt(job: Job, options: SyncsOptions, state: SyncState, queue: Queue): Promise<Result> {
  const { key } = job;
  try {
    await options.mutex.run(key, () => sync(job, options, state));
    queue.forget(key);
    return { outcome: 'success' };
  } catch (error) {
    if (isCancellation(error)) return { outcome: 'requeued', error };
    state.emitEvents.add(key);
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
  const { held, unverified, ensured, stopping } = state;
  const { planner, ownership, clock } = options.setup;
  if (stopping) throw new ControllerStopping();
  if (!ownership.owns(key)) throw new OwnershipLost(key);
  held.add(key);
  const found = await readService(key, options, state);
  const service = found && isReleased(found) ? asReleased(found) : found;
  ensured.delete(key);
  const previous = state.pendingCleanup.get(key);
  if (service && service.spec?.type !== 'LoadBalancer') state.pendingCleanup.set(key, service);
  else if (!service && previous && !options.setup.dryRun) await options.calls.delete(key, previous);
  await options.performer.run(job, planner.sync(key, service, options.nodes()));
  state.pendingCleanup.delete(key);
  if (job.ensured) ensured.set(key, clock.elapsed());
  if (service) return;
  for (const known of [held, unverified]) known.delete(key);
  planner.forget(key);
}

/**
 * Reads the Service from the cache, or from the API server in two cases: if the cached one is partial, because a cloud needs all of it to
 * clean up; and if it was just adopted and has the finalizer, because the previous owner may have cleaned up.
 * Without the finalizer no read is needed, because the patch that adds it fails if the Service is gone or was recreated.
 */
async function readService(
  key: string,
  { services, calls }: SyncsOptions,
  { unverified }: SyncState,
): Promise<BalancedService | undefined> {
  const service = services.get(key);
  if (!service?.partial && !(service && unverified.has(key) && hasCleanupFinalizer(service))) return service;
  const live = await calls.readService(key);
  unverified.delete(key);
  return live as BalancedService | undefined;
}
