import type { KeyedMutex } from 'kube-endpoints/internal';
import type { BalancedNode } from 'kube-endpoints/load-balancer';
import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';
import type { Cache, CacheEvent } from '../cache/index.ts';
import { type Backlog, isEnd, withBacklogs } from './claims.ts';
import type { Owed } from './load-balancer-event.ts';
import type { Setup } from './options.ts';
import { newJob, type Performer } from './perform.ts';

/** Brings the load balancers to the nodes that there are, whenever these have changed or, in older releases, every so often. */
export interface Looks {
  take(event: CacheEvent<BalancedNode>): void;
  /** All nodes; the same list as long as none has changed. */
  nodes(): readonly BalancedNode[];
  /** Whether no look is due or under way, and none failed that only the next one makes up for. */
  readonly idle: boolean;
  readonly backlog: Backlog;
  /** Looks by time from now on, where the release does. */
  start(): void;
  /** Begins nothing more; resolves when the look under way has ended. */
  stop(): Promise<void>;
}

export interface LooksOptions {
  readonly setup: Setup;
  readonly cache: Cache<BalancedNode>;
  readonly mutex: KeyedMutex;
  readonly performer: Performer;
  /** Queues a Service for a sync. */
  readonly enqueue: (key: string) => void;
  /** Is told of an error that nobody expects: everything is to end. */
  readonly defect: (error: unknown) => void;
}

/** Milliseconds in which changes of nodes are gathered: each look may call the cloud for each Service. */
const gathering = 1000;

export function createLooks(options: LooksOptions): Looks {
  const { cache, defect } = options;
  const { clock, planner, tell } = options.setup;
  let list: readonly BalancedNode[] | undefined;
  let beat: ScheduledCall | undefined;
  let owed: readonly Owed[] = [];
  let stopped = false;
  const nodes = (): readonly BalancedNode[] => {
    list ??= [...cache.values()];
    return list;
  };
  const onDue = (): void => tell({ kind: 'nodes', state: 'due', milliseconds: 0, services: 0, failed: 0 });
  const look = async (waited: number): Promise<void> => {
    const began = clock.elapsed();
    tell({ kind: 'nodes', state: 'begun', milliseconds: waited, services: 0, failed: 0 });
    const keys = planner.servicesToUpdate(nodes());
    const failures = await goThrough(keys, options, nodes, () => stopped);
    owed = failures.filter(({ queued }) => !queued).map(({ key, error }) => ({ key, error }));
    const came = { services: keys.length, failed: failures.length, owed };
    tell({ kind: 'nodes', state: 'ended', milliseconds: clock.elapsed() - began, ...came });
  };
  const rounds = createRounds({ clock, onDue, work: look, defect });
  const start = (): void => {
    const period = planner.nodeSyncPeriod;
    if (period === undefined || stopped) return;
    rounds.due(0);
    beat = clock.schedule(start, period);
  };
  return {
    take({ type, object, old }) {
      list = undefined;
      const changed = type === 'deleted' ? planner.nodeChanged(object, undefined) : planner.nodeChanged(old, object);
      if (changed) rounds.due(gathering);
    },
    nodes,
    get idle() {
      return rounds.idle && owed.length === 0;
    },
    get backlog() {
      return withBacklogs(rounds.backlog, [{ waiting: 0, processing: 0, delayed: owed.length }]);
    },
    start,
    stop() {
      stopped = true;
      beat?.cancel();
      return rounds.stop();
    },
  };
}

interface Failure extends Owed {
  /** Whether a sync makes up for it. */
  readonly queued: boolean;
}

/** As many Services at a time as there are workers. */
async function goThrough(
  keys: readonly string[],
  options: LooksOptions,
  nodes: () => readonly BalancedNode[],
  stopped: () => boolean,
): Promise<readonly Failure[]> {
  const { ownership, workers } = options.setup;
  const left = keys.values();
  const failures: Failure[] = [];
  const serve = async (): Promise<void> => {
    for (const key of left) {
      const failure = !stopped() && ownership.owns(key) ? await syncNodes(key, options, nodes) : undefined;
      if (failure) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: workers }, serve));
  return failures;
}

async function syncNodes(key: string, options: LooksOptions, nodes: () => readonly BalancedNode[]): Promise<Failure | undefined> {
  const { setup, mutex, performer, enqueue } = options;
  const { planner } = setup;
  const job = newJob(key);
  try {
    const retry = await mutex.run(key, () => performer.take(job, planner.syncNodes(key, nodes())));
    if (job.lost || (retry && planner.failuresToQueue)) enqueue(key);
    return retry ? { key, error: job.updateFailure?.error, queued: planner.failuresToQueue } : undefined;
  } catch (error) {
    if (isEnd(error)) return undefined;
    enqueue(key);
    return { key, error, queued: true };
  }
}

/** Work that is done when it is due: one round at a time, and another one afterwards where it is due again meanwhile. */
export interface Rounds {
  /** After so many milliseconds; nothing where it is due already. */
  due(delay: number): void;
  readonly idle: boolean;
  readonly backlog: Backlog;
  /** Begins no round any more; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  readonly clock: SteadyClock;
  /** Told when a round becomes due that was not. */
  readonly onDue: () => void;
  /** @param waited milliseconds since it was due */
  readonly work: (waited: number) => Promise<void>;
  /** Is told what a round throws. */
  readonly defect: (error: unknown) => void;
}

export function createRounds({ clock, onDue, work, defect }: RoundsOptions): Rounds {
  let since: number | undefined;
  let call: ScheduledCall | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  const round = async (): Promise<void> => {
    const waited = clock.elapsed() - (since ?? 0);
    since = undefined;
    await work(waited).catch(defect);
    running = undefined;
    if (since !== undefined && !call) begin();
  };
  const begin = (): void => {
    call = undefined;
    if (!stopped && !running) running = round();
  };
  return {
    due(delay) {
      if (since !== undefined || stopped) return;
      since = clock.elapsed();
      onDue();
      call = clock.schedule(begin, delay);
    },
    get idle() {
      return since === undefined && !running;
    },
    get backlog() {
      return { waiting: since === undefined ? 0 : 1, processing: running ? 1 : 0, delayed: 0 };
    },
    async stop() {
      stopped = true;
      call?.cancel();
      await running;
    },
  };
}
