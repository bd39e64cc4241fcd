import type { ControllersStats, Observer, RuntimeEvent } from '@kube-endpoints/controllers';
import { type ControllerStats, pause } from '@kube-endpoints/controllers/internal';
import { counted, messageOf, withoutSecrets } from 'kube-endpoints/internal';
import type { Clock } from 'kube-endpoints/port';

/** The progress of the controllers, for the status line and `--once`. */
export interface Progress {
  readonly observer: Observer;
  /** The number of events so far, except requests. */
  readonly activity: number;
  /** Failures that were given up, such as "endpoints of shop/web: why", and load balancer failures, which are retried without end. */
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
      const complete = [...informers.values()].filter(Boolean).length;
      const waiting = [...queues.values()].reduce((sum, length) => sum + length, 0);
      const parts = [
        `caches ${complete} of ${informers.size}`,
        `${waiting} queued`,
        counted(counts.synced, 'sync'),
        counted(counts.written, 'write'),
        ...(counts.failed > 0 ? [counted(counts.failed, 'failure')] : []),
        ...(role.text ? [role.text] : []),
      ];
      return parts.join(', ');
    },
  };
}

/**
 * True if only dropped keys, and load balancers that keep failing, are left. Does not wait for retries of a failing cloud: each may take as
 * long as the call's timeout.
 */
export function isOnlyDropped(dropped: readonly string[], controllers: ControllersStats['controllers']): boolean {
  const { 'service-lb': balancing, ...rest } = controllers;
  const others = Object.values(rest);
  const sum = (name: keyof Backlog): number => others.reduce((all, stats) => all + stats[name], 0);
  const failing = dropped.filter((text) => text.startsWith('service-lb')).length;
  const left = balancing ? balancing.waiting + balancing.processing + balancing.delayed : 0;
  return dropped.length > 0 && left <= failing && sum('waiting') + sum('processing') === 0 && sum('delayed') <= dropped.length - failing;
}

type Backlog = Pick<ControllerStats, 'waiting' | 'processing' | 'delayed'>;

type Synced = Extract<RuntimeEvent, { kind: 'synced' }>;

function countSync(
  { controller, key, outcome, writes, error }: Synced,
  counts: { synced: number; written: number; failed: number },
  dropped: Map<string, string>,
): void {
  counts.synced += 1;
  counts.written += writes;
  const name = `${controller} of ${key}`;
  if (outcome === 'success') dropped.delete(name);
  if (outcome === 'dropped' || outcome === 'retried') counts.failed += 1;
  const isEndless = outcome === 'retried' && controller === 'service-lb';
  if (outcome === 'dropped' || isEndless) dropped.set(name, `${name}: ${failureMessage(error)}`);
}

const failureMessage = (error: unknown): string => (error === undefined ? 'given up' : withoutSecrets(messageOf(error)));

type CloudCall = Extract<RuntimeEvent, { kind: 'cloud' }>;

/**
 * Counts calls outside of a sync, and those before it: no other event reports them. A later sync of the same Service replaces the message.
 */
function countCall({ call, key, outcome, error }: CloudCall, counts: { failed: number }, dropped: Map<string, string>): void {
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

type Orphan = Extract<RuntimeEvent, { kind: 'orphan' }>;

function countOrphan({ key, uid, outcome, error }: Orphan, counts: { failed: number }, dropped: Map<string, string>): void {
  const name = `service-lb, orphan ${key} ${uid}`;
  dropped.delete(name);
  if (outcome !== 'retried') return;
  counts.failed += 1;
  dropped.set(name, `service-lb: the load balancer of ${key}, which has no Service, could not be deleted: ${failureMessage(error)}`);
}

type NodeSync = Extract<RuntimeEvent, { kind: 'nodes' }>;

/** Up to 1.25, a failed node sync is retried only by the next node sync, more than a minute later; since 1.26, by a sync of the Service. */
function countNodeSync({ state, pending = [] }: NodeSync, counts: { failed: number }, dropped: Map<string, string>): void {
  if (state !== 'ended') return;
  const name = 'service-lb, nodes of ';
  for (const before of dropped.keys()) if (before.startsWith(name)) dropped.delete(before);
  for (const { key, error } of pending)
    dropped.set(
      `${name}${key}`,
      `service-lb of ${key}: the nodes of its load balancer could not be brought up to date: ${failureMessage(error)}`,
    );
  counts.failed += pending.length;
}

/**
 * Resolves when the caches are synced, no work is left, and no event has arrived for a while: a write comes back as a watch event that may
 * cause more work.
 */
export async function untilQuiet(
  host: { readonly ready: boolean; readonly idle: boolean },
  progress: { readonly activity: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  let seen = -1;
  let quiet = 0;
  while (quiet < quietRounds && !signal.aborted) {
    await pause(clock, pollIntervalMs, signal);
    quiet = host.ready && host.idle && progress.activity === seen ? quiet + 1 : 0;
    seen = progress.activity;
  }
}

/** A quarter of a second in total. */
const quietRounds = 5;
const pollIntervalMs = 50;
