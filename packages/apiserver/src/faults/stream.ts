import { awaited, type Clock, type ScheduledCall } from '../store/index.ts';
import { brokenConnection } from './errors.ts';
import type { Verdict } from './judge.ts';
import { createLimits, type Limits, type Parting } from './limits.ts';

/** A watch into which faults can be injected. */
export interface FragileStream<T> extends AsyncIterableIterator<T> {
  /** Ends the watch, after a stall if it is stalled: regularly or, if `broken`, by a broken connection. */
  cut(broken: boolean): void;
  /** Delivers nothing for `milliseconds`, or until `release`. */
  stall(milliseconds?: number): void;
  release(): void;
}

export interface FragileOptions<T> {
  readonly drop?: Verdict['drop'] | undefined;
  readonly stall?: Verdict['stall'] | undefined;
  readonly clock: Clock;
  /** The client's signal; aborting ends the stream even if it is stalled. */
  readonly signal?: AbortSignal | undefined;
  /** Default: each value is one event. */
  readonly parting?: Parting<T>;
  /** Called when the stream has ended. */
  readonly onEnd?: () => void;
}

/** Passes on the values of an iterator on demand until a fault is due. */
export function createFragileStream<T>(inner: AsyncIterator<T>, options: FragileOptions<T>): FragileStream<T> {
  const { signal, drop, stall } = options;
  const clock = awaited(options.clock);
  const queue = createQueue<T>();
  const finish = (ending: Ending): void => {
    if (queue.ended) return;
    gate.leave();
    limits.leave();
    queue.end(ending);
    Promise.resolve(inner.return?.()).catch(() => undefined);
    options.onEnd?.();
  };
  const gate = createGate(clock, { open: () => flow.pump(), abort: (error) => finish({ error }) }, signal);
  const limits = createLimits(
    { clock, drop, stall, parting: options.parting },
    { drop: () => flow.cut(drop?.broken === true), stall: () => gate.close(stall?.forMilliseconds as number | undefined) },
  );
  const flow = createFlow(inner, { queue, limits, finish, isOpen: () => !gate.closed });
  return {
    cut: flow.cut,
    stall: (milliseconds) => queue.ended || gate.close(milliseconds),
    release: gate.open,
    next() {
      const next = queue.ask();
      limits.look();
      flow.pump();
      return next;
    },
    return() {
      finish({});
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

type Outcome<T> = { readonly value: T } | Ending;

interface Surroundings<T> {
  readonly queue: Queue<T>;
  readonly limits: Limits<T>;
  finish(ending: Ending): void;
  isOpen(): boolean;
}

/** Fetches one value at a time and holds back what cannot be delivered yet. */
function createFlow<T>(
  inner: AsyncIterator<T>,
  { queue, limits, finish, isOpen }: Surroundings<T>,
): { pump(): void; cut(broken: boolean): void } {
  let held: Outcome<T> | undefined;
  let fetching = false;
  const hold = (outcome: Outcome<T>): void => {
    fetching = false;
    // If the stream was cut meanwhile, the fetched value is dropped.
    held ??= outcome;
    pump();
  };
  const fetch = (): void => {
    if (fetching) return;
    fetching = true;
    inner.next().then(
      ({ done, value }) => hold(done ? {} : { value }),
      (error: unknown) => hold({ error }),
    );
  };
  const pump = (): void => {
    while (queue.asks > 0 && isOpen()) {
      if (!held) {
        fetch();
        return;
      }
      const outcome = held;
      held = undefined;
      if (!('value' in outcome)) {
        finish(outcome);
        return;
      }
      const { part, rest } = limits.part(outcome.value);
      if (rest !== undefined) held = { value: rest };
      queue.answer(part);
      limits.look();
    }
  };
  return {
    pump,
    cut(broken) {
      held = broken ? { error: brokenConnection() } : {};
      if (isOpen()) finish(held);
    },
  };
}

/** A gate that closes for a time or until it is opened. */
export interface Gate {
  readonly closed: boolean;
  close(milliseconds?: number): void;
  open(): void;
  /** Cancels the timer and removes the listener of the signal. */
  leave(): void;
}

/** @param signal aborts the wait at a closed gate */
export function createGate(
  clock: Clock,
  { open: opened, abort }: { open(): void; abort(reason: unknown): void },
  signal?: AbortSignal | undefined,
): Gate {
  let closed = false;
  let timer: ScheduledCall | undefined;
  const onAbort = (): void => abort(signal?.reason);
  const leave = (): void => {
    timer?.cancel();
    timer = undefined;
    signal?.removeEventListener('abort', onAbort);
  };
  const open = (): void => {
    if (!closed) return;
    leave();
    closed = false;
    opened();
  };
  return {
    get closed() {
      return closed;
    },
    close(milliseconds) {
      leave();
      closed = true;
      if (milliseconds !== undefined) timer = clock.schedule(open, milliseconds);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort);
    },
    open,
    leave,
  };
}

/** The end of an iteration, with an error if it failed. */
export interface Ending {
  readonly error?: unknown;
}

/** Pending next() calls, answered in order. */
export interface Queue<T> {
  readonly asks: number;
  readonly ended: boolean;
  ask(): Promise<IteratorResult<T>>;
  answer(value: T): void;
  /** Rejects the first pending or next call with the error, if any; all others are done. */
  end(ending: Ending): void;
}

export function createQueue<T>(): Queue<T> {
  const asks: Ask<T>[] = [];
  let ending: Ending | undefined;
  const settle = (): void => {
    while (ending && asks.length > 0) {
      const { resolve, reject } = asks.shift() as Ask<T>;
      if ('error' in ending) reject(ending.error);
      else resolve({ done: true, value: undefined });
      ending = {};
    }
  };
  return {
    get asks() {
      return asks.length;
    },
    get ended() {
      return ending !== undefined;
    },
    ask: () =>
      new Promise((resolve, reject) => {
        asks.push({ resolve, reject });
        settle();
      }),
    answer: (value) => asks.shift()?.resolve({ done: false, value }),
    end(how) {
      ending ??= how;
      settle();
    },
  };
}

interface Ask<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}
