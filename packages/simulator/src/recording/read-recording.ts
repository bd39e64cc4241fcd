import type { ApiObject } from 'kube-endpoints/port';
import { readAuditEvent } from './audit.ts';
import { buildHistory } from './build-history.ts';
import { checkObject } from './check-types.ts';
import { type Fields, isFields, parseTime } from './fields.ts';
import { type JSONDocument, readJSONDocuments } from './json-documents.ts';
import { createDumpReader, type DumpReader, type DumpTime, readObserved, readWatchEvent, timeInName } from './observations.ts';
import { isRecordedKind, type RawWrite } from './raw-write.ts';
import { type History, type Place, type RecordedEvent, RecordingError } from './types.ts';

/** A file of a recording: an audit log, the output of `kubectl get -w -o json`, or a dump, which is a List. */
export interface RecordingSource {
  readonly name: string;
  /** When the file was written, in milliseconds since the epoch: the time of a dump whose name has none. */
  readonly modifiedAt?: number | undefined;
  read(): AsyncIterable<Uint8Array | string>;
}

export interface ReadOptions {
  /** Reads only objects of this namespace, and Nodes. */
  readonly namespace?: string | undefined;
  /** The limit of writes and Events that are kept in memory; 50,000 by default. */
  readonly maxWrites?: number;
}

/**
 * Reads a recording as a history of its objects. Files may be of different formats, and are read one object at a time.
 * @throws RecordingError if an entry is invalid, or if there are more writes than the limit
 */
export async function readRecording(sources: readonly RecordingSource[], options: ReadOptions = {}): Promise<History> {
  const reading: Reading = {
    options,
    writes: [],
    events: [],
    skipped: {},
    dumps: createDumpReader(),
    lastVersions: new Map(),
    entries: 0,
  };
  const dated = sources.map((source) => ({ source, time: { named: timeInName(source.name), modified: source.modifiedAt } }));
  for (const { source, time } of dated.toSorted((a, b) => orderOf(a.time) - orderOf(b.time)))
    for await (const document of readJSONDocuments(source.name, source.read())) readDocument(reading, document, source.name, time);
  if (reading.entries === 0) throw new RecordingError('the recording is empty: give an audit log, a stream of kubectl get -w, or dumps');
  return buildHistory(reading.writes, reading.events, reading.skipped);
}

const orderOf = ({ named, modified }: DumpTime): number => named ?? modified ?? 0;

interface Reading {
  readonly options: ReadOptions;
  readonly writes: RawWrite[];
  readonly events: RecordedEvent[];
  readonly skipped: Record<string, number>;
  readonly dumps: DumpReader;
  /** The last resourceVersion of each object in streams and dumps, which show objects again that did not change. */
  readonly lastVersions: Map<string, string>;
  entries: number;
}

function readDocument(reading: Reading, { value, line }: JSONDocument, source: string, time: DumpTime): void {
  const place = `${source}:${line}`;
  reading.entries += 1;
  if (!isFields(value)) throw new RecordingError(`${place}: give objects, not a list`);
  const { kind, apiVersion, items } = value;
  if (String(apiVersion).startsWith('audit.k8s.io/')) readAudit(reading, value, place);
  else if (typeof kind !== 'string' || !kind.endsWith('List')) readChange(reading, value, place);
  else if (Array.isArray(items)) readDump(reading, value, { source, place, time });
  else throw new RecordingError(`${place}: items: give a list`);
}

/** Reads what `kubectl get -w` prints: an event of a watch, or an object. */
function readChange(reading: Reading, value: Fields, place: Place): void {
  const isEvent = value['kind'] === undefined && 'type' in value;
  const event = isEvent ? readWatchEvent(value, place) : { object: value, effect: 'observe' as const };
  if (!event) return;
  const { object, effect } = event;
  if (object['kind'] === undefined) throw new RecordingError(`${place}: kind: give an audit event, a watch event, a List or an object`);
  if (object['kind'] === 'Event') addEvent(reading, object, place);
  else if (isRecordedKind(object['kind'])) add(reading, readObserved(object, effect, Number.POSITIVE_INFINITY, place));
  else skip(reading, 'of another kind');
}

/** Audit events come one by one, or from a webhook in an EventList. */
function readAudit(reading: Reading, value: Fields, place: Place): void {
  const events = value['kind'] === 'EventList' ? value['items'] : [value];
  if (!Array.isArray(events)) throw new RecordingError(`${place}: items: give a list`);
  for (const event of events) {
    if (!isFields(event)) throw new RecordingError(`${place}: items: give audit events`);
    const { writes, skipped } = readAuditEvent(event, place);
    for (const write of writes) add(reading, write);
    if (skipped) skip(reading, skipped);
  }
}

interface DumpSource {
  readonly source: string;
  readonly place: Place;
  readonly time: DumpTime;
}

function readDump(reading: Reading, list: Fields, { source, place, time }: DumpSource): void {
  if (time.named === undefined && time.modified === undefined)
    throw new RecordingError(`${place}: the time of this dump is unknown: put it into the file name, as in pods-20261130T021304Z.json`);
  const items = (list['items'] as readonly unknown[]).map((item, index): Fields => {
    if (!isFields(item)) throw new RecordingError(`${place}: items[${index}]: give an object`);
    return { ...item, kind: item['kind'] ?? (list['kind'] as string).slice(0, -'List'.length) };
  });
  const placeOf = (index: number): Place => `${place}: items[${index}]`;
  for (const [index, item] of items.entries()) if (item['kind'] === 'Event') addEvent(reading, item, placeOf(index));
  for (const write of reading.dumps.read(source, items, time, placeOf)) add(reading, write);
}

function add(reading: Reading, write: RawWrite): void {
  const { namespace } = reading.options;
  if (namespace !== undefined && write.namespace !== namespace && write.kind !== 'Node') return;
  if (write.effect === 'observe' || write.effect === 'vanish') {
    const key = `${write.kind} ${write.namespace}/${write.name}`;
    if (write.effect === 'observe' && write.resourceVersion !== undefined && reading.lastVersions.get(key) === write.resourceVersion)
      return;
    if (write.resourceVersion !== undefined) reading.lastVersions.set(key, write.resourceVersion);
    if (write.effect === 'vanish') reading.lastVersions.delete(key);
  }
  reading.writes.push(write);
  checkLimit(reading, write.place);
}

function addEvent(reading: Reading, object: Fields, place: Place): void {
  checkObject(object, 'Event', place);
  const { namespace } = reading.options;
  const regarding = isFields(object['involvedObject']) ? object['involvedObject'] : {};
  if (namespace !== undefined && regarding['namespace'] !== namespace && regarding['kind'] !== 'Node') return;
  const at = [object['lastTimestamp'], object['eventTime'], object['firstTimestamp']].map(parseTime).find((time) => time !== undefined);
  if (at === undefined) {
    skip(reading, 'without a time');
    return;
  }
  reading.events.push({ at, object: object as unknown as ApiObject });
  checkLimit(reading, place);
}

const defaultMaxWrites = 50_000;

function checkLimit({ writes, events, options: { maxWrites = defaultMaxWrites } }: Reading, place: Place): void {
  if (writes.length + events.length <= maxWrites) return;
  throw new RecordingError(`${place}: more than ${maxWrites} writes and Events: select a namespace, or give a shorter recording`);
}

function skip({ skipped }: Reading, reason: string): void {
  skipped[reason] = (skipped[reason] ?? 0) + 1;
}
