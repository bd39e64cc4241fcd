import type { Clock, Resource } from 'kube-endpoints/port';
import { createLog, type EventLog, type LogBounds } from './log.ts';
import type { LogEvent, StoredVersion, Table } from './records.ts';
import type { SelectableFields } from './selectors/selection.ts';
import { createTable } from './table.ts';

/** What the parts of a store share. */
export interface StoreState {
  readonly clock: Clock;
  readonly log: EventLog;
  /** Called after every commit, whatever it touched. */
  readonly waiting: Set<() => void>;
  /** Told of each write once it is there to stay. */
  readonly observers: Set<(write: LogEvent) => void>;
  readonly bookmarkInterval: number;
  /** The newest resourceVersion there is. */
  revision: number;
  /** How many transactions are open, one within the other. */
  depth: number;
  /** Goes up when all watches are to end. */
  generation: number;
  /** What each version of a resource can be selected by. */
  readonly selectable: Map<string, SelectableFields | undefined>;
  tableOf(resource: Resource): Table;
  /** For resources of which nothing else was said. */
  selectableFields(resource: Resource): SelectableFields | undefined;
  /** The path that messages of the storage name. */
  pathOf(resource: Resource): string;
  tables(): Iterable<Table>;
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
  const known = new WeakMap<Resource, Table>();
  const tableNamed = (resource: Resource): Table => {
    const name = `${resource.plural}.${resource.group}`;
    const table = tables.get(name) ?? createTable(resource);
    tables.set(name, table);
    known.set(resource, table);
    return table;
  };
  return {
    clock,
    log: createLog(bounds),
    waiting: new Set(),
    observers: new Set(),
    bookmarkInterval,
    revision,
    depth: 0,
    generation: 0,
    tableOf: (resource) => known.get(resource) ?? tableNamed(resource),
    selectable: new Map(),
    selectableFields,
    pathOf: storagePath,
    tables: () => tables.values(),
  };
}

/** What a field selector may name, beyond name and namespace. */
export function selectableOf(
  { selectable, selectableFields }: StoreState,
  resource: Resource,
  given: { readonly selectable?: SelectableFields | undefined },
): SelectableFields | undefined {
  if (Object.hasOwn(given, 'selectable')) return given.selectable;
  const id = versionedIdOf(resource);
  return selectable.has(id) ? selectable.get(id) : selectableFields(resource);
}

export const versionedIdOf = ({ group, version, plural }: Resource): string => `${plural}.${group}/${version}`;

/** What a write leaves behind: the version that is, the one that was, and what keeping the latter costs. */
export interface Change {
  readonly current: StoredVersion | undefined;
  readonly previous: StoredVersion | undefined;
  readonly bytes: number;
}

/** Puts a change into the table and the log, under the next revision. Outside of a transaction, that commits it. */
export function apply(state: StoreState, table: Table, key: string, change: Change): LogEvent {
  const mark = state.log.end;
  state.revision += 1;
  if (change.current) table.put(key, change.current);
  else table.remove(key);
  const { current, previous, bytes } = change;
  const event: LogEvent = { table, key, revision: state.revision, bytes, current, previous, shown: {} };
  state.log.append(event);
  if (state.depth === 0) commit(state, mark);
  return event;
}

/** Tells those who wait of the events since a mark, and lets the log go back to its bounds. */
export function commit(state: StoreState, mark: number): void {
  const { log, waiting, observers } = state;
  for (let number = mark; number < log.end; number++) {
    const event = log.at(number);
    for (const observe of observers) observe(event);
    // Whoever is called takes what there is, so that of events in a row, once is enough.
    if (number + 1 < log.end && log.at(number + 1).table === event.table) continue;
    for (const wake of event.table.waiting) wake();
  }
  for (const wake of waiting) wake();
  log.trim();
}

/** Undoes the events since a mark, newest first. */
export function rollback(state: StoreState, mark: number): void {
  while (state.log.end > mark) {
    const { table, key, previous, revision } = state.log.retract();
    if (previous) table.put(key, previous);
    else table.remove(key);
    state.revision = revision - 1;
  }
}
