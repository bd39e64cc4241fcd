import type { Ownership } from '../election/ownership.ts';
import { createDelays, type Delays } from '../queue/delays.ts';
import { createQueue, type Limiter, type Queue, runWorkers } from '../queue/index.ts';
import type { ControllerName, SyncOutcome } from './controller-event.ts';
import { kindOf, OwnershipLost } from './failures.ts';
import type { Setup } from './options.ts';

/** One sync of one Service: who makes it counts its writes. */
export interface Job {
  readonly key: string;
  /** How often the Service has failed in a row before. */
  readonly failures: number;
  writes: number;
  /** Whether there is no Service, so that nothing need be remembered of it once this is done. */
  gone: boolean;
}

/** What one controller does, the queue and its workers aside. */
export interface Part {
  readonly name: ControllerName;
  readonly limiter: Limiter;
  /** Brings a Service's objects to what they should be. @throws what kept it from that */
  sync(job: Job): Promise<void>;
  /** Drops what is remembered of a Service. */
  forget(key: string): void;
}

/** A part at work: its queue, and what becomes of a sync. */
export interface Controller {
  readonly name: ControllerName;
  /** Whether nothing waits, is delayed or is being worked on. A Service that was refused too often is not waited for. */
  readonly idle: boolean;
  /** After so many milliseconds, at once by default; nothing where the Service is another replica's. */
  enqueue(key: string, milliseconds?: number): void;
  /** Looks at whose the Services are now: queues those that are this replica's from now on, and forgets those that no longer are. */
  adopt(keys: Iterable<string>): void;
  /** Counts a key as this replica's without a sync: it is not new when ownership changes. */
  hold(key: string): void;
  /** The opposite. */
  drop(key: string): void;
  /** Works until the queue is shut down and empty. @throws a defect of a part */
  run(): Promise<void>;
  /** Takes nothing in any more. */
  shutDown(): void;
  stats(): ControllerStats;
}

export interface ControllerStats {
  readonly waiting: number;
  readonly processing: number;
  readonly delayed: number;
  /** Syncs that have ended, in whatever way, and how they did. */
  readonly syncs: Readonly<Record<SyncOutcome, number>>;
  readonly writes: number;
}

/** Milliseconds until a Service is tried anew that was given up though nothing was wrong with it: the server was away, or the cache late. */
const comeBack = 120_000;

/**
 * Milliseconds until one is tried anew that was refused: what refuses it, such as a policy, may go without an event of the Service. In
 * Kubernetes a resync of the caches, every 12 to 24 hours, does this. Until then it does not count as delayed.
 */
const comeBackRefused = 1_800_000;

export function createController(part: Part, setup: Setup): Controller {
  const { clock, ownership, tell } = setup;
  const { name } = part;
  const queue = createQueue({ clock, name, limiter: part.limiter, tell });
  const refused = createDelays(clock, queue.add);
  const held = new Set<string>();
  const counts = { success: 0, requeued: 0, retried: 0, dropped: 0, writes: 0 };
  const disown = (key: string): void => {
    if (!held.delete(key)) return;
    part.forget(key);
    queue.forget(key);
    tell?.({ kind: 'disowned', controller: name, key });
  };
  const work = async (key: string): Promise<void> => {
    const started = clock.elapsed();
    const job: Job = { key, failures: queue.failures(key), writes: 0, gone: false };
    if (ownership.owns(key)) held.add(key);
    else disown(key);
    const { outcome, error } = held.has(key) ? await sync(job, part, queue, refused, setup.maxRetries) : { outcome: 'success' as const };
    if (job.gone && outcome === 'success') disown(key);
    if (error instanceof OwnershipLost) disown(key);
    counts[outcome]++;
    counts.writes += job.writes;
    const failed = outcome !== 'success' && { error };
    const figures = { milliseconds: clock.elapsed() - started, writes: job.writes, failures: failed ? job.failures + 1 : 0 };
    tell?.({ kind: 'synced', controller: name, key, outcome, ...figures, ...failed });
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
    ...holding(held, disown, part, queue, ownership),
    run: () => runWorkers({ queue, workers: setup.workers, work }).finally(refused.clear),
    shutDown: () => void queue.shutDown(),
    stats: () => statsOf(queue, counts),
  };
}

/** What a sync comes to, and what becomes of the key. */
async function sync(
  job: Job,
  part: Part,
  queue: Queue,
  refused: Pick<Delays, 'add'>,
  maxRetries: number,
): Promise<{ outcome: SyncOutcome; error?: unknown }> {
  const { key } = job;
  try {
    await part.sync(job);
    queue.forget(key);
    return { outcome: 'success' };
  } catch (error) {
    const kind = kindOf(error);
    if (kind === 'lost' || kind === 'terminating') {
      queue.forget(key);
      return { outcome: kind === 'lost' ? 'requeued' : 'success', error };
    }
    if (job.failures < maxRetries) {
      queue.addRateLimited(key);
      return { outcome: kind === 'stale' ? 'requeued' : 'retried', error };
    }
    queue.forget(key);
    if (kind === 'refused') refused.add(key, comeBackRefused, false);
    else queue.addAfter(key, comeBack);
    return { outcome: 'dropped', error };
  }
}

/** Who holds which Service. */
function holding(
  held: Set<string>,
  disown: (key: string) => void,
  part: Part,
  queue: Queue,
  ownership: Ownership,
): Pick<Controller, 'adopt' | 'hold' | 'drop'> {
  return {
    adopt(keys) {
      for (const key of held) if (!ownership.owns(key)) disown(key);
      for (const key of keys) {
        if (held.has(key) || !ownership.owns(key)) continue;
        held.add(key);
        part.forget(key);
        queue.add(key);
      }
    },
    hold(key) {
      if (ownership.owns(key)) held.add(key);
    },
    drop: disown,
  };
}

function statsOf(queue: Queue, { writes, ...syncs }: Record<SyncOutcome | 'writes', number>): ControllerStats {
  return { waiting: queue.length, processing: queue.processing, delayed: queue.delayed, syncs, writes };
}
