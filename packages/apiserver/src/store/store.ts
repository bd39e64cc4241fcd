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
import { notFound, status500 } from './errors.ts';
import type { Journal, SavedState } from './journal.ts';
import { list } from './list.ts';
import type { ListParameters } from './list-options.ts';
import type { LogEvent } from './records.ts';
import { parseResourceVersion, requireFresh, waitUntilFresh } from './resource-version.ts';
import { captureState, restore } from './saved-state.ts';
import { createSaver } from './saver.ts';
import type { SelectableFields } from './selectors/selection.ts';
import { commit, createState, rollback, type StoreState, versionedIdOf, visibleRevisionOf } from './state.ts';
import { findPublished, keyOf } from './table.ts';
import type { WatchParameters } from './watch/plan.ts';
import { watch } from './watch/watch.ts';
import { create, type OwnershipTransfer, type Preconditions, remove, update } from './write.ts';

export interface StoreOptions {
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  /** The resourceVersion before the first write. Default 1. */
  readonly revision?: number;
  /** Maximum number of writes in the log, which serves watches and lists at older revisions. Default 100,000. */
  readonly maxEvents?: number;
  /** Approximate maximum memory of the log, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds between the bookmarks of a watch. Default 60,000. */
  readonly bookmarkInterval?: number;
  /** The fields of a resource, besides name and namespace, that a field selector may use. Default none. */
  readonly selectableFields?: (resource: Resource) => SelectableFields | undefined;
  /** The storage path of a resource in error messages. */
  readonly storagePath?: (resource: Resource) => string;
  /** Saves each write before readers and watches see it. Default: the store is only in memory. */
  readonly journal?: Journal;
  /** The initial content. The store takes ownership of the objects. */
  readonly saved?: SavedState;
}

export interface StoreStats {
  readonly objects: number;
  readonly events: number;
  /** Approximate memory of the log. */
  readonly bytes: number;
  /** The oldest revision that can be listed or watched. */
  readonly compacted: number;
}

/**
 * The storage of an API server: objects of all resources under one increasing resourceVersion, and a log of the writes.
 *
 * All methods except `watch` and those that wait are synchronous. Passed objects are copied unless their ownership is transferred; returned
 * objects are frozen and shared. Resources are identified by group and plural; the version is ignored.
 *
 * With a journal, a write is published when it is saved. `get`, `list`, `watch` and `revision` show published writes; all other methods work
 * on the newest state. If the journal fails, writes that are not published are undone.
 */
export interface Store {
  /** The newest published resourceVersion. */
  readonly revision: number;
  stats(): StoreStats;
  /** The resources that have objects. */
  storedResources(): readonly Resource[];
  /** @throws ApiError NotFound; Timeout if the store has not reached the requested version */
  get(resource: Resource, key: ObjectKey, options?: Pick<GetOptions, 'resourceVersion'>): ApiObject;
  /** The newest object, or undefined if absent. */
  find(resource: Resource, key: ObjectKey): ApiObject | undefined;
  /** @throws ApiError BadRequest, Invalid, Expired; Timeout if the store has not reached the requested version */
  list(resource: Resource, options?: ListParameters): ObjectList;
  /** @throws ApiError immediately if an option is invalid; the iteration throws errors that upstream sends as ERROR events */
  watch(resource: Resource, options?: WatchParameters): AsyncIterableIterator<WatchEvent>;
  /** @throws ApiError AlreadyExists */
  create(resource: Resource, key: ObjectKey, object: ApiObject, ownership?: OwnershipTransfer): ApiObject;
  /**
   * Replaces the stored object with the result of `change`. An equal object is not written. A resourceVersion other than the stored one is a conflict. An
   * object without resourceVersion replaces any version.
   * @throws ApiError NotFound, Conflict; errors of `change` are rethrown
   */
  update(
    resource: Resource,
    key: ObjectKey,
    change: (current: ApiObject) => ApiObject,
    preconditions?: Preconditions,
    ownership?: OwnershipTransfer,
  ): ApiObject;
  /**
   * Deletes an object and returns it with the resourceVersion of the deletion.
   * @param validate may throw to prevent the deletion
   * @throws ApiError NotFound, Conflict
   */
  delete(resource: Resource, key: ObjectKey, preconditions?: Preconditions, validate?: (current: ApiObject) => void): ApiObject;
  /** Runs synchronous steps atomically: if one throws, all are undone. Each write has its own revision. */
  transaction<T>(steps: () => T): T;
  /** Waits at most three seconds until the store has reached a version. @throws ApiError Timeout */
  waitUntilFresh(resourceVersion: string | undefined, signal?: AbortSignal): Promise<void>;
  /** Resolves when all writes so far are saved; undefined if they are. @throws ApiError if they could not be saved and were undone */
  waitUntilSaved(): Promise<void> | undefined;
  /** @throws ApiError TooManyRequests if too many writes wait to be saved */
  requireRoom(): void;
  /** Captures the published content. Later writes do not change it. */
  capture(): SavedState;
  /** Drops events up to and including a revision, at most the newest. */
  compact(revision: number): void;
  /**
   * Calls the observer with each published write, before the watches. The observer must neither write nor throw.
   * @returns a function that removes the observer
   */
  observe(observer: (write: StoreWrite) => void): () => void;
  /** Ends all watches, or those of one resource, as when the server loses its watch cache. */
  dropWatches(resource?: Resource): void;
  /** Sets the selectable fields of a resource version, overriding the option `selectableFields`. */
  setSelectableFields(resource: Resource, fields: SelectableFields | undefined): void;
}

/** One write, with the objects as stored. */
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
  if (options.saved) restore(state, options.saved);
  if (options.journal) state.saver = createSaver(state, options.journal);
  return {
    get revision() {
      return visibleRevisionOf(state);
    },
    stats: () => statsOf(state),
    storedResources: () => [...state.tables()].filter(({ versions }) => versions.size > 0).map(({ resource }) => resource),
    get: (resource, key, { resourceVersion } = {}) => get(state, resource, key, resourceVersion),
    find: (resource, key) => state.tableOf(resource).versions.get(keyOf(resource, key))?.object,
    list: (resource, parameters = {}) => list(state, resource, parameters),
    watch: (resource, parameters = {}) => watch(state, resource, parameters),
    create: (resource, key, object, ownership) => create(state, resource, key, object, ownership),
    update: (resource, key, change, preconditions = {}, ownership) => update(state, resource, key, change, preconditions, ownership),
    delete: (resource, key, preconditions = {}, validate) => remove(state, resource, key, preconditions, validate),
    transaction: (steps) => transact(state, steps),
    waitUntilFresh: (resourceVersion, signal) => waitUntilFresh(state, resourceVersion, signal),
    waitUntilSaved: () => state.saver?.waitUntilSaved(),
    requireRoom: () => state.saver?.requireRoom(),
    capture: () => captureState(state),
    compact: (revision) => compact(state, revision),
    observe: (observer) => observe(state, observer),
    dropWatches: (resource) => dropWatches(state, resource),
    setSelectableFields: (resource, fields) => void state.selectableOverrides.set(versionedIdOf(resource), fields),
  };
}

function get(state: StoreState, resource: Resource, key: ObjectKey, resourceVersion: string | undefined): ApiObject {
  const version = parseResourceVersion(resourceVersion);
  if (version.problem !== undefined) throw status500(version.problem);
  requireFresh(state, resourceVersion || '0', version.value);
  const table = state.tableOf(resource);
  const storageKey = keyOf(resource, key);
  const stored = state.transactionDepth > 0 ? table.versions.get(storageKey) : findPublished(table, storageKey);
  if (!stored) throw notFound(resource, key.name);
  return stored.object;
}

function compact(state: StoreState, revision: number): void {
  state.log.compact(Math.min(revision, state.publishedRevision));
  state.saver?.request();
}

function observe({ observers }: StoreState, observer: (write: StoreWrite) => void): () => void {
  const notify = ({ table: { resource }, current, previous }: LogEvent): void =>
    observer({ resource, current: current?.object, previous: previous?.object });
  observers.add(notify);
  return () => void observers.delete(notify);
}

function statsOf(state: StoreState): StoreStats {
  const { count, bytes, compactedRevision } = state.log;
  const objects = [...state.tables()].reduce((sum, { versions }) => sum + versions.size, 0);
  return { objects, events: count, bytes, compacted: compactedRevision };
}

function dropWatches(state: StoreState, resource: Resource | undefined): void {
  const tables = resource ? [state.tableOf(resource)] : [...state.tables()];
  if (!resource) state.generation += 1;
  for (const table of tables) table.generation += 1;
  for (const callbacks of [state.waiters, ...tables.map(({ waiters }) => waiters)]) for (const wake of [...callbacks]) wake();
}

/** Resources with special storage paths: `SpecialDefaultResourcePrefixes` (1.36, pkg/kubeapiserver). */
const specialPaths: Readonly<Record<string, string>> = {
  'endpoints.': 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  'nodes.': 'minions',
  'replicationcontrollers.': 'controllers',
  'services.': 'services/specs',
};

/** The storage path that upstream's error messages contain. */
export const defaultStoragePath = ({ plural, group }: Resource): string => `/registry/${specialPaths[`${plural}.${group}`] ?? plural}`;

/**
 * Runs steps atomically; revisions of undone steps are reused. A failing nested transaction undoes only its own steps.
 *
 * The steps must be synchronous, so that no other code runs in between and reads uncommitted state.
 * @throws TypeError if `steps` returns a promise
 */
function transact<T>(state: StoreState, steps: () => T): T {
  const mark = state.log.nextEventNumber;
  state.transactionDepth += 1;
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
    state.transactionDepth -= 1;
  }
  if (state.transactionDepth === 0) commit(state);
  return result;
}
