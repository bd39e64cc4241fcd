import { awaited, type Clock } from '../store/index.ts';
import { brokenConnection } from './errors.ts';
import { createGate } from './gate.ts';
import type { Verdict } from './judge.ts';
import { createLimits, type Limits, type Parting } from './limits.ts';
import { createQueue, type Ending, type Queue } from './queue.ts';

/** A watch that can go wrong. */
export interface FragileStream<T> extends AsyncIterableIterator<T> {
  /** Ends it, once it is not stalled: the way a server does or, broken, as a connection does. */
  cut(broken: boolean): void;
  /** Lets nothing more come, for so long or until it is released. */
  stall(milliseconds?: number): void;
  release(): void;
}

export interface FragileOptions<T> {
  readonly drop?: Verdict['drop'] | undefined;
  readonly stall?: Verdict['stall'] | undefined;
  readonly clock: Clock;
  /** Whose client does not wait any longer, stalled or not. */
  readonly signal?: AbortSignal | undefined;
  /** By default each value is one event. */
  readonly parting?: Parting<T>;
  /** Called when it is over. */
  readonly onEnd?: () => void;
}

/** Passes on what an iterator gives, as it is asked for, until something goes wrong. */
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

/** Fetches one value at a time, and keeps what cannot be passed on yet. */
function createFlow<T>(
  inner: AsyncIterator<T>,
  { queue, limits, finish, isOpen }: Surroundings<T>,
): { pump(): void; cut(broken: boolean): void } {
  let held: Outcome<T> | undefined;
  let fetching = false;
  const hold = (outcome: Outcome<T>): void => {
    fetching = false;
    // An end that came meanwhile stays the end.
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
