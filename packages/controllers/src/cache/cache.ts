import type { Resource } from 'kube-endpoints/port';

/** What became of an object in a cache. */
export type CacheEvent<T> =
  | {
      readonly type: 'added';
      readonly object: T;
      readonly old?: undefined;
      /** Whether it was there when the cache was filled, or when the listener came. */
      readonly initial: boolean;
    }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  | {
      readonly type: 'deleted';
      /** The last that was known of it. */
      readonly object: T;
      readonly old?: undefined;
      /** Whether the deletion itself was missed, and a later list told of it: `object` may then be of old (a tombstone). */
      readonly missed: boolean;
    };

/** Is told of every change after it is in the cache, in order, and must not throw. */
export type CacheListener<T> = (event: CacheEvent<T>, key: string) => void;

/** The objects of a resource as they were last heard of. Keys are "namespace/name", or "name" where there are no namespaces. */
export interface Cache<T> {
  readonly size: number;
  get(key: string): T | undefined;
  values(): IterableIterator<T>;
  keys(): IterableIterator<string>;
}

/** Where an informer stands. */
export type InformerState = 'idle' | 'listing' | 'watching' | 'waiting' | 'stopped';

/** Keeps a cache like the server's objects, through every kind of disconnect, and tells of what changes. Shared between its listeners. */
export interface Informer<T> {
  readonly resource: Resource;
  readonly cache: Cache<T>;
  readonly state: InformerState;
  /** Whether the cache has been complete once. Never false again. */
  readonly hasSynced: boolean;
  /** Resolves once the cache has been complete, and rejects with the signal's reason. */
  synced(signal?: AbortSignal): Promise<void>;
  /** From now on; what is in the cache is told first, as added. Returns how to stop. */
  listen(listener: CacheListener<T>): () => void;
  /** Runs until the signal is aborted; resolves then. Never rejects: whatever goes wrong is told, waited for and tried again. */
  run(signal: AbortSignal): Promise<void>;
}

/** A cache has changed its state, or failed to. */
export interface InformerEvent {
  readonly kind: 'informer';
  readonly resource: string;
  readonly state: InformerState;
  readonly objects: number;
  /** In state `waiting`: what failed, and the milliseconds until the next attempt. */
  readonly error?: unknown;
  readonly delay?: number;
}

/** Receives what informers report. Must not throw. */
export type InformerObserver = (event: InformerEvent) => void;
