import { metaNamespaceKey } from 'kube-endpoints/internal';
import type { ApiObject, ApiObjectMeta } from 'kube-endpoints/port';
import type { Cache, CacheEvent } from './cache.ts';

/** The content of a cache, as lists and watches change it. */
export interface Store<T> extends Cache<T> {
  /** Applies an ADDED or MODIFIED event. */
  put(object: ApiObject): void;
  /** Applies a DELETED event. */
  remove(object: ApiObject): void;
  /** Begins new content; the present content is served until `commit`. */
  begin(): Draft;
}

/** New content that a list is collecting. */
export interface Draft {
  put(object: ApiObject): void;
  remove(object: ApiObject): void;
  /** Replaces the served content in one step, then reports the differences. */
  commit(): void;
}

export interface StoreOptions<T> {
  /** Returns what to store; undefined to store nothing. */
  project(object: ApiObject): T | undefined;
  /** Returns a function that reports changes. Called once for each set of changes. */
  audience(): Telling<T>;
  /** Called with what a projection throws. The last known state of the object stays. */
  failed(error: unknown): void;
}

type Telling<T> = (event: CacheEvent<T>, key: string) => void;

/**
 * Creates an empty store.
 *
 * An object is ignored if its resourceVersion equals the known one. Versions are compared only for equality, and events applied in the
 * order of arrival, as in client-go: the order of a watch is the order of the changes.
 */
export function createStore<T>(options: StoreOptions<T>): Store<T> {
  let shelf = createShelf<T>();
  let filled = false;
  return {
    get size() {
      return shelf.objects.size;
    },
    get: (key) => shelf.objects.get(key),
    values: () => shelf.objects.values(),
    keys: () => shelf.objects.keys(),
    put: (object) => put(shelf, object, options),
    remove({ metadata }) {
      const key = metaNamespaceKey(metadata);
      if (shelf.objects.has(key)) take(shelf, key, false, options.audience());
    },
    begin: () =>
      createDraft(
        () => shelf,
        options,
        (draft) => {
          const before = shelf;
          const initial = !filled;
          shelf = draft;
          filled = true;
          tellDifferences(before, draft, options.audience(), initial);
        },
      ),
  };
}

function put<T>(shelf: Shelf<T>, object: ApiObject, options: StoreOptions<T>): void {
  const { metadata } = object;
  const key = metaNamespaceKey(metadata);
  const known = shelf.known(key, metadata);
  if (known?.current) return;
  const fresh = project(object, known?.object, options);
  const onEvent = options.audience();
  // The key belongs to another object now: the deletion of the known one was missed.
  if (!known && shelf.objects.has(key)) take(shelf, key, true, onEvent);
  if (fresh === undefined) {
    if (known) take(shelf, key, false, onEvent);
    return;
  }
  shelf.keep(key, fresh, metadata);
  if (!known) onEvent({ type: 'added', object: fresh, initial: false }, key);
  else if (fresh !== known.object) onEvent({ type: 'updated', object: fresh, old: known.object }, key);
}

function take<T>(shelf: Shelf<T>, key: string, missed: boolean, onEvent: Telling<T>): void {
  const object = shelf.objects.get(key) as T;
  shelf.drop(key);
  onEvent({ type: 'deleted', object, missed }, key);
}

function createDraft<T>(served: () => Shelf<T>, options: StoreOptions<T>, commit: (draft: Shelf<T>) => void): Draft {
  const draft = createShelf<T>();
  return {
    put(object) {
      const { metadata } = object;
      const key = metaNamespaceKey(metadata);
      const known = served().known(key, metadata);
      const kept = known?.current ? known.object : project(object, known?.object, options);
      if (kept === undefined) draft.drop(key);
      else draft.keep(key, kept, metadata);
    },
    remove: ({ metadata }) => draft.drop(metaNamespaceKey(metadata)),
    commit: () => commit(draft),
  };
}

function project<T>(object: ApiObject, known: T | undefined, options: StoreOptions<T>): T | undefined {
  try {
    return options.project(object);
  } catch (error) {
    options.failed(error);
    return known;
  }
}

/** Reports first what was deleted, then what exists, in the order of the list. */
function tellDifferences<T>(before: Shelf<T>, after: Shelf<T>, onEvent: Telling<T>, initial: boolean): void {
  for (const [key, object] of before.objects) if (!after.objects.has(key)) onEvent({ type: 'deleted', object, missed: true }, key);
  for (const [key, object] of after.objects) {
    const old = before.objects.get(key);
    if (old === object) continue;
    if (old !== undefined && before.uidOf(key) === after.uidOf(key)) {
      onEvent({ type: 'updated', object, old }, key);
      continue;
    }
    if (old !== undefined) onEvent({ type: 'deleted', object: old, missed: true }, key);
    onEvent({ type: 'added', object, initial }, key);
  }
}

/** Identifies the object and version that a projection was made from. */
export type Mark = Pick<ApiObjectMeta, 'uid' | 'resourceVersion'>;

/** Projected objects by key. */
export interface Shelf<T> {
  readonly objects: ReadonlyMap<string, T>;
  keep(key: string, object: T, metadata: Mark): void;
  drop(key: string): void;
  /** What is stored of this object; undefined if the key is absent, or holds an object with another uid. */
  known(key: string, metadata: Mark): Known<T> | undefined;
  uidOf(key: string): string | undefined;
}

export interface Known<T> {
  readonly object: T;
  /** Whether it was made from this version. */
  readonly current: boolean;
}

/** Creates an empty shelf. Stores uid and resourceVersion separately only for projections that do not contain them. */
export function createShelf<T>(): Shelf<T> {
  const objects = new Map<string, T>();
  const marks = new Map<string, Mark>();
  const markOf = (key: string, object: T | undefined): Mark | undefined => (marks.size > 0 ? marks.get(key) : undefined) ?? ownMark(object);
  return {
    objects,
    keep(key, object, { uid, resourceVersion }) {
      objects.set(key, object);
      const own = ownMark(object);
      if (own && own.uid === uid && own.resourceVersion === resourceVersion) marks.delete(key);
      else marks.set(key, { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) });
    },
    drop(key) {
      objects.delete(key);
      marks.delete(key);
    },
    known(key, { uid, resourceVersion }) {
      const object = objects.get(key);
      if (object === undefined) return undefined;
      const mark = markOf(key, object);
      if (mark?.uid !== uid) return undefined;
      // Without a resourceVersion, the object may be newer than the stored one.
      return { object, current: !!resourceVersion && mark?.resourceVersion === resourceVersion };
    },
    uidOf: (key) => markOf(key, objects.get(key))?.uid,
  };
}

const ownMark = (object: unknown): Mark | undefined =>
  typeof object === 'object' && object !== null ? ((object as { readonly metadata?: Mark | null }).metadata ?? undefined) : undefined;
