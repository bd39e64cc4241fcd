import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import { actorOf, createDescriber } from './describe.ts';

/** An entry as the page shows it. */
export type PageEntry = readonly [
  /** Milliseconds since the change. */
  at: number,
  /** The index of its cause; -1 if it has none. */
  cause: number,
  actor: string,
  text: string,
];

export interface PageEntries {
  readonly list: readonly PageEntry[];
  /** How many entries since the change the page leaves out because there are too many. */
  readonly omitted: number;
  /** The index of an entry, or of its nearest cause on the page; -1 if there is none. */
  indexOf(id: number): number;
}

/**
 * Chooses the entries to show: those since the change, without heartbeats and objects that do not matter for requests, and their causes.
 * Above the limit, it leaves out Events first, then updates of workloads.
 * @param since the time of the change in milliseconds since the epoch
 */
export function chooseEntries(timeline: readonly TimelineEntry[], since: number, limit: number): PageEntries {
  const shown = timeline.filter((entry) => entry.at >= since && rankOf(entry) !== undefined);
  const kept = [...shown].sort((a, b) => (rankOf(a) as number) - (rankOf(b) as number) || a.id - b.id).slice(0, limit);
  const ids = new Set(kept.map(({ id }) => id));
  for (const entry of kept) addOldCauses(timeline, entry, since, ids);
  const indices = new Map([...ids].sort((a, b) => a - b).map((id, index) => [id, index]));
  const indexOf = (id: number | undefined): number => {
    for (let next = id; next !== undefined; next = timeline[next]?.cause) {
      const index = indices.get(next);
      if (index !== undefined) return index;
    }
    return -1;
  };
  const describe = createDescriber();
  const list = timeline.flatMap((entry): PageEntry[] => {
    const isShown = ids.has(entry.id);
    if (!isShown && entry.type !== 'route') return [];
    const text = describe(entry);
    return isShown ? [[entry.at - since, indexOf(entry.cause), actorOf(entry), text]] : [];
  });
  return { list, omitted: shown.length - kept.length, indexOf };
}

/** Adds the causes before the change. */
function addOldCauses(timeline: readonly TimelineEntry[], { cause }: TimelineEntry, since: number, ids: Set<number>): void {
  for (let id = cause; id !== undefined && !ids.has(id); id = timeline[id]?.cause) if ((timeline[id]?.at ?? since) < since) ids.add(id);
}

/** How important an entry is, from 0 on; undefined if the page never shows it. */
function rankOf(entry: TimelineEntry): number | undefined {
  if (entry.type === 'event') return 4;
  if (!('object' in entry)) return entry.type === 'route' || entry.type === 'listener' || entry.type === 'target' ? 0 : 2;
  const rank = kindRanks[entry.object.kind ?? ''];
  if (entry.object.kind === 'Node') return isSame(entry.object['spec'], 'previous' in entry && entry.previous?.['spec']) ? undefined : rank;
  return rank === undefined || entry.type === 'update' ? rank : 0;
}

const kindRanks: Readonly<Record<string, number>> = {
  Endpoints: 0,
  EndpointSlice: 0,
  Node: 0,
  Service: 0,
  Pod: 1,
  DaemonSet: 3,
  Deployment: 3,
  Job: 3,
  PodDisruptionBudget: 3,
  ReplicaSet: 3,
  StatefulSet: 3,
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
