import { createDeque } from 'kube-endpoints/internal';
import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import type { LogEvent, Shown, StoredVersion, Table } from './records.ts';

export interface LogBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** The writes of a store, oldest first, and each also in its table. */
export interface EventLog {
  readonly count: number;
  readonly bytes: number;
  /** What the last dropped event wrote; nothing older than that can be told any more. */
  readonly compacted: number;
  /** The number of the next event. */
  readonly end: number;
  at(number: number): LogEvent;
  append(event: LogEvent): void;
  /** Takes the newest event back out. */
  retract(): LogEvent;
  /** Drops the events up to a revision. */
  compact(revision: number): void;
  /** Drops what is over the bounds. */
  trim(): void;
}

export function createLog({ maxEvents, maxBytes }: LogBounds): EventLog {
  const events = createDeque<LogEvent>();
  let bytes = 0;
  let compacted = 0;
  const count = (): number => events.end - events.first;
  const drop = ({ table, revision, bytes: size }: LogEvent): void => {
    events.shift();
    table.events.shift();
    bytes -= size;
    compacted = revision;
  };
  return {
    get count() {
      return count();
    },
    get bytes() {
      return bytes;
    },
    get compacted() {
      return compacted;
    },
    get end() {
      return events.end;
    },
    at: events.at,
    append(event) {
      events.push(event);
      event.table.events.push(event);
      bytes += event.bytes;
    },
    retract() {
      const event = events.at(events.end - 1);
      events.pop();
      event.table.events.pop();
      bytes -= event.bytes;
      return event;
    },
    compact(revision) {
      for (let oldest = events.peek(); oldest && oldest.revision <= revision; oldest = events.peek()) drop(oldest);
      compacted = Math.max(compacted, revision);
    },
    trim() {
      for (let oldest = events.peek(); oldest && (count() > maxEvents || bytes > maxBytes); oldest = events.peek()) drop(oldest);
    },
  };
}

/** The number, in its table, of the first event after a revision. */
export function firstAfter({ events }: Table, revision: number): number {
  let low = events.first;
  let high = events.end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (events.at(middle).revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The event the way a watch shows it, frozen. What is gone is shown as it was, under the revision of the write.
 * @param type DELETED wants a previous object, the others a current one
 */
export function show(event: LogEvent, type: Shown): WatchEvent {
  const known = event.shown[type];
  if (known) return known;
  const { current, previous, revision } = event;
  const object = type === 'DELETED' ? stamp((previous as StoredVersion).object, revision) : (current as StoredVersion).object;
  const made = Object.freeze({ type, object });
  event.shown[type] = made;
  return made;
}

/** A frozen object under another resourceVersion; shares all the rest. */
export const stamp = (object: ApiObject, revision: number): ApiObject =>
  Object.freeze({ ...object, metadata: Object.freeze({ ...object.metadata, resourceVersion: String(revision) }) });
