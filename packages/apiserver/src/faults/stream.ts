import { type Clock, type ScheduledCall, toKeepAliveClock } from '../store/index.ts';
import { createBrokenConnection } from './errors.ts';
import type { DueCallFaults } from './scheduler.ts';
import { createFaultTriggers, type EventSplitter, type FaultTriggers } from './triggers.ts';

/** A watch into which faults can be injected. */
export interface FaultInjectingStream<T> extends AsyncIterableIterator<T> {
  /** Ends the watch: with a connection error if `broken`, otherwise regularly. A stalled watch ends when the stall ends. */
  cut(broken: boolean): void;
  /** Delivers nothing for `milliseconds`; without them, until `release`. */
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

/** Wraps an iterator and passes on its values on demand until a fault is due. */
export function createFaultInjectingStream<T>(inner: AsyncIterator<T>, options: FaultInjectingStreamOptions<T>): FaultInjectingStream<T> {
  const { signal, drop, stall } = options;
  const clock = toKeepAliveClock(options.clock);
  const queue = createQueue<T>();
  const finish = (ending: StreamEnd): void => {
    if (queue.hasEnded) return;
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
  const flow = createFlow(inner, { queue, triggers, finish, isOpen: () => !gate.isClosed });
  return {
    cut: flow.cut,
    stall: (milliseconds) => queue.hasEnded || gate.close(milliseconds),
    release: gate.open,
    next() {
      const nextResult = queue.request();
      triggers.fireDueTriggers();
      flow.pump();
      return nextResult;
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

type Outcome<T> = { readonly value: T } | StreamEnd;

interface FlowContext<T> {
  readonly queue: Queue<T>;
  readonly triggers: FaultTriggers<T>;
  finish(ending: StreamEnd): void;
  isOpen(): boolean;
}

/** Fetches one value at a time and buffers a value that cannot be delivered yet. */
function createFlow<T>(
  inner: AsyncIterator<T>,
  { queue, triggers, finish, isOpen }: FlowContext<T>,
): { pump(): void; cut(broken: boolean): void } {
  let bufferedOutcome: Outcome<T> | undefined;
  let isFetching = false;
  const buffer = (outcome: Outcome<T>): void => {
    isFetching = false;
    // If the stream was cut meanwhile, the buffer contains the ending and the fetched value is dropped.
    bufferedOutcome ??= outcome;
    pump();
  };
  const fetch = (): void => {
    if (isFetching) return;
    isFetching = true;
    inner.next().then(
      ({ done, value }) => buffer(done ? {} : { value }),
      (error: unknown) => buffer({ error }),
    );
  };
  const pump = (): void => {
    while (queue.pendingCount > 0 && isOpen()) {
      if (!bufferedOutcome) {
        fetch();
        return;
      }
      const outcome = bufferedOutcome;
      bufferedOutcome = undefined;
      if (!('value' in outcome)) {
        finish(outcome);
        return;
      }
      const { firstPart, rest } = triggers.splitAtTrigger(outcome.value);
      if (rest !== undefined) bufferedOutcome = { value: rest };
      queue.deliver(firstPart);
      triggers.fireDueTriggers();
    }
  };
  return {
    pump,
    cut(broken) {
      bufferedOutcome = broken ? { error: createBrokenConnection() } : {};
      if (isOpen()) finish(bufferedOutcome);
    },
  };
}

/** A gate that closes for a time or until it is opened. */
export interface Gate {
  readonly isClosed: boolean;
  close(milliseconds?: number): void;
  open(): void;
  /** Cancels the timer and removes the listener of the signal. */
  dispose(): void;
}

/** @param signal aborts the wait at a closed gate */
export function createGate(
  clock: Clock,
  { open: onOpen, abort }: { open(): void; abort(reason: unknown): void },
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
    onOpen();
  };
  return {
    get isClosed() {
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
export interface StreamEnd {
  readonly error?: unknown;
}

/** Pending next() calls, answered in order. */
export interface Queue<T> {
  readonly pendingCount: number;
  readonly hasEnded: boolean;
  request(): Promise<IteratorResult<T>>;
  deliver(value: T): void;
  /** Ends the iteration. If it failed, the first pending or next call is rejected with the error; all further calls are done. */
  end(ending: StreamEnd): void;
}

export function createQueue<T>(): Queue<T> {
  const pendingCalls: PendingNext<T>[] = [];
  let ending: StreamEnd | undefined;
  const settle = (): void => {
    while (ending && pendingCalls.length > 0) {
      const { resolve, reject } = pendingCalls.shift() as PendingNext<T>;
      if ('error' in ending) reject(ending.error);
      else resolve({ done: true, value: undefined });
      ending = {};
    }
  };
  return {
    get pendingCount() {
      return pendingCalls.length;
    },
    get hasEnded() {
      return ending !== undefined;
    },
    request: () =>
      new Promise((resolve, reject) => {
        pendingCalls.push({ resolve, reject });
        settle();
      }),
    deliver: (value) => pendingCalls.shift()?.resolve({ done: false, value }),
    end(newEnding) {
      ending ??= newEnding;
      settle();
    },
  };
}

interface PendingNext<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}
