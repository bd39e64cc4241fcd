import type { Resource } from 'kube-endpoints/port';

/** A change of an object in a cache. */
export type CacheEvent<T> =
  | {
      readonly type: 'added';
      readonly object: T;
      readonly old?: undefined;
      /** True if the object was in the first list, or in the cache before the listener was added. */
      readonly initial: boolean;
    }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  | {
      readonly type: 'deleted';
      /** The last known state. */
      readonly object: T;
      readonly old?: undefined;
      /** True if the deletion itself was missed and a later list revealed it: `object` may then be out of date (a tombstone). */
      readonly missed: boolean;
    };

/** Called for each change, in order, after the cache shows the change. Must not throw. */
export type CacheListener<T> = (event: CacheEvent<T>, key: string) => void;

/** The last known objects of a resource. Keys are "namespace/name", or "name" for cluster-scoped resources. */
export interface Cache<T> {
  readonly size: number;
  get(key: string): T | undefined;
  values(): IterableIterator<T>;
  keys(): IterableIterator<string>;
}

/** The current activity of an informer. */
export type InformerState = 'idle' | 'listing' | 'watching' | 'waiting' | 'stopped';

/** Keeps a cache in sync with the server across disconnects, and reports changes. Can have several listeners. */
export interface Informer<T> {
  readonly resource: Resource;
  readonly cache: Cache<T>;
  readonly state: InformerState;
  /** True once the cache has been complete; never false again. */
  readonly hasSynced: boolean;
  /** Resolves once the cache has been complete. Rejects with the signal's reason if the signal is aborted before. */
  synced(signal?: AbortSignal): Promise<void>;
  /** Reports the cached objects first, as `added`, then all changes. Returns a function that removes the listener. */
  listen(listener: CacheListener<T>): () => void;
  /** Runs until the signal is aborted, then resolves. Never rejects: every failure is reported, and retried after a delay. */
  run(signal: AbortSignal): Promise<void>;
}

/** The state of an informer has changed, or it has failed. */
export interface InformerEvent {
  readonly kind: 'informer';
  readonly resource: string;
  readonly state: InformerState;
  readonly objects: number;
  /** In state `waiting`: the failure, and the milliseconds until the next attempt. */
  readonly error?: unknown;
  readonly delay?: number;
}

/** Receives the events of informers. Must not throw. */
export type InformerObserver = (event: InformerEvent) => void;
