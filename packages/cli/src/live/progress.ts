import type { ControllersStats, Observer, RuntimeEvent } from '@kube-endpoints/controllers';
import { type ControllerStats, pause } from '@kube-endpoints/controllers/internal';
import { formatCount } from 'kube-endpoints/internal';
import { messageOf, withoutSecrets } from 'kube-endpoints/internal/apimachinery';
import type { Clock } from 'kube-endpoints/port';

/** The progress of the controllers, for the status line and `--once`. */
export interface Progress {
  readonly observer: Observer;
  /** The number of events so far, except requests. */
  readonly activity: number;
  /**
   * Failures that are no longer retried, such as "endpoints of shop/web: forbidden", and all failures of load balancers, which are retried
   * forever.
   */
  readonly dropped: readonly string[];
  /** The progress in one line. */
  text(): string;
}

export function createProgress(): Progress {
  const informers = new Map<string, boolean>();
  const queues = new Map<string, number>();
  const dropped = new Map<string, string>();
  const counts = { activity: 0, synced: 0, written: 0, failed: 0 };
  const role = { text: '' };
  return {
    observer(event) {
      if (event.kind === 'informer') informers.set(event.resource, event.state === 'watching');
      else if (event.kind === 'queued' || event.kind === 'taken') queues.set(event.queue, event.length);
      else if (event.kind === 'synced') countSync(event, counts, dropped);
      else if (event.kind === 'missing') dropped.set(event.controller, `${event.controller}: ${failureMessage(event.error)}`);
      else if (event.kind === 'cloud') countCall(event, counts, dropped);
      else if (event.kind === 'orphan') countOrphan(event, counts, dropped);
      else if (event.kind === 'nodes') countNodeSync(event, counts, dropped);
      else if (event.kind === 'leadership')
        role.text = event.leads ? 'leads' : event.leader === undefined ? 'no leader yet' : `follows ${event.leader}`;
      else if (event.kind === 'shards') role.text = event.members.length > 0 ? `one of ${event.members.length}` : 'no shard';
      if (event.kind !== 'request') counts.activity += 1;
    },
    get activity() {
      return counts.activity;
    },
    get dropped() {
      return [...dropped.values()];
    },
    text() {
      const syncedInformers = [...informers.values()].filter(Boolean).length;
      const queued = [...queues.values()].reduce((sum, length) => sum + length, 0);
      const parts = [
        `caches ${syncedInformers} of ${informers.size}`,
        `${queued} queued`,
        formatCount(counts.synced, 'sync'),
        formatCount(counts.written, 'write'),
        ...(counts.failed > 0 ? [formatCount(counts.failed, 'failure')] : []),
        ...(role.text ? [role.text] : []),
      ];
      return parts.join(', ');
    },
  };
}

/**
 * True if only dropped keys, and load balancers that keep failing, are left. Does not wait for retries of a failing cloud, because each may
 * take as long as the call's timeout.
 */
export function hasOnlyDroppedWork(dropped: readonly string[], controllers: ControllersStats['controllers']): boolean {
  const { 'service-lb': balancers, ...others } = controllers;
  const otherStats = Object.values(others);
  const sum = (name: keyof Backlog): number => otherStats.reduce((all, stats) => all + stats[name], 0);
  const failingBalancers = dropped.filter((text) => text.startsWith('service-lb')).length;
  const pendingBalancers = balancers ? balancers.waiting + balancers.processing + balancers.delayed : 0;
  return (
    dropped.length > 0 &&
    pendingBalancers <= failingBalancers &&
    sum('waiting') + sum('processing') === 0 &&
    sum('delayed') <= dropped.length - failingBalancers
  );
}

type Backlog = Pick<ControllerStats, 'waiting' | 'processing' | 'delayed'>;

type SyncEvent = Extract<RuntimeEvent, { kind: 'synced' }>;

function countSync(
  { controller, key, outcome, writes, error }: SyncEvent,
  counts: { synced: number; written: number; failed: number },
  dropped: Map<string, string>,
): void {
  counts.synced += 1;
  counts.written += writes;
  const name = `${controller} of ${key}`;
  if (outcome === 'success') dropped.delete(name);
  if (outcome === 'dropped' || outcome === 'retried') counts.failed += 1;
  const isRetriedForever = outcome === 'retried' && controller === 'service-lb';
  if (outcome === 'dropped' || isRetriedForever) dropped.set(name, `${name}: ${failureMessage(error)}`);
}

const failureMessage = (error: unknown): string => (error === undefined ? 'given up' : withoutSecrets(messageOf(error)));

type CloudCallEvent = Extract<RuntimeEvent, { kind: 'cloud' }>;

/**
 * Counts failed `list` and `get` calls: they happen outside of a sync or before it, so no sync event reports them. A later sync of the same
 * Service replaces the message.
 */
function countCall({ call, key, outcome, error }: CloudCallEvent, counts: { failed: number }, dropped: Map<string, string>): void {
  if (outcome === 'released' || (call !== 'list' && call !== 'get')) return;
  const name = call === 'list' ? 'service-lb, list' : `service-lb of ${key}`;
  if (outcome === 'answered') dropped.delete(name);
  else
    dropped.set(
      name,
      `${call === 'list' ? 'service-lb: load balancers without a Service could not be listed' : name}: ${failureMessage(error)}`,
    );
  if (outcome !== 'answered' && call === 'list') counts.failed += 1;
}

type OrphanEvent = Extract<RuntimeEvent, { kind: 'orphan' }>;

function countOrphan({ key, uid, outcome, error }: OrphanEvent, counts: { failed: number }, dropped: Map<string, string>): void {
  const name = `service-lb, orphan ${key} ${uid}`;
  dropped.delete(name);
  if (outcome !== 'retried') return;
  counts.failed += 1;
  dropped.set(name, `service-lb: the load balancer of ${key}, which has no Service, could not be deleted: ${failureMessage(error)}`);
}

type NodeSyncEvent = Extract<RuntimeEvent, { kind: 'nodes' }>;

/** Until Kubernetes 1.25, the next node sync retries a failed one, over a minute later; since 1.26, a sync of the Service does. */
function countNodeSync({ state, pending = [] }: NodeSyncEvent, counts: { failed: number }, dropped: Map<string, string>): void {
  if (state !== 'ended') return;
  const prefix = 'service-lb, nodes of ';
  for (const name of dropped.keys()) if (name.startsWith(prefix)) dropped.delete(name);
  for (const { key, error } of pending)
    dropped.set(
      `${prefix}${key}`,
      `service-lb of ${key}: the nodes of its load balancer could not be brought up to date: ${failureMessage(error)}`,
    );
  counts.failed += pending.length;
}

/**
 * Resolves when the caches are synced, no work is left, and no event has arrived for a while. The pause is needed because a write causes
 * a watch event, which may cause more work.
 */
export async function untilQuiet(
  host: { readonly ready: boolean; readonly idle: boolean },
  progress: { readonly activity: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  let lastActivity = -1;
  let quietPolls = 0;
  while (quietPolls < requiredQuietPolls && !signal.aborted) {
    await pause(clock, pollIntervalMs, signal);
    quietPolls = host.ready && host.idle && progress.activity === lastActivity ? quietPolls + 1 : 0;
    lastActivity = progress.activity;
  }
}

/** The number of polls in a row, together a quarter of a second, without any activity. */
const requiredQuietPolls = 5;
const pollIntervalMs = 50;
