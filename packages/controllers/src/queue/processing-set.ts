import { createDeque } from 'kube-endpoints/internal/apimachinery';

/** The order and the state of the keys. Mirrors the dirty and processing sets of client-go (1.36, util/workqueue/queue.go). */
export interface ProcessingSet {
  /** Number of keys that wait, without those being processed. */
  readonly length: number;
  /** Number of dirty keys: waiting keys, and keys that became dirty again while they were being processed. */
  readonly depth: number;
  readonly processing: number;
  /** Marks a key as dirty. Returns false if it was dirty already. */
  add(key: string, now: number): boolean;
  /** Returns the next key, which counts as being processed from then on. */
  next(): TakenItem | undefined;
  /** Ends the processing of a key. Returns true if the key is dirty and therefore waits again. */
  done(key: string): boolean;
}

export interface TakenItem {
  readonly key: string;
  /** The argument `now` of the call of `add` that made the key dirty. */
  readonly since: number;
}

/** State of a key that is dirty, being processed, or both. Other keys have no entry. */
interface Item extends TakenItem {
  dirty: boolean;
  processing: boolean;
  since: number;
}

export function createProcessingSet(): ProcessingSet {
  const items = new Map<string, Item>();
  const waiting = createDeque<Item>();
  let depth = 0;
  let processing = 0;
  return {
    get length() {
      return waiting.length;
    },
    get depth() {
      return depth;
    },
    get processing() {
      return processing;
    },
    add(key, now) {
      const existing = items.get(key);
      if (existing?.dirty) return false;
      const item = existing ?? { key, dirty: true, processing: false, since: now };
      if (!existing) items.set(key, item);
      item.dirty = true;
      item.since = now;
      depth++;
      if (!item.processing) waiting.push(item);
      return true;
    },
    next() {
      const item = waiting.shift();
      if (!item) return undefined;
      item.dirty = false;
      item.processing = true;
      depth--;
      processing++;
      return item;
    },
    done(key) {
      const item = items.get(key);
      if (!item?.processing) return false;
      item.processing = false;
      processing--;
      if (item.dirty) waiting.push(item);
      else items.delete(key);
      return item.dirty;
    },
  };
}

/** Distributes keys to waiting workers. */
export interface Dispatcher {
  /** Resolves with the next key when there is one, or with undefined if the queue is closed and empty. */
  take(): Promise<string | undefined>;
  /** Call when a key was added. */
  notify(): void;
  /** Call when no further keys will be added. */
  close(): void;
}

/**
 * Serves workers in order of their calls. A waiting worker gets a key only after a microtask, so that a key that is added several times
 * synchronously is processed once.
 */
export function createDispatcher(next: () => string | undefined): Dispatcher {
  const waiters = createDeque<(key: string | undefined) => void>();
  let closed = false;
  let scheduled = false;
  const dispatch = (): void => {
    scheduled = false;
    while (waiters.length > 0) {
      const key = next();
      if (key === undefined && !closed) return;
      waiters.shift()?.(key);
    }
  };
  const notify = (): void => {
    if (scheduled || waiters.length === 0) return;
    scheduled = true;
    void Promise.resolve().then(dispatch);
  };
  return {
    take() {
      const key = waiters.length === 0 ? next() : undefined;
      if (key !== undefined || (closed && waiters.length === 0)) return Promise.resolve(key);
      return new Promise((resolve) => waiters.push(resolve));
    },
    notify,
    close() {
      closed = true;
      notify();
    },
  };
}
