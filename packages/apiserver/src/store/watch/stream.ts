import type { Clock, WatchEvent } from 'kube-endpoints/port';
import { createAlarm } from './alarm.ts';
import type { WatchSource } from './source.ts';

/**
 * Makes an iterator that fetches from a source whenever it is asked, and waits where there is nothing yet.
 *
 * Only while somebody waits is it known to the store. A timer runs at most until the time that was due when somebody last waited,
 * and none is left once the iteration has ended.
 */
export function createStream(source: WatchSource, clock: Clock, signal: AbortSignal | undefined): AsyncIterableIterator<WatchEvent> {
  const asked: Asked[] = [];
  let ended = false;
  const finish = (failure?: { readonly error: unknown }): void => {
    ended = true;
    seat.leave();
    alarm.cancel();
    signal?.removeEventListener('abort', abort);
    if (failure) asked.shift()?.reject(failure.error);
    for (const { resolve } of asked.splice(0)) resolve(done);
  };
  const abort = (): void => finish({ error: signal?.reason });
  const pump = (): void => {
    try {
      serve(source, asked, { finish, wait });
    } catch (error) {
      finish({ error });
    }
    if (asked.length === 0) seat.leave();
  };
  const wait = (): void => {
    seat.join(source.waiting());
    const at = source.dueAt();
    if (at !== undefined) alarm.set(at);
    signal?.addEventListener('abort', abort);
  };
  const seat = createSeat(pump);
  const alarm = createAlarm(clock, pump);
  const next = (): Promise<IteratorResult<WatchEvent>> => {
    if (!ended && signal?.aborted) {
      finish();
      return Promise.reject(signal.reason);
    }
    if (ended) return Promise.resolve(done);
    return new Promise((resolve, reject) => {
      asked.push({ resolve, reject });
      pump();
    });
  };
  return iteratorOf(next, finish);
}

interface Asked {
  resolve(result: IteratorResult<WatchEvent>): void;
  reject(error: unknown): void;
}

const done: IteratorResult<WatchEvent> = { done: true, value: undefined };

/** Hands out what there is, to who asked first. */
function serve(source: WatchSource, asked: Asked[], { finish, wait }: { finish(): void; wait(): void }): void {
  while (asked.length > 0) {
    const taken = source.take();
    if (taken === undefined) {
      wait();
      return;
    }
    if (taken === 'end') finish();
    else asked.shift()?.resolve({ done: false, value: taken });
  }
}

/** A place among those who are called. */
function createSeat(call: () => void): { join(circle: Set<() => void>): void; leave(): void } {
  let joined: Set<() => void> | undefined;
  const leave = (): void => {
    joined?.delete(call);
    joined = undefined;
  };
  return {
    join(circle) {
      if (circle === joined) return;
      leave();
      joined = circle;
      circle.add(call);
    },
    leave,
  };
}

function iteratorOf(next: () => Promise<IteratorResult<WatchEvent>>, finish: () => void): AsyncIterableIterator<WatchEvent> {
  return {
    next,
    return() {
      finish();
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
