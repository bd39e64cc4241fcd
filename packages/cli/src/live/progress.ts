import type { ControllersStats, RuntimeEvent, Observer as Tell } from '@kube-endpoints/controllers';
import { type ControllerStats, pause } from '@kube-endpoints/controllers/internal';
import { counted, messageOf, withoutSecrets } from 'kube-endpoints/internal';
import type { Clock } from 'kube-endpoints/port';

/** How far the controllers are, for people. */
export interface Progress {
  readonly tell: Tell;
  /** How many syncs, and what else there was to do, have been told of. */
  readonly activity: number;
  /** What was given up, as "endpoints of shop/web: why", and what fails and is tried again without end: load balancers. */
  readonly dropped: readonly string[];
  /** In a line. */
  text(): string;
}

export function createProgress(): Progress {
  const informers = new Map<string, boolean>();
  const queues = new Map<string, number>();
  const dropped = new Map<string, string>();
  const counts = { activity: 0, synced: 0, written: 0, failed: 0 };
  const role = { text: '' };
  return {
    tell(happening) {
      if (happening.kind === 'informer') informers.set(happening.resource, happening.state === 'watching');
      else if (happening.kind === 'queued' || happening.kind === 'taken') queues.set(happening.queue, happening.length);
      else if (happening.kind === 'synced') countSync(happening, counts, dropped);
      else if (happening.kind === 'missing') dropped.set(happening.controller, `${happening.controller}: ${said(happening.error)}`);
      else if (happening.kind === 'cloud') countCall(happening, counts, dropped);
      else if (happening.kind === 'orphan') countOrphan(happening, counts, dropped);
      else if (happening.kind === 'nodes') countLook(happening, counts, dropped);
      else if (happening.kind === 'leadership') role.text = happening.leads ? 'leads' : `follows ${happening.leader ?? 'nobody yet'}`;
      else if (happening.kind === 'shards') role.text = happening.members.length > 0 ? `one of ${happening.members.length}` : 'no part';
      if (happening.kind !== 'request') counts.activity += 1;
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
 * Whether nothing is left to do but what was given up, or fails time after time. What a cloud fails at is not waited for even while it is
 * tried again: each time may take as long as a call is given.
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
  if (outcome === 'dropped' || isEndless) dropped.set(name, `${name}: ${said(error)}`);
}

const said = (error: unknown): string => (error === undefined ? 'given up' : withoutSecrets(messageOf(error)));

type Call = Extract<RuntimeEvent, { kind: 'cloud' }>;

/** Those that are no part of a sync, or come before it: nobody else tells of them. What a sync says of the same Service is told instead. */
function countCall({ call, key, outcome, error }: Call, counts: { failed: number }, dropped: Map<string, string>): void {
  if (outcome === 'released' || (call !== 'list' && call !== 'get')) return;
  const name = call === 'list' ? 'service-lb, list' : `service-lb of ${key}`;
  if (outcome === 'answered') dropped.delete(name);
  else dropped.set(name, `${call === 'list' ? 'service-lb: load balancers without a Service are not looked for' : name}: ${said(error)}`);
  if (outcome !== 'answered' && call === 'list') counts.failed += 1;
}

type Orphan = Extract<RuntimeEvent, { kind: 'orphan' }>;

function countOrphan({ key, uid, outcome, error }: Orphan, counts: { failed: number }, dropped: Map<string, string>): void {
  const name = `service-lb, orphan ${key} ${uid}`;
  dropped.delete(name);
  if (outcome !== 'retried') return;
  counts.failed += 1;
  dropped.set(name, `service-lb: the load balancer of ${key}, which has no Service, could not be deleted: ${said(error)}`);
}

type Look = Extract<RuntimeEvent, { kind: 'nodes' }>;

/** Up to 1.25, a look that fails is made up for by the next alone, more than a minute later; since then, by a sync. */
function countLook({ state, owed = [] }: Look, counts: { failed: number }, dropped: Map<string, string>): void {
  if (state !== 'ended') return;
  const name = 'service-lb, nodes of ';
  for (const before of dropped.keys()) if (before.startsWith(name)) dropped.delete(before);
  for (const { key, error } of owed)
    dropped.set(`${name}${key}`, `service-lb of ${key}: the nodes of its load balancer could not be brought up to date: ${said(error)}`);
  counts.failed += owed.length;
}

/**
 * Resolves when the caches are complete, nothing is left to do, and nothing new has come for a while: what was written comes back as an
 * event, and may be a reason to do something more.
 */
export async function untilQuiet(
  host: { readonly ready: boolean; readonly idle: boolean },
  progress: { readonly activity: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  let seen = -1;
  let quiet = 0;
  while (quiet < rounds && !signal.aborted) {
    await pause(clock, period, signal);
    quiet = host.ready && host.idle && progress.activity === seen ? quiet + 1 : 0;
    seen = progress.activity;
  }
}

/** A quarter of a second in all. */
const rounds = 5;
const period = 50;
