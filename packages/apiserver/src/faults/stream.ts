import { awaited, type Clock, type ScheduledCall } from '../store/index.ts';
import { brokenConnection } from './errors.ts';
import type { DueCallFaults } from './scheduler.ts';
import { createFaultTriggers, type EventSplitter, type FaultTriggers } from './triggers.ts';

/** A watch into which faults can be injected. */
export interface FaultInjectingStream<T> extends AsyncIterableIterator<T> {
  /** Ends the watch, after a stall if it is stalled: regularly or, if `broken`, by a broken connection. */
  cut(broken: boolean): void;
  /** Delivers nothing for `milliseconds`, or until `release`. */
  stall(milliseconds?: number): void;
  release(): void;
}

export interface FaultInjectingStreamOptions<T> {
  readonly drop?: DueCallFaults['drop'] | undefined;
  readonly stall?: DueCallFaults['stall'] | undefined;
  readonly clock: Clock;
  /** The client's signal; aborting ends the stream even if it is stalled. */
  readonly signal?: AbortSignal | undefined;
  /** Default: each value is one event. */
  readonly splitter?: EventSplitter<T>;
  /** Called when the stream has ended. */
  readonly onEnd?: () => void;
}

/** Passes on the values of an iterator on demand until a fault is due. */
export function createFaultInjectingStream<T>(inner: AsyncIterator<T>, options: FaultInjectingStreamOptions<T>): FaultInjectingStream<T> {
  const { signal, drop, stall } = options;
  const clock = awaited(options.clock);
  const queue = createQueue<T>();
  const finish = (ending: Ending): void => {
    if (queue.ended) return;
    gate.dispose();
    triggers.dispose();
    queue.end(ending);
    Promise.resolve(inner.return?.()).catch(() => undefined);
    options.onEnd?.();
  };
  const gate = createGate(clock, { open: () => flow.pump(), abort: (error) => finish({ error }) }, signal);
  const triggers = createFaultTriggers(
    { clock, drop, stall, splitter: options.splitter },
    { drop: () => flow.cut(drop?.broken === true), stall: () => gate.close(stall?.forMilliseconds as number | undefined) },
  );
  const flow = createFlow(inner, { queue, triggers, finish, isOpen: () => !gate.closed });
  return {
    cut: flow.cut,
    stall: (milliseconds) => queue.ended || gate.close(milliseconds),
    release: gate.open,
    next() {
      const next = queue.ask();
      triggers.fireDue();
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

interface FlowContext<T> {
  readonly queue: Queue<T>;
  readonly triggers: FaultTriggers<T>;
  finish(ending: Ending): void;
  isOpen(): boolean;
}

/** Fetches one value at a time and holds back what cannot be delivered yet. */
function createFlow<T>(
  inner: AsyncIterator<T>,
  { queue, triggers, finish, isOpen }: FlowContext<T>,
): { pump(): void; cut(broken: boolean): void } {
  let held: Outcome<T> | undefined;
  let fetching = false;
  const setHeld = (outcome: Outcome<T>): void => {
    fetching = false;
    // If the stream was cut meanwhile, the fetched value is dropped.
    held ??= outcome;
    pump();
  };
  const fetch = (): void => {
    if (fetching) return;
    fetching = true;
    inner.next().then(
      ({ done, value }) => setHeld(done ? {} : { value }),
      (error: unknown) => setHeld({ error }),
    );
  };
  const pump = (): void => {
    while (queue.pendingCount > 0 && isOpen()) {
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
      const { part, rest } = triggers.part(outcome.value);
      if (rest !== undefined) held = { value: rest };
      queue.answer(part);
      triggers.fireDue();
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
  dispose(): void;
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
  const dispose = (): void => {
    timer?.cancel();
    timer = undefined;
    signal?.removeEventListener('abort', onAbort);
  };
  const open = (): void => {
    if (!closed) return;
    dispose();
    closed = false;
    opened();
  };
  return {
    get closed() {
      return closed;
    },
    close(milliseconds) {
      dispose();
      closed = true;
      if (milliseconds !== undefined) timer = clock.schedule(open, milliseconds);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort);
    },
    open,
    dispose,
  };
}

/** The end of an iteration, with an error if it failed. */
export interface Ending {
  readonly error?: unknown;
}

/** Pending next() calls, answered in order. */
export interface Queue<T> {
  readonly pendingCount: number;
  readonly ended: boolean;
  ask(): Promise<IteratorResult<T>>;
  answer(value: T): void;
  /** Rejects the first pending or next call with the error, if any; all others are done. */
  end(ending: Ending): void;
}

export function createQueue<T>(): Queue<T> {
  const pendingCount: PendingNext<T>[] = [];
  let ending: Ending | undefined;
  const settle = (): void => {
    while (ending && pendingCount.length > 0) {
      const { resolve, reject } = pendingCount.shift() as PendingNext<T>;
      if ('error' in ending) reject(ending.error);
      else resolve({ done: true, value: undefined });
      ending = {};
    }
  };
  return {
    get pendingCount() {
      return pendingCount.length;
    },
    get ended() {
      return ending !== undefined;
    },
    ask: () =>
      new Promise((resolve, reject) => {
        pendingCount.push({ resolve, reject });
        settle();
      }),
    answer: (value) => pendingCount.shift()?.resolve({ done: false, value }),
    end(how) {
      ending ??= how;
      settle();
    },
  };
}

interface PendingNext<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}
