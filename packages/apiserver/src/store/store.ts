import {
  type ApiObject,
  type Clock,
  type GetOptions,
  type ObjectKey,
  type ObjectList,
  type Resource,
  systemClock,
  type WatchEvent,
} from 'kube-endpoints/port';
import { notFound, unclassified } from './errors.ts';
import { list } from './list.ts';
import type { ListParameters } from './list-options.ts';
import type { LogEvent } from './records.ts';
import { parseResourceVersion, requireFresh, untilFresh } from './resource-version.ts';
import type { SelectableFields } from './selectors/selection.ts';
import { commit, createState, rollback, type StoreState, versionedIdOf } from './state.ts';
import { keyOf } from './table.ts';
import type { WatchParameters } from './watch/plan.ts';
import { watch } from './watch/watch.ts';
import { create, type Handing, type Preconditions, remove, update } from './write.ts';

export interface StoreOptions {
  /** By default that of the machine. */
  readonly clock?: Clock;
  /** The resourceVersion before the first write. By default 1. */
  readonly revision?: number;
  /** How many writes the log remembers, for watches and for lists over an older world. By default 100,000. */
  readonly maxEvents?: number;
  /** How many bytes of memory it may hold on to for that, roughly. By default 64 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds between the bookmarks of a watch. By default a minute. */
  readonly bookmarkInterval?: number;
  /** The fields that a resource can be selected by, beyond name and namespace. By default none. */
  readonly selectableFields?: (resource: Resource) => SelectableFields | undefined;
  /** The path under which messages say that a resource is stored. */
  readonly storagePath?: (resource: Resource) => string;
}

/** What a store holds. */
export interface StoreStats {
  readonly objects: number;
  readonly events: number;
  /** What the log holds on to, roughly. */
  readonly bytes: number;
  /** Nothing older than this revision can be read or watched from. */
  readonly compacted: number;
}

/**
 * The storage of an API server: objects of all resources under one resourceVersion that only goes up, and a log of what happened.
 *
 * All but watching and waiting is synchronous. What is given is copied, unless it is handed over; what is answered is frozen, and the
 * same for everybody.
 * Resources are told apart by group and plural; their version does not count.
 */
export interface Store {
  /** The newest resourceVersion there is. */
  readonly revision: number;
  stats(): StoreStats;
  /** @throws ApiError NotFound; Timeout where the store has not come to the version asked for */
  get(resource: Resource, key: ObjectKey, options?: Pick<GetOptions, 'resourceVersion'>): ApiObject;
  /** What is there now, if anything is. */
  find(resource: Resource, key: ObjectKey): ApiObject | undefined;
  /** @throws ApiError BadRequest, Invalid, Expired; Timeout where the store has not come to the version asked for */
  list(resource: Resource, options?: ListParameters): ObjectList;
  /** @throws ApiError at once where the options are wrong; the iteration throws what the real server answers with an event */
  watch(resource: Resource, options?: WatchParameters): AsyncIterableIterator<WatchEvent>;
  /** @throws ApiError AlreadyExists */
  create(resource: Resource, key: ObjectKey, object: ApiObject, handing?: Handing): ApiObject;
  /**
   * Puts what `change` makes of the stored object in its place. What equals it is not written. What carries another
   * resourceVersion than the stored object's is refused; what carries none is written whatever is there.
   * @throws ApiError NotFound, Conflict; and whatever `change` throws
   */
  update(
    resource: Resource,
    key: ObjectKey,
    change: (current: ApiObject) => ApiObject,
    preconditions?: Preconditions,
    handing?: Handing,
  ): ApiObject;
  /**
   * Answers with what was there, under the resourceVersion of the deletion.
   * @param validate may throw, and nothing is deleted then
   * @throws ApiError NotFound, Conflict
   */
  delete(resource: Resource, key: ObjectKey, preconditions?: Preconditions, validate?: (current: ApiObject) => void): ApiObject;
  /** Runs synchronous steps that come true together or, where one throws, not at all. Each write has a revision of its own. */
  transaction<T>(steps: () => T): T;
  /** Waits until there is such a version, for three seconds. @throws ApiError Timeout */
  untilFresh(resourceVersion: string | undefined, signal?: AbortSignal): Promise<void>;
  /** Forgets what happened up to a revision, or to the newest where that is older. */
  compact(revision: number): void;
  /**
   * Calls back, before anybody else hears of it, with each write that is there to stay. The callback must not write, nor throw.
   * @returns how to end that
   */
  observe(observer: (write: StoreWrite) => void): () => void;
  /** Ends all watches, or those of a resource, as when the server loses its cache. */
  dropWatches(resource?: Resource): void;
  /** Says what a version of a resource can be selected by from now on, in place of what the options said. */
  selectBy(resource: Resource, fields: SelectableFields | undefined): void;
}

/** One write: what was there, and what is, as it is stored. */
export interface StoreWrite {
  readonly resource: Resource;
  readonly current: ApiObject | undefined;
  readonly previous: ApiObject | undefined;
}

export function createStore(options: StoreOptions = {}): Store {
  const state = createState({
    clock: options.clock ?? systemClock,
    revision: options.revision ?? 1,
    maxEvents: options.maxEvents ?? 100_000,
    maxBytes: options.maxBytes ?? 64 * 2 ** 20,
    bookmarkInterval: options.bookmarkInterval ?? 60_000,
    selectableFields: options.selectableFields ?? (() => undefined),
    storagePath: options.storagePath ?? defaultStoragePath,
  });
  return {
    get revision() {
      return state.revision;
    },
    stats: () => statsOf(state),
    get: (resource, key, { resourceVersion } = {}) => get(state, resource, key, resourceVersion),
    find: (resource, key) => state.tableOf(resource).versions.get(keyOf(resource, key))?.object,
    list: (resource, parameters = {}) => list(state, resource, parameters),
    watch: (resource, parameters = {}) => watch(state, resource, parameters),
    create: (resource, key, object, handing) => create(state, resource, key, object, handing),
    update: (resource, key, change, preconditions = {}, handing) => update(state, resource, key, change, preconditions, handing),
    delete: (resource, key, preconditions = {}, validate) => remove(state, resource, key, preconditions, validate),
    transaction: (steps) => transact(state, steps),
    untilFresh: (resourceVersion, signal) => untilFresh(state, resourceVersion, signal),
    compact: (revision) => state.log.compact(Math.min(revision, state.revision)),
    observe: (observer) => observe(state, observer),
    dropWatches: (resource) => dropWatches(state, resource),
    selectBy: (resource, fields) => void state.selectable.set(versionedIdOf(resource), fields),
  };
}

function get(state: StoreState, resource: Resource, key: ObjectKey, resourceVersion: string | undefined): ApiObject {
  const version = parseResourceVersion(resourceVersion);
  if (version.problem !== undefined) throw unclassified(version.problem);
  requireFresh(state, resourceVersion || '0', version.value);
  const found = state.tableOf(resource).versions.get(keyOf(resource, key));
  if (!found) throw notFound(resource, key.name);
  return found.object;
}

function observe({ observers }: StoreState, observer: (write: StoreWrite) => void): () => void {
  const each = ({ table: { resource }, current, previous }: LogEvent): void =>
    observer({ resource, current: current?.object, previous: previous?.object });
  observers.add(each);
  return () => void observers.delete(each);
}

function statsOf(state: StoreState): StoreStats {
  const { count, bytes, compacted } = state.log;
  const objects = [...state.tables()].reduce((sum, { versions }) => sum + versions.size, 0);
  return { objects, events: count, bytes, compacted };
}

function dropWatches(state: StoreState, resource: Resource | undefined): void {
  const tables = resource ? [state.tableOf(resource)] : [...state.tables()];
  if (!resource) state.generation += 1;
  for (const table of tables) table.generation += 1;
  for (const circle of [state.waiting, ...tables.map(({ waiting }) => waiting)]) for (const wake of [...circle]) wake();
}

/** Resources that are stored elsewhere than under their own name: `SpecialDefaultResourcePrefixes` (1.36, pkg/kubeapiserver). */
const special: Readonly<Record<string, string>> = {
  'endpoints.': 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  'nodes.': 'minions',
  'replicationcontrollers.': 'controllers',
  'services.': 'services/specs',
};

/** Where the real server stores a resource: messages of the storage name the path. */
export const defaultStoragePath = ({ plural, group }: Resource): string => `/registry/${special[`${plural}.${group}`] ?? plural}`;

/**
 * Runs steps that are seen by others all together, or, where one throws, not at all; their revisions are then used again.
 * Within another transaction, only the steps of this one are undone.
 *
 * The steps have to be synchronous: nothing else happens while they run, so that none can read what may yet be undone.
 */
function transact<T>(state: StoreState, steps: () => T): T {
  const mark = state.log.end;
  state.depth += 1;
  let result: T;
  try {
    result = steps();
    if (typeof (result as { readonly then?: unknown } | null | undefined)?.then === 'function') {
      throw new TypeError('the steps of a transaction have to be synchronous');
    }
  } catch (error) {
    rollback(state, mark);
    throw error;
  } finally {
    state.depth -= 1;
  }
  if (state.depth === 0) commit(state, mark);
  return result;
}
