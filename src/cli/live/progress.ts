import type { Happening, Tell } from '../../runtime/happening.ts';
import { counted } from '../print/text.ts';

/** How far the controllers are, for people. */
export interface Progress {
  readonly tell: Tell;
  /** How many syncs, and what else there was to do, have been told of. */
  readonly activity: number;
  /** What was given up, as "endpoints of shop/web: why". */
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
      else if (happening.kind === 'leadership') role.text = happening.leads ? 'leads' : `follows ${happening.leader ?? 'nobody yet'}`;
      else if (happening.kind === 'shards') role.text = `one of ${happening.members.length}`;
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

type Synced = Extract<Happening, { kind: 'synced' }>;

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
  if (outcome === 'dropped') dropped.set(name, `${name}: ${error instanceof Error ? error.message : String(error ?? 'given up')}`);
}
