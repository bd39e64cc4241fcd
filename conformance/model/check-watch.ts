import type { WatchEvent } from 'kube-endpoints/port';
import type { ExpectedEvent, History } from './history.ts';
import { keyOf, sameObject, versionOf } from './kinds.ts';
import type { WatchRecord } from './record.ts';

/** The result of checking a watch. */
export interface WatchFinding {
  readonly problem?: string;
  /** True if it has received all events so far. */
  readonly complete: boolean;
}

/** Compares the events of a watch with the history: each event once, in order, and none missing. */
export function checkWatch(record: WatchRecord, history: History): WatchFinding {
  const { startVersion, state, compacted } = record;
  if (state === 'expired') {
    if (startVersion === undefined) return { problem: `${formatWatch(record)} is refused as expired`, complete: false };
    const isTooEarly = compacted !== undefined && startVersion >= compacted;
    return {
      complete: true,
      ...(isTooEarly && { problem: `${formatWatch(record)} is refused, although only versions up to ${compacted} were compacted` }),
    };
  }
  let worst: WatchFinding | undefined;
  for (const start of possibleStarts(record, history)) {
    const finding = compare(
      record,
      startVersion === undefined ? history.objectsAt(start, record.scope).map(toAddedEvent) : [],
      start,
      history,
    );
    if (!finding.problem && (finding.complete || state !== 'open')) return finding;
    if (!worst || (worst.problem && !finding.problem)) worst = finding;
  }
  return worst as WatchFinding;
}

export const formatWatch = ({ kind: { resource }, scope, startVersion, newestVersionAtStart }: WatchRecord): string => {
  const { matches: _, hasNoSelector: __, ...selection } = scope;
  return `the watch of ${resource.plural} ${JSON.stringify(selection)} from ${startVersion ?? `the initial objects, started at ${newestVersionAtStart}`}`;
};

/** The versions at which a watch may have started: with initial objects, any version after the call. */
function possibleStarts({ startVersion, newestVersionAtStart }: WatchRecord, { versions }: History): readonly number[] {
  return startVersion !== undefined
    ? [startVersion]
    : [newestVersionAtStart, ...versions.map(({ version }) => version).filter((version) => version > newestVersionAtStart)];
}

const toAddedEvent = (object: WatchEvent['object']): ExpectedEvent => ({ version: versionOf(object), type: 'ADDED', object });

function compare(record: WatchRecord, initial: readonly ExpectedEvent[], start: number, history: History): WatchFinding {
  const expected = [...initial, ...history.eventsAfter(start, record.scope)];
  let received = 0;
  for (const event of record.events) {
    const expectedEvent = expected[received];
    if (event.type === 'BOOKMARK') {
      const problem = bookmarkProblem(record, event, {
        received,
        initial: initial.length,
        start,
        next: expectedEvent,
        last: expected[received - 1],
      });
      if (problem) return { problem: `${formatWatch(record)}: ${problem}`, complete: false };
    } else if (!expectedEvent || expectedEvent.type !== event.type || !sameObject(expectedEvent.object, event.object)) {
      const actual = formatEvent(event.type, event.object);
      const text = expectedEvent
        ? `${formatEvent(expectedEvent.type, expectedEvent.object)} was expected, not ${actual}`
        : `${actual} is unexpected`;
      return { problem: `${formatWatch(record)}: event ${received + 1}: ${text}`, complete: false };
    } else received += 1;
  }
  return { complete: received === expected.length };
}

interface WatchPosition {
  readonly received: number;
  readonly initial: number;
  readonly start: number;
  readonly next: ExpectedEvent | undefined;
  readonly last: ExpectedEvent | undefined;
}

function bookmarkProblem(
  { bookmarks, startVersion }: WatchRecord,
  { object }: WatchEvent,
  { received, initial, start, next, last }: WatchPosition,
): string | undefined {
  const version = versionOf(object);
  const isInitialEnd = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  if (!bookmarks) return 'a bookmark that was not requested';
  if (isInitialEnd && (startVersion !== undefined || received !== initial || version !== start))
    return `the initial objects end at ${version} after ${received}`;
  if (received < initial) return `a bookmark of ${version} before the end of the initial objects`;
  if (next && next.version <= version) return `a bookmark of ${version} before ${formatEvent(next.type, next.object)}`;
  if (received > initial && last && last.version > version) return `a bookmark of ${version} after ${formatEvent(last.type, last.object)}`;
  return undefined;
}

export const formatEvent = (type: string, object: WatchEvent['object']): string => `${type} ${keyOf(object)}@${versionOf(object)}`;
