import type { ControllersStats, Observer, RuntimeEvent } from '@kube-endpoints/controllers';
import { type ControllerStats, pause } from '@kube-endpoints/controllers/internal';
import { formatCount } from 'kube-endpoints/internal';
import { messageOf, redactSecrets } from 'kube-endpoints/internal/apimachinery';
import type { Clock } from 'kube-endpoints/port';

/** The progress of the controllers, for the status line and `--once`. */
export interface Progress {
  readonly observer: Observer;
  /** The number of events so far, except requests. */
  readonly eventCount: number;
  /**
   * Failures that are no longer retried, such as "endpoints of shop/web: forbidden", and all failures of load balancers, which are retried
   * forever.
   */
  readonly failureMessages: readonly string[];
  /** The progress in one line. */
  text(): string;
}

export function createProgress(): Progress {
  const watchingByResource = new Map<string, boolean>();
  const queueLengths = new Map<string, number>();
  const failures = new Map<string, string>();
  const counts = { activity: 0, synced: 0, written: 0, failed: 0 };
  const role = { text: '' };
  return {
    observer(event) {
      if (event.kind === 'informer') watchingByResource.set(event.resource, event.state === 'watching');
      else if (event.kind === 'queued' || event.kind === 'taken') queueLengths.set(event.queue, event.length);
      else if (event.kind === 'synced') countSync(event, counts, failures);
      else if (event.kind === 'missing') failures.set(event.controller, `${event.controller}: ${formatFailure(event.error)}`);
      else if (event.kind === 'cloud') countCall(event, counts, failures);
      else if (event.kind === 'orphan') countOrphan(event, counts, failures);
      else if (event.kind === 'nodes') countNodeSync(event, counts, failures);
      else if (event.kind === 'leadership')
        role.text = event.leads ? 'leads' : event.leader === undefined ? 'no leader yet' : `follows ${event.leader}`;
      else if (event.kind === 'shards') role.text = event.members.length > 0 ? `one of ${event.members.length}` : 'no shard';
      if (event.kind !== 'request') counts.activity += 1;
    },
    get eventCount() {
      return counts.activity;
    },
    get failureMessages() {
      return [...failures.values()];
    },
    text() {
      const syncedInformerCount = [...watchingByResource.values()].filter(Boolean).length;
      const queuedCount = [...queueLengths.values()].reduce((sum, length) => sum + length, 0);
      const parts = [
        `caches ${syncedInformerCount} of ${watchingByResource.size}`,
        `${queuedCount} queued`,
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
 * True if only dropped keys, and load balancers that keep failing, are left. Does not wait for retries of a failing cloud, because each retry may
 * take as long as the call's timeout.
 */
export function hasOnlyDroppedWork(failureMessages: readonly string[], controllers: ControllersStats['controllers']): boolean {
  const { 'service-lb': balancers, ...others } = controllers;
  const otherStats = Object.values(others);
  const sum = (name: keyof Backlog): number => otherStats.reduce((all, stats) => all + stats[name], 0);
  const failingBalancerCount = failureMessages.filter((text) => text.startsWith('service-lb')).length;
  const pendingBalancerCount = balancers ? balancers.waiting + balancers.processing + balancers.delayed : 0;
  return (
    failureMessages.length > 0 &&
    pendingBalancerCount <= failingBalancerCount &&
    sum('waiting') + sum('processing') === 0 &&
    sum('delayed') <= failureMessages.length - failingBalancerCount
  );
}

type Backlog = Pick<ControllerStats, 'waiting' | 'processing' | 'delayed'>;

type SyncEvent = Extract<RuntimeEvent, { kind: 'synced' }>;

function countSync(
  { controller, key, outcome, writes, error }: SyncEvent,
  counts: { synced: number; written: number; failed: number },
  failures: Map<string, string>,
): void {
  counts.synced += 1;
  counts.written += writes;
  const name = `${controller} of ${key}`;
  if (outcome === 'success') failures.delete(name);
  if (outcome === 'dropped' || outcome === 'retried') counts.failed += 1;
  const isRetriedForever = outcome === 'retried' && controller === 'service-lb';
  if (outcome === 'dropped' || isRetriedForever) failures.set(name, `${name}: ${formatFailure(error)}`);
}

const formatFailure = (error: unknown): string => (error === undefined ? 'given up' : redactSecrets(messageOf(error)));

type CloudCallEvent = Extract<RuntimeEvent, { kind: 'cloud' }>;

/**
 * Counts failed `list` and `get` calls: they happen outside of a sync or before it, so no sync event reports them. A later sync of the same
 * Service replaces the message.
 */
function countCall({ call, key, outcome, error }: CloudCallEvent, counts: { failed: number }, failures: Map<string, string>): void {
  if (outcome === 'released' || (call !== 'list' && call !== 'get')) return;
  const name = call === 'list' ? 'service-lb, list' : `service-lb of ${key}`;
  if (outcome === 'answered') failures.delete(name);
  else
    failures.set(
      name,
      `${call === 'list' ? 'service-lb: load balancers without a Service could not be listed' : name}: ${formatFailure(error)}`,
    );
  if (outcome !== 'answered' && call === 'list') counts.failed += 1;
}

type OrphanEvent = Extract<RuntimeEvent, { kind: 'orphan' }>;

function countOrphan({ key, uid, outcome, error }: OrphanEvent, counts: { failed: number }, failures: Map<string, string>): void {
  const name = `service-lb, orphan ${key} ${uid}`;
  failures.delete(name);
  if (outcome !== 'retried') return;
  counts.failed += 1;
  failures.set(name, `service-lb: the load balancer of ${key}, which has no Service, could not be deleted: ${formatFailure(error)}`);
}

type NodeSyncEvent = Extract<RuntimeEvent, { kind: 'nodes' }>;

/**
 * Counts the Services whose nodes a sync could not update. Until Kubernetes 1.25, the next node sync retries them, over a minute later;
 * since 1.26, a sync of the Service does.
 */
function countNodeSync({ state, pending = [] }: NodeSyncEvent, counts: { failed: number }, failures: Map<string, string>): void {
  if (state !== 'ended') return;
  const prefix = 'service-lb, nodes of ';
  for (const name of failures.keys()) if (name.startsWith(prefix)) failures.delete(name);
  for (const { key, error } of pending)
    failures.set(
      `${prefix}${key}`,
      `service-lb of ${key}: the nodes of its load balancer could not be brought up to date: ${formatFailure(error)}`,
    );
  counts.failed += pending.length;
}

/**
 * Resolves when the caches are synced, no work is left, and no event has arrived for a while. The pause is needed because a write causes
 * a watch event, which may cause more work.
 */
export async function waitUntilQuiet(
  host: { readonly ready: boolean; readonly idle: boolean },
  progress: { readonly eventCount: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  let lastEventCount = -1;
  let quietPollCount = 0;
  while (quietPollCount < requiredQuietPolls && !signal.aborted) {
    await pause(clock, pollIntervalMs, signal);
    quietPollCount = host.ready && host.idle && progress.eventCount === lastEventCount ? quietPollCount + 1 : 0;
    lastEventCount = progress.eventCount;
  }
}

/** The number of polls in a row, together a quarter of a second, without any activity. */
const requiredQuietPolls = 5;
const pollIntervalMs = 50;
