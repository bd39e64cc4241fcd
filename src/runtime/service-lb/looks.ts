import type { BalancedNode } from '../../load-balancer/index.ts';
import type { ScheduledCall } from '../../port/index.ts';
import type { Cache, CacheEvent } from '../cache/index.ts';
import { isEnd } from './ends.ts';
import type { Locks } from './locks.ts';
import type { Setup } from './options.ts';
import { newJob, type Performer } from './perform.ts';
import { createRounds } from './rounds.ts';

/** Brings the load balancers to the nodes that there are, whenever these have changed or, in older releases, every so often. */
export interface Looks {
  take(event: CacheEvent<BalancedNode>): void;
  /** All nodes; the same list as long as none has changed. */
  nodes(): readonly BalancedNode[];
  /** Whether no look is due or under way, and none failed that only the next one makes up for. */
  readonly idle: boolean;
  /** Looks by time from now on, where the release does. */
  start(): void;
  /** Begins nothing more; resolves when the look under way has ended. */
  stop(): Promise<void>;
}

export interface LooksOptions {
  readonly setup: Setup;
  readonly cache: Cache<BalancedNode>;
  readonly locks: Locks;
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
  let owing = false;
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
    const failed = await goThrough(keys, options, nodes, () => stopped);
    owing = failed > 0 && !planner.failuresToQueue;
    tell({ kind: 'nodes', state: 'ended', milliseconds: clock.elapsed() - began, services: keys.length, failed });
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
      return rounds.idle && !owing;
    },
    start,
    stop() {
      stopped = true;
      beat?.cancel();
      return rounds.stop();
    },
  };
}

/** As many Services at a time as there are workers. Answers for how many of them it failed. */
async function goThrough(
  keys: readonly string[],
  options: LooksOptions,
  nodes: () => readonly BalancedNode[],
  stopped: () => boolean,
): Promise<number> {
  const { ownership, workers } = options.setup;
  const left = keys.values();
  let failed = 0;
  const serve = async (): Promise<void> => {
    for (const key of left) if (!stopped() && ownership.owns(key) && (await syncNodes(key, options, nodes))) failed++;
  };
  await Promise.all(Array.from({ length: workers }, serve));
  return failed;
}

/** True where it failed. */
async function syncNodes(key: string, options: LooksOptions, nodes: () => readonly BalancedNode[]): Promise<boolean> {
  const { setup, locks, performer, enqueue } = options;
  const { planner } = setup;
  const job = newJob(key);
  try {
    const retry = await locks.run(key, () => performer.take(job, planner.syncNodes(key, nodes())));
    if (job.lost || (retry && planner.failuresToQueue)) enqueue(key);
    return retry;
  } catch (error) {
    if (isEnd(error)) return false;
    enqueue(key);
    return true;
  }
}
