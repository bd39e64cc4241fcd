import type { Resource, ScheduledCall, SteadyClock, WatchEvent, Watcher, WatchOptions } from 'kube-endpoints/port';
import { pause } from '../../clock.ts';
import { timeoutError } from './failure.ts';

/** A watch that never leaves anybody waiting for good. */
export interface OpenWatch {
  /** By `clock.elapsed()`. */
  readonly openedAt: number;
  /** When it last told something. */
  readonly heardAt: number;
  /** Milliseconds after which the server is to end it. */
  readonly lasts: number;
  /** The next event; undefined where the watch ends. @throws what the port throws, a timeout, the signal's reason */
  next(): Promise<WatchEvent | undefined>;
  /** Until when it may be silent, by `clock.elapsed()`; asked again whenever that time has come, and now. */
  patience(until: () => number): void;
  /** Ends it. Waits for the port to let go of it, but not for ever. */
  close(): Promise<void>;
}

export interface WatchSource {
  readonly port: Watcher;
  readonly clock: SteadyClock;
  readonly resource: Resource;
  readonly signal: AbortSignal;
}

/** Opens a watch. @throws what the port throws */
export function openWatch(source: WatchSource, options: WatchOptions & { readonly timeoutSeconds: number }): OpenWatch {
  const { port, clock, resource, signal } = source;
  const line = createLine(source);
  const iterator = line.begin((own) => port.watch(resource, { ...options, signal: own })[Symbol.asyncIterator]());
  const openedAt = clock.elapsed();
  let heardAt = openedAt;
  let ended = false;
  return {
    openedAt,
    lasts: options.timeoutSeconds * 1000,
    get heardAt() {
      return heardAt;
    },
    patience: line.patience,
    async next() {
      if (signal.aborted) throw signal.reason;
      const { done, value } = await line.hear(iterator);
      heardAt = clock.elapsed();
      ended = done === true;
      return ended ? undefined : value;
    },
    async close() {
      line.leave();
      if (ended) return;
      ended = true;
      line.cut();
      await letGo(iterator, clock);
    },
  };
}

type Events = AsyncIterator<WatchEvent>;

/** What a watch comes over: cut by the signal, by time, or by whoever closes it. */
interface Line extends Pick<OpenWatch, 'patience'> {
  begin(open: (signal: AbortSignal) => Events): Events;
  hear(iterator: Events): Promise<IteratorResult<WatchEvent>>;
  cut(): void;
  leave(): void;
}

function createLine({ clock, resource, signal }: WatchSource): Line {
  const controller = new AbortController();
  let broken: { readonly error: unknown } | undefined;
  let giveUp: ((error: unknown) => void) | undefined;
  const breakOff = (error: unknown): void => {
    broken ??= { error };
    giveUp?.(error);
    controller.abort(error);
  };
  const dog = createWatchdog(clock, () => breakOff(timeoutError(`the watch of ${resource.plural} has been silent for too long`)));
  const onAbort = (): void => breakOff(signal.reason);
  const leave = (): void => {
    dog.leave();
    signal.removeEventListener('abort', onAbort);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    patience: dog.guard,
    begin(open) {
      try {
        return open(controller.signal);
      } catch (error) {
        leave();
        throw error;
      }
    },
    // Not a race with a promise that lasts: each race would be remembered by it, for as long as the watch is open.
    hear: (iterator) =>
      new Promise((resolve, reject) => {
        giveUp = reject;
        if (broken) reject(broken.error);
        else iterator.next().then(resolve, reject);
      }),
    cut: () => controller.abort(broken?.error),
    leave,
  };
}

async function letGo(iterator: AsyncIterator<WatchEvent>, clock: SteadyClock): Promise<void> {
  const over = new AbortController();
  const leave = (): void => over.abort();
  try {
    Promise.resolve(iterator.return?.()).then(leave, leave);
  } catch {
    return;
  }
  await pause(clock, longestParting, over.signal);
}

const longestParting = 5000;

/** Barks when a time has come that moves on as long as all is well. Looks only when its timer rings, for that costs less than moving it. */
function createWatchdog(clock: SteadyClock, bark: () => void): { guard(until: () => number): void; leave(): void } {
  let until = (): number => Number.POSITIVE_INFINITY;
  let timer: ScheduledCall | undefined;
  const look = (): void => {
    timer?.cancel();
    const left = until() - clock.elapsed();
    if (left <= 0) bark();
    else timer = clock.schedule(look, left);
  };
  return {
    guard(given) {
      until = given;
      look();
    },
    leave: () => timer?.cancel(),
  };
}
