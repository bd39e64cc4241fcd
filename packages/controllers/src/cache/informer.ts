import { requireWholeNumber, type Selection, safeObserver } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ClientPort, Resource, SteadyClock } from 'kube-endpoints/port';
import type { Cache, CacheEvent, CacheListener, Informer, InformerEvent, InformerObserver, InformerState } from './cache.ts';
import { createReflector } from './reflector/reflector.ts';
import type { Stage } from './reflector/stage.ts';
import { createStore, type Store } from './store.ts';

/** The listeners of a cache. */
export interface Listeners<T> {
  /** Adds a listener and first reports the cached objects to it. Returns a function that removes it. */
  add(listener: CacheListener<T>): () => void;
  /** Returns a function that reports changes to the current listeners only. Call it once for each set of changes. */
  createNotifier(): (event: CacheEvent<T>, key: string) => void;
}

/** @param reportError called with what a listener throws; the other listeners are still called */
export function createListeners<T>(cache: Cache<T>, reportError: (error: unknown) => void): Listeners<T> {
  let subscriptions: readonly Subscription<T>[] = [];
  const notify = (subscription: Subscription<T>, event: CacheEvent<T>, key: string): void => {
    try {
      if (subscription.active) subscription.listener(event, key);
    } catch (error) {
      reportError(error);
    }
  };
  return {
    add(listener) {
      const subscription: Subscription<T> = { listener, active: true };
      subscriptions = [...subscriptions, subscription];
      for (const key of cache.keys()) notify(subscription, { type: 'added', object: cache.get(key) as T, initial: true }, key);
      return () => {
        subscription.active = false;
        subscriptions = subscriptions.filter((other) => other !== subscription);
      };
    },
    createNotifier() {
      const currentSubscriptions = subscriptions;
      return (event, key) => {
        for (const subscription of currentSubscriptions) notify(subscription, event, key);
      };
    },
  };
}

interface Subscription<T> {
  readonly listener: CacheListener<T>;
  active: boolean;
}

export interface InformerOptions<T> {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly resource: Resource;
  /** Which objects to cache; all by default. */
  readonly selection?: Selection;
  /** Converts an object to the form that the cache stores; undefined to treat the object as absent. */
  readonly project: (object: ApiObject) => T | undefined;
  readonly clock: SteadyClock;
  /** Random number from 0 to less than 1. */
  readonly random: () => number;
  /** Maximum number of objects in a page of a list; 500 by default. */
  readonly pageSize?: number;
  /** 'auto', the default: lists by a watch if the server supports it. */
  readonly watchList?: 'auto' | 'never';
  readonly onEvent?: InformerObserver;
}

/**
 * Creates an informer. It does nothing until `run` is called.
 * @throws RangeError if pageSize is not a positive integer
 */
export function createInformer<T>(options: InformerOptions<T>): Informer<T> {
  const { resource, project, selection = {}, pageSize = 500, watchList = 'auto' } = options;
  requireWholeNumber('pageSize', pageSize, 1);
  let stage: Stage = { state: 'idle' };
  let running = false;
  const onEvent = safeObserver(options.onEvent);
  const report = (details: Pick<InformerEvent, 'error' | 'delay'>): void =>
    onEvent({ kind: 'informer', resource: resource.plural, state: stage.state, objects: store.size, ...details });
  const reportError = (error: unknown): void => report({ error });
  const store: Store<T> = createStore({ project, reportError, createNotifier: () => listeners.createNotifier() });
  const cache = createReadOnlyView(store);
  const listeners = createListeners(cache, reportError);
  const gate = createGate();
  const onStage = (nextStage: Stage, delay?: number): void => {
    stage = nextStage;
    report(nextStage.state === 'waiting' ? { error: nextStage.error, ...(delay !== undefined && { delay }) } : {});
  };
  const reflector = createReflector({
    ...options,
    selection,
    pageSize,
    useWatchList: watchList === 'auto',
    store,
    onStage,
    onFilled: gate.open,
  });
  return {
    resource,
    cache,
    get state(): InformerState {
      return stage.state;
    },
    get hasSynced() {
      return gate.isOpen;
    },
    synced: gate.waitUntilOpen,
    listen: listeners.add,
    run(signal) {
      if (running) throw new Error(`the informer of ${resource.plural} is already running`);
      running = true;
      return reflector.run(signal).finally(() => {
        running = false;
      });
    },
  };
}

/** Hides the methods that change the store. */
const createReadOnlyView = <T>(store: Store<T>): Cache<T> => ({
  get size() {
    return store.size;
  },
  get: store.get,
  values: store.values,
  keys: store.keys,
});

/** A gate that opens once, for all present and future waiters. */
export interface Gate {
  readonly isOpen: boolean;
  open(): void;
  /** Resolves once the gate is open. Rejects with the signal's reason if the signal is aborted before. */
  waitUntilOpen(signal?: AbortSignal): Promise<void>;
}

export function createGate(): Gate {
  const waiters = new Set<() => void>();
  let isOpen = false;
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      if (isOpen) return;
      isOpen = true;
      for (const resolveWaiter of waiters) resolveWaiter();
      waiters.clear();
    },
    waitUntilOpen(signal) {
      if (isOpen) return Promise.resolve();
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiters.delete(resolveWaiter);
          reject(signal?.reason);
        };
        const resolveWaiter = (): void => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        waiters.add(resolveWaiter);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
