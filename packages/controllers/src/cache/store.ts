import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ApiObjectMeta } from 'kube-endpoints/port';
import type { Cache, CacheEvent } from './cache.ts';

/** The content of a cache, as lists and watches change it. */
export interface Store<T> extends Cache<T> {
  /** Applies an ADDED or MODIFIED event. */
  put(object: ApiObject): void;
  /** Applies a DELETED event. */
  remove(object: ApiObject): void;
  /** Starts a draft of new content; the current content is served until `commit`. */
  beginDraft(): Draft;
}

/** New content that a list is collecting. */
export interface Draft {
  put(object: ApiObject): void;
  remove(object: ApiObject): void;
  /** Replaces the served content in one step, then reports the differences. */
  commit(): void;
}

export interface StoreOptions<T> {
  /** Converts an object to the form to store; undefined to store nothing. */
  project(object: ApiObject): T | undefined;
  /** Returns a function that reports changes. Called once for each set of changes. */
  createNotifier(): Notifier<T>;
  /** Called with an error of `project`. The store keeps the last state of the object. */
  reportError(error: unknown): void;
}

type Notifier<T> = (event: CacheEvent<T>, key: string) => void;

/**
 * Creates an empty store.
 *
 * An object is ignored if its resourceVersion equals the stored one. Versions are compared only for equality, and events applied in the
 * order of arrival, as in client-go: the order of a watch is the order of the changes.
 */
export function createStore<T>(options: StoreOptions<T>): Store<T> {
  let objectStore = createObjectStore<T>();
  let hasContent = false;
  return {
    get size() {
      return objectStore.objects.size;
    },
    get: (key) => objectStore.objects.get(key),
    values: () => objectStore.objects.values(),
    keys: () => objectStore.objects.keys(),
    put: (object) => put(objectStore, object, options),
    remove({ metadata }) {
      const key = metaNamespaceKey(metadata);
      if (objectStore.objects.has(key)) removeKey(objectStore, key, false, options.createNotifier());
    },
    beginDraft: () =>
      createDraft(
        () => objectStore,
        options,
        (draft) => {
          const before = objectStore;
          const initial = !hasContent;
          objectStore = draft;
          hasContent = true;
          notifyDifferences(before, draft, options.createNotifier(), initial);
        },
      ),
  };
}

function put<T>(objectStore: ObjectStore<T>, object: ApiObject, options: StoreOptions<T>): void {
  const { metadata } = object;
  const key = metaNamespaceKey(metadata);
  const stored = objectStore.find(key, metadata);
  if (stored?.isCurrent) return;
  const projected = project(object, stored?.object, options);
  const notify = options.createNotifier();
  // An object with another uid has the key now, so the deletion of the stored object was missed.
  if (!stored && objectStore.objects.has(key)) removeKey(objectStore, key, true, notify);
  if (projected === undefined) {
    if (stored) removeKey(objectStore, key, false, notify);
    return;
  }
  objectStore.set(key, projected, metadata);
  if (!stored) notify({ type: 'added', object: projected, initial: false }, key);
  else if (projected !== stored.object) notify({ type: 'updated', object: projected, old: stored.object }, key);
}

function removeKey<T>(objectStore: ObjectStore<T>, key: string, missed: boolean, notify: Notifier<T>): void {
  const object = objectStore.objects.get(key) as T;
  objectStore.drop(key);
  notify({ type: 'deleted', object, missed }, key);
}

function createDraft<T>(getServedStore: () => ObjectStore<T>, options: StoreOptions<T>, commit: (draft: ObjectStore<T>) => void): Draft {
  const draft = createObjectStore<T>();
  return {
    put(object) {
      const { metadata } = object;
      const key = metaNamespaceKey(metadata);
      const stored = getServedStore().find(key, metadata);
      const projected = stored?.isCurrent ? stored.object : project(object, stored?.object, options);
      if (projected === undefined) draft.drop(key);
      else draft.set(key, projected, metadata);
    },
    remove: ({ metadata }) => draft.drop(metaNamespaceKey(metadata)),
    commit: () => commit(draft),
  };
}

function project<T>(object: ApiObject, storedObject: T | undefined, options: StoreOptions<T>): T | undefined {
  try {
    return options.project(object);
  } catch (error) {
    options.reportError(error);
    return storedObject;
  }
}

/** Reports absent keys as deleted; then, in the order of the list, the objects that were added, updated or replaced. */
function notifyDifferences<T>(before: ObjectStore<T>, after: ObjectStore<T>, notify: Notifier<T>, initial: boolean): void {
  for (const [key, object] of before.objects) if (!after.objects.has(key)) notify({ type: 'deleted', object, missed: true }, key);
  for (const [key, object] of after.objects) {
    const old = before.objects.get(key);
    if (old === object) continue;
    if (old !== undefined && before.uidOf(key) === after.uidOf(key)) {
      notify({ type: 'updated', object, old }, key);
      continue;
    }
    if (old !== undefined) notify({ type: 'deleted', object: old, missed: true }, key);
    notify({ type: 'added', object, initial }, key);
  }
}

/** Identifies the object and version that a projection was made from. */
export type ObjectVersion = Pick<ApiObjectMeta, 'uid' | 'resourceVersion'>;

/** Projected objects by key. */
export interface ObjectStore<T> {
  readonly objects: ReadonlyMap<string, T>;
  set(key: string, object: T, metadata: ObjectVersion): void;
  drop(key: string): void;
  /** Finds the stored projection of this object; undefined if the key is absent, or holds an object with another uid. */
  find(key: string, metadata: ObjectVersion): StoredObject<T> | undefined;
  uidOf(key: string): string | undefined;
}

export interface StoredObject<T> {
  readonly object: T;
  /** True if the projection was made from the same resourceVersion. */
  readonly isCurrent: boolean;
}

/** Creates an empty object store. Stores uid and resourceVersion separately only for projections that do not contain them. */
export function createObjectStore<T>(): ObjectStore<T> {
  const objects = new Map<string, T>();
  const versions = new Map<string, ObjectVersion>();
  const versionOf = (key: string, object: T | undefined): ObjectVersion | undefined =>
    (versions.size > 0 ? versions.get(key) : undefined) ?? readOwnVersion(object);
  return {
    objects,
    set(key, object, { uid, resourceVersion }) {
      objects.set(key, object);
      const ownVersion = readOwnVersion(object);
      if (ownVersion && ownVersion.uid === uid && ownVersion.resourceVersion === resourceVersion) versions.delete(key);
      else versions.set(key, { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) });
    },
    drop(key) {
      objects.delete(key);
      versions.delete(key);
    },
    find(key, { uid, resourceVersion }) {
      const object = objects.get(key);
      if (object === undefined) return undefined;
      const version = versionOf(key, object);
      if (version?.uid !== uid) return undefined;
      // Without a resourceVersion, the object may be newer than the stored one.
      return { object, isCurrent: !!resourceVersion && version?.resourceVersion === resourceVersion };
    },
    uidOf: (key) => versionOf(key, objects.get(key))?.uid,
  };
}

const readOwnVersion = (object: unknown): ObjectVersion | undefined =>
  typeof object === 'object' && object !== null
    ? ((object as { readonly metadata?: ObjectVersion | null }).metadata ?? undefined)
    : undefined;
