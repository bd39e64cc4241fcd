import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import { createDelays, type Delays } from './delays.ts';
import { defaultLimiter, type Limiter } from './limiter.ts';
import { createDesk, createTurns } from './turns.ts';

/**
 * The keys that are to be synced. A key is handed to one worker at a time; one that is added while it is being worked on comes again
 * afterwards; one that waits already is not added twice. Mirrors k8s.io/client-go/util/workqueue (1.36).
 */
export interface Queue {
  /** How many keys wait to be taken, without those that are delayed or come again after the work on them. */
  readonly length: number;
  /** How many keys are being worked on. */
  readonly processing: number;
  /** How many keys are delayed. */
  readonly delayed: number;
  add(key: string): void;
  /** After so many milliseconds; the earlier of two delays holds. */
  addAfter(key: string, milliseconds: number): void;
  /** After a delay that grows with each failure of this key, and with the rate of all. */
  addRateLimited(key: string): void;
  /** Forgets the failures of a key. */
  forget(key: string): void;
  /** How often the key has failed since it was last forgotten. */
  failures(key: string): number;
  /** The next key, as soon as there is one; undefined once the queue is shut down and empty. Who asks first is served first. */
  take(): Promise<string | undefined>;
  /** The work on a key that was taken has ended. */
  done(key: string): void;
  /**
   * Takes nothing in any more, drops what is delayed; what waits is still handed out. Resolves when all that was taken is done: workers
   * that take the next key as soon as they have done one leave nothing behind, and where there are none, it waits for nobody.
   */
  shutDown(): Promise<void>;
}

export interface QueueOptions<Name extends string = string> {
  readonly clock?: SteadyClock;
  /** By default the one that the controllers use. */
  readonly limiter?: Limiter;
  /** Tells this queue from others in what is told. */
  readonly name: Name;
  readonly tell?: ((happening: QueueEvent<Name>) => void) | undefined;
}

/** Makes a queue. Its metrics are its happenings: `length` is there what client-go calls the depth, with keys that come again. */
export function createQueue<Name extends string>(options: QueueOptions<Name>): Queue {
  const { clock = systemClock, limiter = defaultLimiter(clock), name, tell = () => {} } = options;
  const turns = createTurns();
  const exit = createExit(() => turns.processing === 0);
  const desk = createDesk(() => {
    const turn = turns.next();
    if (turn) tell({ kind: 'taken', queue: name, key: turn.key, length: turns.depth, waited: clock.elapsed() - turn.since });
    return turn?.key;
  });
  const add = (key: string, retry: boolean): void => {
    if (exit.closed || !turns.add(key, clock.elapsed())) return;
    tell({ kind: 'queued', queue: name, key, length: turns.depth, retry });
    desk.call();
  };
  const delays = createDelays(clock, add);
  return {
    get length() {
      return turns.length;
    },
    get processing() {
      return turns.processing;
    },
    get delayed() {
      return delays.size;
    },
    ...entrance(add, delays, limiter, exit),
    take: desk.take,
    done(key) {
      if (turns.done(key)) desk.call();
      exit.look();
    },
    shutDown() {
      delays.clear();
      desk.close();
      return exit.close();
    },
  };
}

type Entrance = Pick<Queue, 'add' | 'addAfter' | 'addRateLimited' | 'forget' | 'failures'>;

/** What is added at once, and what after a while. */
function entrance(add: (key: string, retry: boolean) => void, delays: Delays, limiter: Limiter, exit: Exit): Entrance {
  const addAfter = (key: string, milliseconds: number, retry: boolean): void => {
    if (exit.closed) return;
    if (milliseconds > 0) delays.add(key, milliseconds, retry);
    else add(key, retry);
  };
  return {
    add: (key) => add(key, false),
    addAfter: (key, milliseconds) => addAfter(key, milliseconds, false),
    addRateLimited(key) {
      if (!exit.closed) addAfter(key, limiter.delay(key), true);
    },
    forget: (key) => limiter.forget(key),
    failures: (key) => limiter.failures(key),
  };
}

/** How a queue comes to its end. */
export interface Exit {
  readonly closed: boolean;
  /** Closes it; resolves when all work has ended. */
  close(): Promise<void>;
  /** Says that some work has ended. */
  look(): void;
}

export function createExit(isIdle: () => boolean): Exit {
  const { promise, resolve } = Promise.withResolvers<void>();
  let closed = false;
  /** Not at once: who has done a key may be about to take the next. */
  const lookSoon = async (): Promise<void> => {
    await undefined;
    if (isIdle()) resolve();
  };
  return {
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      void lookSoon();
      return promise;
    },
    look() {
      if (closed) void lookSoon();
    },
  };
}

export interface WorkersOptions {
  readonly queue: Queue;
  /** How many keys are worked on at a time. */
  readonly workers: number;
  /** Works on a key, and sees to it itself when that fails: an error that it throws is a defect. */
  readonly work: (key: string) => Promise<void>;
}

/**
 * Works on the keys of a queue, until that is shut down and all work has ended.
 * @throws RangeError where there are no workers
 * @throws what `work` threw first: the queue is then shut down, and what waits is still worked on
 */
export async function runWorkers({ queue, workers, work }: WorkersOptions): Promise<void> {
  if (!Number.isInteger(workers) || workers < 1) throw new RangeError(`workers is ${workers}: give a whole number from 1 on`);
  const defects: unknown[] = [];
  const serve = async (): Promise<void> => {
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
  await Promise.all(Array.from({ length: workers }, serve));
  if (defects.length > 0) throw defects[0];
}

/** What a queue tells, for metrics and logs. `length`: how many keys are to be taken, with those that come again. */
export type QueueEvent<Name extends string = string> =
  | {
      readonly kind: 'queued';
      readonly queue: Name;
      readonly key: string;
      readonly length: number;
      /** Whether the key comes after a failure. */
      readonly retry: boolean;
    }
  | {
      readonly kind: 'taken';
      readonly queue: Name;
      readonly key: string;
      readonly length: number;
      /** Milliseconds since it was queued. */
      readonly waited: number;
    };
