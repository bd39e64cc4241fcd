import { type Selection, safeObserver } from 'kube-endpoints/internal';
import type { ApiObject, ClientPort, Resource, SteadyClock } from 'kube-endpoints/port';
import type { Cache, CacheEvent, CacheListener, Informer, InformerEvent, InformerObserver, InformerState } from './cache.ts';
import { createReflector } from './reflector/reflector.ts';
import type { Stage } from './reflector/stage.ts';
import { createStore, type Store } from './store.ts';

/** Those who are told of a cache's changes. */
export interface Listeners<T> {
  /** Adds one, who is told first what is in the cache. Returns how to take it away. */
  add(listener: CacheListener<T>): () => void;
  /** Takes down who is there now: they, and nobody who comes later, are told of one set of changes. */
  audience(): (event: CacheEvent<T>, key: string) => void;
}

/** @param failed is told what a listener throws, which keeps nobody else from being told */
export function createListeners<T>(cache: Cache<T>, failed: (error: unknown) => void): Listeners<T> {
  let all: readonly Seat<T>[] = [];
  const tell = (seat: Seat<T>, event: CacheEvent<T>, key: string): void => {
    try {
      if (seat.taken) seat.listener(event, key);
    } catch (error) {
      failed(error);
    }
  };
  return {
    add(listener) {
      const seat: Seat<T> = { listener, taken: true };
      all = [...all, seat];
      for (const key of cache.keys()) tell(seat, { type: 'added', object: cache.get(key) as T, initial: true }, key);
      return () => {
        seat.taken = false;
        all = all.filter((each) => each !== seat);
      };
    },
    audience() {
      const seats = all;
      return (event, key) => {
        for (const seat of seats) tell(seat, event, key);
      };
    },
  };
}

interface Seat<T> {
  readonly listener: CacheListener<T>;
  taken: boolean;
}

export interface InformerOptions<T> {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly resource: Resource;
  /** Which objects: by default all there are. */
  readonly selection?: Selection;
  /** What is kept of an object; undefined: nothing, it is as if it was not there. */
  readonly project: (object: ApiObject) => T | undefined;
  readonly clock: SteadyClock;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** How many objects a page of a list may hold. By default 500. */
  readonly pageSize?: number;
  /** Whether a server that can is asked to list by a watch. By default it is. */
  readonly watchList?: 'auto' | 'never';
  readonly tell?: InformerObserver;
}

/**
 * Makes an informer, which does nothing until it runs.
 * @throws RangeError for a page size that is none
 */
export function createInformer<T>(options: InformerOptions<T>): Informer<T> {
  const { resource, project, selection = {}, pageSize = 500, watchList = 'auto' } = options;
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) throw new RangeError(`pageSize is ${pageSize}: give a whole number from 1 on`);
  let stage: Stage = { state: 'idle' };
  let running = false;
  const tell = safeObserver(options.tell);
  const report = (more: Pick<InformerEvent, 'error' | 'delay'>): void =>
    tell({ kind: 'informer', resource: resource.plural, state: stage.state, objects: store.size, ...more });
  const failed = (error: unknown): void => report({ error });
  const store: Store<T> = createStore({ project, failed, audience: () => listeners.audience() });
  const cache = facadeOf(store);
  const listeners = createListeners(cache, failed);
  const gate = createSynced();
  const entered = (entering: Stage, delay?: number): void => {
    stage = entering;
    report(entering.state === 'waiting' ? { error: entering.error, ...(delay !== undefined && { delay }) } : {});
  };
  const reflector = createReflector({ ...options, selection, pageSize, streams: watchList === 'auto', store, entered, filled: gate.open });
  return {
    resource,
    cache,
    get state(): InformerState {
      return stage.state;
    },
    get hasSynced() {
      return gate.isOpen;
    },
    synced: gate.passed,
    listen: listeners.add,
    run(signal) {
      if (running) throw new Error(`the informer of ${resource.plural} runs already`);
      running = true;
      return reflector.run(signal).finally(() => {
        running = false;
      });
    },
  };
}

/** What others see of a store: it cannot be written to. */
const facadeOf = <T>(store: Store<T>): Cache<T> => ({
  get size() {
    return store.size;
  },
  get: store.get,
  values: store.values,
  keys: store.keys,
});

/** What opens once, for everybody who waits and who comes later. */
export interface Synced {
  readonly isOpen: boolean;
  open(): void;
  /** Resolves once it is open. @throws the signal's reason */
  passed(signal?: AbortSignal): Promise<void>;
}

export function createSynced(): Synced {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      if (isOpen) return;
      isOpen = true;
      for (const pass of waiting) pass();
      waiting.clear();
    },
    passed(signal) {
      if (isOpen) return Promise.resolve();
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(pass);
          reject(signal?.reason);
        };
        const pass = (): void => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        waiting.add(pass);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
