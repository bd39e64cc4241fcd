import type { WatchEvent } from 'kube-endpoints/port';
import type { History, Said } from './history.ts';
import { placeOf, sameObject, versionOf } from './kinds.ts';
import type { WatchRecord } from './record.ts';

/** The problem of a watch, if any, and whether it has received all events so far. */
export interface WatchFinding {
  readonly problem?: string;
  readonly complete: boolean;
}

/** Compares the events of a watch with the history: each event once, in order, and none missing. */
export function checkWatch(record: WatchRecord, history: History): WatchFinding {
  const { from, state, compacted } = record;
  if (state === 'expired') {
    if (from === undefined) return { problem: `${sayWatch(record)} is refused as expired`, complete: false };
    const early = compacted !== undefined && from >= compacted;
    return { complete: true, ...(early && { problem: `${sayWatch(record)} is refused, though only ${compacted} is forgotten` }) };
  }
  let worst: WatchFinding | undefined;
  for (const base of basesOf(record, history)) {
    const finding = compare(record, from === undefined ? history.at(base, record.scope).map(asAdded) : [], base, history);
    if (!finding.problem && (finding.complete || state !== 'open')) return finding;
    if (!worst || (worst.problem && !finding.problem)) worst = finding;
  }
  return worst as WatchFinding;
}

export const sayWatch = ({ kind: { resource }, scope, from, low }: WatchRecord): string => {
  const { matches: _, whole: __, ...selection } = scope;
  return `the watch of ${resource.plural} ${JSON.stringify(selection)} from ${from ?? `the beginning, begun at ${low}`}`;
};

/** The versions at which a watch may have started: with initial objects, any version since the call. */
function basesOf({ from, low }: WatchRecord, { versions }: History): readonly number[] {
  return from !== undefined ? [from] : [low, ...versions.map(({ version }) => version).filter((version) => version > low)];
}

const asAdded = (object: WatchEvent['object']): Said => ({ version: versionOf(object), type: 'ADDED', object });

function compare(record: WatchRecord, initial: readonly Said[], base: number, history: History): WatchFinding {
  const expected = [...initial, ...history.since(base, record.scope)];
  let told = 0;
  for (const event of record.events) {
    const wanted = expected[told];
    if (event.type === 'BOOKMARK') {
      const wrong = wrongBookmark(record, event, { told, initial: initial.length, base, next: wanted, last: expected[told - 1] });
      if (wrong) return { problem: `${sayWatch(record)}: ${wrong}`, complete: false };
    } else if (!wanted || wanted.type !== event.type || !sameObject(wanted.object, event.object)) {
      const got = sayEvent(event.type, event.object);
      const text = wanted ? `${sayEvent(wanted.type, wanted.object)} was to come, not ${got}` : `${got} is too much`;
      return { problem: `${sayWatch(record)}: event ${told + 1}: ${text}`, complete: false };
    } else told += 1;
  }
  return { complete: told === expected.length };
}

interface Place {
  readonly told: number;
  readonly initial: number;
  readonly base: number;
  readonly next: Said | undefined;
  readonly last: Said | undefined;
}

function wrongBookmark(
  { bookmarks, from }: WatchRecord,
  { object }: WatchEvent,
  { told, initial, base, next, last }: Place,
): string | undefined {
  const version = versionOf(object);
  const ends = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  if (!bookmarks) return 'a bookmark that nobody asked for';
  if (ends && (from !== undefined || told !== initial || version !== base)) return `the objects there are end at ${version} after ${told}`;
  if (told < initial) return `a bookmark of ${version} before all objects are told`;
  if (next && next.version <= version) return `a bookmark of ${version} before ${sayEvent(next.type, next.object)}`;
  if (told > initial && last && last.version > version) return `a bookmark of ${version} after ${sayEvent(last.type, last.object)}`;
  return undefined;
}

export const sayEvent = (type: string, object: WatchEvent['object']): string => `${type} ${placeOf(object)}@${versionOf(object)}`;
