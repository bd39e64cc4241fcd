import type { WatchEvent } from 'kube-endpoints/port';
import type { ExpectedEvent, History } from './history.ts';
import { keyOf, sameObject, versionOf } from './kinds.ts';
import type { WatchRecord } from './record.ts';

/** The result of checking a watch. */
export interface WatchFinding {
  readonly problem?: string;
  /** True if the watch has received all events so far. */
  readonly isComplete: boolean;
}

/** Compares the events of a watch with the history: each event must arrive once and in order. */
export function checkWatch(record: WatchRecord, history: History): WatchFinding {
  const { startVersion, state, compactedVersion } = record;
  if (state === 'expired') {
    if (startVersion === undefined) return { problem: `${formatWatch(record)} is refused as expired`, isComplete: false };
    const isTooEarly = compactedVersion !== undefined && startVersion >= compactedVersion;
    return {
      isComplete: true,
      ...(isTooEarly && { problem: `${formatWatch(record)} is refused, although only versions up to ${compactedVersion} were compacted` }),
    };
  }
  let worstFinding: WatchFinding | undefined;
  for (const start of possibleStarts(record, history)) {
    const finding = compareEvents(
      record,
      startVersion === undefined ? history.objectsAt(start, record.scope).map(toAddedEvent) : [],
      start,
      history,
    );
    if (!finding.problem && (finding.isComplete || state !== 'open')) return finding;
    if (!worstFinding || (worstFinding.problem && !finding.problem)) worstFinding = finding;
  }
  return worstFinding as WatchFinding;
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

function compareEvents(record: WatchRecord, initial: readonly ExpectedEvent[], start: number, history: History): WatchFinding {
  const expected = [...initial, ...history.eventsAfter(start, record.scope)];
  let receivedCount = 0;
  for (const event of record.events) {
    const expectedEvent = expected[receivedCount];
    if (event.type === 'BOOKMARK') {
      const problem = bookmarkProblem(record, event, {
        receivedCount,
        initialCount: initial.length,
        initialVersion: start,
        nextEvent: expectedEvent,
        lastEvent: expected[receivedCount - 1],
      });
      if (problem) return { problem: `${formatWatch(record)}: ${problem}`, isComplete: false };
    } else if (!expectedEvent || expectedEvent.type !== event.type || !sameObject(expectedEvent.object, event.object)) {
      const actual = formatEvent(event.type, event.object);
      const text = expectedEvent
        ? `${formatEvent(expectedEvent.type, expectedEvent.object)} was expected, not ${actual}`
        : `${actual} is unexpected`;
      return { problem: `${formatWatch(record)}: event ${receivedCount + 1}: ${text}`, isComplete: false };
    } else receivedCount += 1;
  }
  return { isComplete: receivedCount === expected.length };
}

interface WatchPosition {
  readonly receivedCount: number;
  readonly initialCount: number;
  /** The version of the initial objects, or the version after which the watch starts. */
  readonly initialVersion: number;
  readonly nextEvent: ExpectedEvent | undefined;
  readonly lastEvent: ExpectedEvent | undefined;
}

function bookmarkProblem(
  { allowsBookmarks, startVersion }: WatchRecord,
  { object }: WatchEvent,
  { receivedCount, initialCount, initialVersion, nextEvent, lastEvent }: WatchPosition,
): string | undefined {
  const version = versionOf(object);
  const isInitialEnd = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  if (!allowsBookmarks) return 'a bookmark that was not requested';
  if (isInitialEnd && (startVersion !== undefined || receivedCount !== initialCount || version !== initialVersion))
    return `the initial objects end at ${version} after ${receivedCount}`;
  if (receivedCount < initialCount) return `a bookmark of ${version} before the end of the initial objects`;
  if (nextEvent && nextEvent.version <= version) return `a bookmark of ${version} before ${formatEvent(nextEvent.type, nextEvent.object)}`;
  if (receivedCount > initialCount && lastEvent && lastEvent.version > version)
    return `a bookmark of ${version} after ${formatEvent(lastEvent.type, lastEvent.object)}`;
  return undefined;
}

export const formatEvent = (type: string, object: WatchEvent['object']): string => `${type} ${keyOf(object)}@${versionOf(object)}`;
