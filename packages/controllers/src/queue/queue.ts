import { requireWholeNumber } from 'kube-endpoints/internal/apimachinery';
import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import { createDelays, type Delays } from './delays.ts';
import { defaultLimiter, type Limiter } from './limiter.ts';
import { createDispatcher, createProcessingSet } from './processing-set.ts';

/**
 * A queue of keys to sync. A key is never processed by two workers at the same time. A key that is added while it is being processed is
 * queued again afterwards. A key that is already waiting is not added twice. Mirrors k8s.io/client-go/util/workqueue (1.36).
 */
export interface Queue {
  /** Number of keys that wait for a worker. Excludes delayed keys, and dirty keys that are still being processed. */
  readonly length: number;
  /** Number of keys being processed. */
  readonly processing: number;
  /** Number of delayed keys. */
  readonly delayed: number;
  add(key: string): void;
  /** Adds a key after a delay. If the key is delayed already, the earlier time applies. */
  addAfter(key: string, milliseconds: number): void;
  /** Adds a key after a delay that grows with each failure of the key, and with the rate of all retries. */
  addRateLimited(key: string): void;
  /** Resets the failures of a key. */
  forget(key: string): void;
  /** Number of failures of the key since the last `forget`. */
  failures(key: string): number;
  /** Resolves with the next key, in order of the calls; with undefined once the queue is shut down and empty. */
  take(): Promise<string | undefined>;
  /** Call when the processing of a taken key has ended. */
  done(key: string): void;
  /**
   * Stops accepting keys and drops delayed keys; `take` still returns waiting keys. Resolves when no key is being processed. If every worker
   * takes its next key directly after `done`, all waiting keys have been processed by then.
   */
  shutDown(): Promise<void>;
}

export interface QueueOptions<Name extends string = string> {
  readonly clock?: SteadyClock;
  /** `defaultLimiter` by default. */
  readonly limiter?: Limiter;
  /** Identifies the queue in its events. */
  readonly name: Name;
  readonly onEvent?: ((event: QueueEvent<Name>) => void) | undefined;
}

/** Creates a queue. In its events, `length` is the depth of client-go: it also counts dirty keys that are still being processed. */
export function createQueue<Name extends string>(options: QueueOptions<Name>): Queue {
  const { clock = systemClock, limiter = defaultLimiter(clock), name, onEvent = () => {} } = options;
  const processingSet = createProcessingSet();
  const shutdown = createShutdown(() => processingSet.processing === 0);
  const dispatcher = createDispatcher(() => {
    const item = processingSet.next();
    if (item) onEvent({ kind: 'taken', queue: name, key: item.key, length: processingSet.depth, waited: clock.elapsed() - item.since });
    return item?.key;
  });
  const add = (key: string, retry: boolean): void => {
    if (shutdown.closed || !processingSet.add(key, clock.elapsed())) return;
    onEvent({ kind: 'queued', queue: name, key, length: processingSet.depth, retry });
    dispatcher.notify();
  };
  const delays = createDelays(clock, add);
  return {
    get length() {
      return processingSet.length;
    },
    get processing() {
      return processingSet.processing;
    },
    get delayed() {
      return delays.size;
    },
    ...createAdders(add, delays, limiter, shutdown),
    take: dispatcher.take,
    done(key) {
      if (processingSet.done(key)) dispatcher.notify();
      shutdown.check();
    },
    shutDown() {
      delays.clear();
      dispatcher.close();
      return shutdown.close();
    },
  };
}

type Adders = Pick<Queue, 'add' | 'addAfter' | 'addRateLimited' | 'forget' | 'failures'>;

/** The functions that add keys, immediately or after a delay. */
function createAdders(add: (key: string, retry: boolean) => void, delays: Delays, limiter: Limiter, shutdown: Shutdown): Adders {
  const addAfter = (key: string, milliseconds: number, retry: boolean): void => {
    if (shutdown.closed) return;
    if (milliseconds > 0) delays.add(key, milliseconds, retry);
    else add(key, retry);
  };
  return {
    add: (key) => add(key, false),
    addAfter: (key, milliseconds) => addAfter(key, milliseconds, false),
    addRateLimited(key) {
      if (!shutdown.closed) addAfter(key, limiter.delay(key), true);
    },
    forget: (key) => limiter.forget(key),
    failures: (key) => limiter.failures(key),
  };
}

/** The shutdown of a queue. */
export interface Shutdown {
  readonly closed: boolean;
  /** Closes the queue; resolves when no key is being processed. */
  close(): Promise<void>;
  /** Call when the processing of a key has ended. */
  check(): void;
}

export function createShutdown(isIdle: () => boolean): Shutdown {
  const { promise, resolve } = Promise.withResolvers<void>();
  let closed = false;
  /** Waits a microtask, because a worker that is done with a key may be about to take the next one. */
  const checkSoon = async (): Promise<void> => {
    await undefined;
    if (isIdle()) resolve();
  };
  return {
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      void checkSoon();
      return promise;
    },
    check() {
      if (closed) void checkSoon();
    },
  };
}

export interface WorkersOptions {
  readonly queue: Queue;
  /** Maximum number of keys processed concurrently. */
  readonly workers: number;
  /** Processes a key. It must handle expected failures itself; an error that it throws counts as a defect. */
  readonly work: (key: string) => Promise<void>;
}

/**
 * Processes the keys of a queue until the queue is shut down and all work has ended.
 * @throws RangeError if `workers` is not a positive integer
 * @throws the first error that `work` threw; the queue is shut down then, and the waiting keys are still processed
 */
export async function runWorkers({ queue, workers, work }: WorkersOptions): Promise<void> {
  requireWholeNumber('workers', workers, 1);
  const defects: unknown[] = [];
  const runWorker = async (): Promise<void> => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      try {
        await work(key);
      } catch (error) {
        defects.push(error);
        void queue.shutDown();
      } finally {
        queue.done(key);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, runWorker));
  if (defects.length > 0) throw defects[0];
}

/** Reports keys that are queued and taken, for metrics and logs. `length` is the depth of client-go. */
export type QueueEvent<Name extends string = string> =
  | {
      readonly kind: 'queued';
      readonly queue: Name;
      readonly key: string;
      readonly length: number;
      /** Whether the key was queued after a failure. */
      readonly retry: boolean;
    }
  | {
      readonly kind: 'taken';
      readonly queue: Name;
      readonly key: string;
      readonly length: number;
      /** Milliseconds since the key was queued. */
      readonly waited: number;
    };
