import type { WatchEvent } from 'kube-endpoints/port';
import type { ExpectedEvent, History } from './history.ts';
import { keyOf, sameObject, versionOf } from './kinds.ts';
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
    if (from === undefined) return { problem: `${formatWatch(record)} is refused as expired`, complete: false };
    const early = compacted !== undefined && from >= compacted;
    return {
      complete: true,
      ...(early && { problem: `${formatWatch(record)} is refused, although only versions up to ${compacted} were compacted` }),
    };
  }
  let worst: WatchFinding | undefined;
  for (const base of basesOf(record, history)) {
    const finding = compare(record, from === undefined ? history.at(base, record.scope).map(asAdded) : [], base, history);
    if (!finding.problem && (finding.complete || state !== 'open')) return finding;
    if (!worst || (worst.problem && !finding.problem)) worst = finding;
  }
  return worst as WatchFinding;
}

export const formatWatch = ({ kind: { resource }, scope, from, low }: WatchRecord): string => {
  const { matches: _, whole: __, ...selection } = scope;
  return `the watch of ${resource.plural} ${JSON.stringify(selection)} from ${from ?? `the initial objects, started at ${low}`}`;
};

/** The versions at which a watch may have started: with initial objects, any version since the call. */
function basesOf({ from, low }: WatchRecord, { versions }: History): readonly number[] {
  return from !== undefined ? [from] : [low, ...versions.map(({ version }) => version).filter((version) => version > low)];
}

const asAdded = (object: WatchEvent['object']): ExpectedEvent => ({ version: versionOf(object), type: 'ADDED', object });

function compare(record: WatchRecord, initial: readonly ExpectedEvent[], base: number, history: History): WatchFinding {
  const expected = [...initial, ...history.since(base, record.scope)];
  let received = 0;
  for (const event of record.events) {
    const wanted = expected[received];
    if (event.type === 'BOOKMARK') {
      const problem = bookmarkProblem(record, event, {
        received: received,
        initial: initial.length,
        base,
        next: wanted,
        last: expected[received - 1],
      });
      if (problem) return { problem: `${formatWatch(record)}: ${problem}`, complete: false };
    } else if (!wanted || wanted.type !== event.type || !sameObject(wanted.object, event.object)) {
      const got = formatEvent(event.type, event.object);
      const text = wanted ? `${formatEvent(wanted.type, wanted.object)} was expected, not ${got}` : `${got} is unexpected`;
      return { problem: `${formatWatch(record)}: event ${received + 1}: ${text}`, complete: false };
    } else received += 1;
  }
  return { complete: received === expected.length };
}

interface WatchPosition {
  readonly received: number;
  readonly initial: number;
  readonly base: number;
  readonly next: ExpectedEvent | undefined;
  readonly last: ExpectedEvent | undefined;
}

function bookmarkProblem(
  { bookmarks, from }: WatchRecord,
  { object }: WatchEvent,
  { received, initial, base, next, last }: WatchPosition,
): string | undefined {
  const version = versionOf(object);
  const ends = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  if (!bookmarks) return 'a bookmark that was not requested';
  if (ends && (from !== undefined || received !== initial || version !== base))
    return `the initial objects end at ${version} after ${received}`;
  if (received < initial) return `a bookmark of ${version} before the end of the initial objects`;
  if (next && next.version <= version) return `a bookmark of ${version} before ${formatEvent(next.type, next.object)}`;
  if (received > initial && last && last.version > version) return `a bookmark of ${version} after ${formatEvent(last.type, last.object)}`;
  return undefined;
}

export const formatEvent = (type: string, object: WatchEvent['object']): string => `${type} ${keyOf(object)}@${versionOf(object)}`;
