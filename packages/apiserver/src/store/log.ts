import { createDeque } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import type { LogEvent, StoredVersion, Table, WriteEventType } from './records.ts';

export interface LogBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** All writes of a store, oldest first. Each event is also in the log of its table. */
export interface EventLog {
  readonly count: number;
  readonly bytes: number;
  /** Revision of the last dropped event; older revisions cannot be served. */
  readonly compactedRevision: number;
  /** Number of the next event. */
  readonly nextEventNumber: number;
  at(number: number): LogEvent;
  append(event: LogEvent): void;
  /** Removes the newest event. */
  retract(): LogEvent;
  /** Drops events up to and including a revision. */
  compact(revision: number): void;
  /** Drops the oldest events until the log is within its bounds, but none from the event number `end` on. Default: may drop all. */
  trim(end?: number): void;
}

export function createLog({ maxEvents, maxBytes }: LogBounds): EventLog {
  const events = createDeque<LogEvent>();
  let bytes = 0;
  let compactedRevision = 0;
  const count = (): number => events.endIndex - events.firstIndex;
  const drop = ({ table, revision, bytes: size }: LogEvent): void => {
    events.shift();
    table.events.shift();
    bytes -= size;
    compactedRevision = revision;
  };
  return {
    get count() {
      return count();
    },
    get bytes() {
      return bytes;
    },
    get compactedRevision() {
      return compactedRevision;
    },
    get nextEventNumber() {
      return events.endIndex;
    },
    at: events.at,
    append(event) {
      events.push(event);
      event.table.events.push(event);
      bytes += event.bytes;
    },
    retract() {
      const event = events.at(events.endIndex - 1);
      events.pop();
      event.table.events.pop();
      bytes -= event.bytes;
      return event;
    },
    compact(revision) {
      for (let oldest = events.peek(); oldest && oldest.revision <= revision; oldest = events.peek()) drop(oldest);
      compactedRevision = Math.max(compactedRevision, revision);
    },
    trim(end = events.endIndex) {
      const isTooLong = (): boolean => events.firstIndex < end && (count() > maxEvents || bytes > maxBytes);
      for (let oldest = events.peek(); oldest && isTooLong(); oldest = events.peek()) drop(oldest);
    },
  };
}

/** The number, in the table's log, of the first event after a revision. */
export function firstEventAfter({ events }: Table, revision: number): number {
  let low = events.firstIndex;
  let high = events.endIndex;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (events.at(middle).revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the frozen watch event for an event of the log. A deleted object is shown in its last state with the revision of the deletion.
 * @param type DELETED requires a previous object; ADDED and MODIFIED require a current object
 */
export function toWatchEvent(event: LogEvent, type: WriteEventType): WatchEvent {
  const cached = event.watchEvents[type];
  if (cached) return cached;
  const { current, previous, revision } = event;
  const object = type === 'DELETED' ? withRevision((previous as StoredVersion).object, revision) : (current as StoredVersion).object;
  const watchEvent = Object.freeze({ type, object });
  event.watchEvents[type] = watchEvent;
  return watchEvent;
}

/** Returns a frozen copy with the given resourceVersion. The copy shares all other values. */
export const withRevision = (object: ApiObject, revision: number): ApiObject =>
  Object.freeze({ ...object, metadata: Object.freeze({ ...object.metadata, resourceVersion: String(revision) }) });
