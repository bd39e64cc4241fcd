import type { KeyedMutex } from 'kube-endpoints/internal/apimachinery';
import type { BalancedNode } from 'kube-endpoints/load-balancer';
import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';
import type { Cache, CacheEvent } from '../cache/index.ts';
import { addBacklogs, type Backlog, isCancellation } from './claims.ts';
import type { PendingUpdate } from './load-balancer-event.ts';
import type { Setup } from './options.ts';
import { createJob, type Performer } from './perform.ts';

/**
 * Updates the nodes of all load balancers when nodes have changed or, in releases before 1.26, periodically. Mirrors nodeSyncLoop and
 * syncNodes (staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export interface NodeSync {
  onNode(event: CacheEvent<BalancedNode>): void;
  /** All nodes; the same list until a node changes. */
  nodes(): readonly BalancedNode[];
  /** Whether no sync is due or running, and no Service waits for the next sync because its last update failed. */
  readonly idle: boolean;
  readonly backlog: Backlog;
  /** Starts the periodic syncs, if the release has them. */
  start(): void;
  /** Starts no further sync; resolves when the running sync has ended. */
  stop(): Promise<void>;
}

export interface NodeSyncOptions {
  readonly setup: Setup;
  readonly cache: Cache<BalancedNode>;
  readonly mutex: KeyedMutex;
  readonly performer: Performer;
  /** Queues a Service for a sync. */
  readonly enqueue: (key: string) => void;
  /** Receives an unexpected error; the controller must then stop. */
  readonly onDefect: (error: unknown) => void;
}

/** Node changes within this time cause only one sync, because each sync may call the cloud for every Service. */
const collectMs = 1000;

export function createNodeSync(options: NodeSyncOptions): NodeSync {
  const { cache, onDefect } = options;
  const { clock, planner, onEvent } = options.setup;
  let cachedNodes: readonly BalancedNode[] | undefined;
  let nextPeriod: ScheduledCall | undefined;
  let pendingUpdates: readonly PendingUpdate[] = [];
  let stopped = false;
  const nodes = (): readonly BalancedNode[] => {
    cachedNodes ??= [...cache.values()];
    return cachedNodes;
  };
  const onDue = (): void => onEvent({ kind: 'nodes', state: 'due', milliseconds: 0, services: 0, failed: 0 });
  const syncNodes = async (waitedMs: number): Promise<void> => {
    const startTime = clock.elapsed();
    onEvent({ kind: 'nodes', state: 'begun', milliseconds: waitedMs, services: 0, failed: 0 });
    const keys = planner.servicesToUpdate(nodes());
    const failures = await updateLoadBalancerHosts(keys, options, nodes, () => stopped);
    pendingUpdates = failures.filter(({ queued }) => !queued).map(({ key, error }) => ({ key, error }));
    const counts = { services: keys.length, failed: failures.length, pending: pendingUpdates };
    onEvent({ kind: 'nodes', state: 'ended', milliseconds: clock.elapsed() - startTime, ...counts });
  };
  const loop = createNodeSyncLoop({ clock, onDue, syncNodes, onDefect });
  const start = (): void => {
    const period = planner.nodeSyncPeriod;
    if (period === undefined || stopped) return;
    loop.schedule(0);
    nextPeriod = clock.schedule(start, period);
  };
  return {
    onNode({ type, object, old }) {
      cachedNodes = undefined;
      const changed = type === 'deleted' ? planner.nodeChanged(object, undefined) : planner.nodeChanged(old, object);
      if (changed) loop.schedule(collectMs);
    },
    nodes,
    get idle() {
      return loop.idle && pendingUpdates.length === 0;
    },
    get backlog() {
      return addBacklogs(loop.backlog, [{ waiting: 0, processing: 0, delayed: pendingUpdates.length }]);
    },
    start,
    stop() {
      stopped = true;
      nextPeriod?.cancel();
      return loop.stop();
    },
  };
}

interface Failure extends PendingUpdate {
  /** Whether a sync of the Service will update its nodes. */
  readonly queued: boolean;
}

/** Updates as many Services at a time as there are workers. */
async function updateLoadBalancerHosts(
  keys: readonly string[],
  options: NodeSyncOptions,
  nodes: () => readonly BalancedNode[],
  isStopped: () => boolean,
): Promise<readonly Failure[]> {
  const { ownership, workers } = options.setup;
  const remainingKeys = keys.values();
  const failures: Failure[] = [];
  const work = async (): Promise<void> => {
    for (const key of remainingKeys) {
      const failure = !isStopped() && ownership.owns(key) ? await nodeSyncService(key, options, nodes) : undefined;
      if (failure) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return failures;
}

async function nodeSyncService(key: string, options: NodeSyncOptions, nodes: () => readonly BalancedNode[]): Promise<Failure | undefined> {
  const { setup, mutex, performer, enqueue } = options;
  const { planner } = setup;
  const job = createJob(key);
  try {
    const retry = await mutex.run(key, () => performer.run(job, planner.syncNodes(key, nodes())));
    if (job.balancerLost || (retry && planner.failuresToQueue)) enqueue(key);
    return retry ? { key, error: job.updateFailure?.error, queued: planner.failuresToQueue } : undefined;
  } catch (error) {
    if (isCancellation(error)) return undefined;
    enqueue(key);
    return { key, error, queued: true };
  }
}

/** Runs one sync at a time. If a sync becomes due meanwhile, runs it afterwards. */
export interface NodeSyncLoop {
  /** Schedules a sync after a delay in milliseconds; does nothing if a sync is already due. */
  schedule(delayMs: number): void;
  readonly idle: boolean;
  readonly backlog: Backlog;
  /** Starts no further sync; resolves when the running sync has ended. */
  stop(): Promise<void>;
}

export interface NodeSyncLoopOptions {
  readonly clock: SteadyClock;
  /** Called when a sync becomes due. */
  readonly onDue: () => void;
  /** @param waitedMs milliseconds since the sync became due */
  readonly syncNodes: (waitedMs: number) => Promise<void>;
  /** Receives the error of a failed sync. */
  readonly onDefect: (error: unknown) => void;
}

export function createNodeSyncLoop({ clock, onDue, syncNodes, onDefect }: NodeSyncLoopOptions): NodeSyncLoop {
  let dueSince: number | undefined;
  let timer: ScheduledCall | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  const runSync = async (): Promise<void> => {
    const waitedMs = clock.elapsed() - (dueSince ?? 0);
    dueSince = undefined;
    await syncNodes(waitedMs).catch(onDefect);
    running = undefined;
    if (dueSince !== undefined && !timer) begin();
  };
  const begin = (): void => {
    timer = undefined;
    if (!stopped && !running) running = runSync();
  };
  return {
    schedule(delayMs) {
      if (dueSince !== undefined || stopped) return;
      dueSince = clock.elapsed();
      onDue();
      timer = clock.schedule(begin, delayMs);
    },
    get idle() {
      return dueSince === undefined && !running;
    },
    get backlog() {
      return { waiting: dueSince === undefined ? 0 : 1, processing: running ? 1 : 0, delayed: 0 };
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      await running;
    },
  };
}
