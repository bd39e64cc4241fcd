import type { Clock, Resource } from 'kube-endpoints/port';
import { createLog, type EventLog, type LogBounds } from './log.ts';
import type { LogEvent, StoredVersion, Table } from './records.ts';
import type { SelectableFields } from './selectors/selection.ts';
import { createTable } from './table.ts';

/** State that the modules of a store share. */
export interface StoreState {
  readonly clock: Clock;
  readonly log: EventLog;
  /** Called after every commit, for any resource. */
  readonly waiters: Set<() => void>;
  /** Called with each committed write. */
  readonly observers: Set<(write: LogEvent) => void>;
  readonly bookmarkInterval: number;
  /** The newest revision, including writes that are not published yet. */
  revision: number;
  /** The newest revision that readers may see. */
  publishedRevision: number;
  /** Number of the first event that is not published yet. */
  publishedEventNumber: number;
  /** Approximate memory of the writes that are not published yet, in bytes. */
  pendingBytes: number;
  /** Saves writes before they are published. Absent if the store is only in memory. */
  saver?: Saver;
  /** Number of nested open transactions. */
  transactionDepth: number;
  /** Incremented to end all watches. */
  generation: number;
  /** Selectable fields by versioned resource; overrides `selectableFields`. */
  readonly selectableOverrides: Map<string, SelectableFields | undefined>;
  tableOf(resource: Resource): Table;
  /** The selectable fields of a resource version without an entry in `selectableOverrides`. */
  selectableFields(resource: Resource): SelectableFields | undefined;
  /** Storage path for error messages. */
  pathOf(resource: Resource): string;
  tables(): Iterable<Table>;
}

/** Saves the writes of a store in a journal. */
export interface Saver {
  /** Requests that all writes so far are saved, after the current synchronous code. */
  request(): void;
  /** Resolves when all writes so far are saved and published; undefined if they are. @throws ApiError if they cannot be saved and are undone */
  waitUntilSaved(): Promise<void> | undefined;
  /** @throws ApiError if too many writes wait to be saved */
  requireRoom(): void;
}

interface StateOptions extends LogBounds {
  readonly clock: Clock;
  readonly revision: number;
  readonly bookmarkInterval: number;
  selectableFields(resource: Resource): SelectableFields | undefined;
  storagePath(resource: Resource): string;
}

export function createState({ clock, revision, bookmarkInterval, selectableFields, storagePath, ...bounds }: StateOptions): StoreState {
  const tables = new Map<string, Table>();
  const tablesByResource = new WeakMap<Resource, Table>();
  const findOrCreateTable = (resource: Resource): Table => {
    const name = `${resource.plural}.${resource.group}`;
    const table = tables.get(name) ?? createTable(resource);
    tables.set(name, table);
    tablesByResource.set(resource, table);
    return table;
  };
  return {
    clock,
    log: createLog(bounds),
    waiters: new Set(),
    observers: new Set(),
    bookmarkInterval,
    revision,
    publishedRevision: revision,
    publishedEventNumber: 0,
    pendingBytes: 0,
    transactionDepth: 0,
    generation: 0,
    tableOf: (resource) => tablesByResource.get(resource) ?? findOrCreateTable(resource),
    selectableOverrides: new Map(),
    selectableFields,
    pathOf: storagePath,
    tables: () => tables.values(),
  };
}

/** The fields, besides name and namespace, that a field selector may use. */
export function selectableOf(
  { selectableOverrides, selectableFields }: StoreState,
  resource: Resource,
  options: { readonly selectable?: SelectableFields | undefined },
): SelectableFields | undefined {
  if (Object.hasOwn(options, 'selectable')) return options.selectable;
  const id = versionedIdOf(resource);
  return selectableOverrides.has(id) ? selectableOverrides.get(id) : selectableFields(resource);
}

export const versionedIdOf = ({ group, version, plural }: Resource): string => `${plural}.${group}/${version}`;

/** The newest revision that a reader may see: within a transaction, that of its own writes. */
export const visibleRevisionOf = ({ transactionDepth, revision, publishedRevision }: StoreState): number =>
  transactionDepth > 0 ? revision : publishedRevision;

/** The new and the previous version of an object, and the bytes by which the change grows the log. */
export interface Change {
  readonly current: StoredVersion | undefined;
  readonly previous: StoredVersion | undefined;
  readonly bytes: number;
}

/** Applies a change to the table and the log under the next revision. Commits it if no transaction is open. */
export function apply(state: StoreState, table: Table, key: string, change: Change): LogEvent {
  state.revision += 1;
  if (change.current) table.put(key, change.current);
  else table.remove(key);
  const { current, previous, bytes } = change;
  const event: LogEvent = { table, key, revision: state.revision, bytes, current, previous, watchEvents: {} };
  state.log.append(event);
  table.pendingCount += 1;
  state.pendingBytes += bytes;
  if (state.transactionDepth === 0) commit(state);
  return event;
}

/** Publishes all writes. If the store has a journal, they are saved first. */
export function commit(state: StoreState): void {
  if (state.saver) state.saver.request();
  else publish(state, state.log.nextEventNumber);
}

/** Shows the events before the event number `end` to readers, notifies observers and waiters, then trims the log. */
export function publish(state: StoreState, end: number): void {
  const { log, waiters, observers } = state;
  const begin = state.publishedEventNumber;
  if (begin === end) return;
  for (let number = begin; number < end; number++) {
    const { table, bytes } = log.at(number);
    table.pendingCount -= 1;
    state.pendingBytes -= bytes;
  }
  state.publishedEventNumber = end;
  state.publishedRevision = log.at(end - 1).revision;
  for (let number = begin; number < end; number++) {
    const event = log.at(number);
    for (const observe of observers) observe(event);
    // A woken watch reads all new events, so consecutive events of one table need one call.
    if (number + 1 < end && log.at(number + 1).table === event.table) continue;
    for (const wake of event.table.waiters) wake();
  }
  for (const wake of waiters) wake();
  log.trim(end);
}

/** Undoes the events since the event number `mark`, newest first. */
export function rollback(state: StoreState, mark: number): void {
  while (state.log.nextEventNumber > mark) {
    const { table, key, previous, revision, bytes } = state.log.retract();
    if (previous) table.put(key, previous);
    else table.remove(key);
    table.pendingCount -= 1;
    state.pendingBytes -= bytes;
    state.revision = revision - 1;
  }
}
