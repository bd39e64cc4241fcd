import type { Clock, Resource, WatchEvent } from 'kube-endpoints/port';
import { awaited, createAlarm } from '../clock.ts';
import { expired } from '../errors.ts';
import type { StoreState } from '../state.ts';
import { planOfWatch, type WatchParameters } from './plan.ts';
import { createSource, type WatchSource } from './source.ts';

/**
 * Watches a resource. Writes after this call are not missed, even if the iteration starts later.
 * @throws ApiError immediately if an option is invalid. An error that upstream sends as an ERROR event, for example Expired, is thrown by
 * the iteration.
 */
export function watch(state: StoreState, resource: Resource, options: WatchParameters): AsyncIterableIterator<WatchEvent> {
  if (state.depth > 0) throw new Error('a watch cannot begin within a transaction');
  const plan = planOfWatch(state, resource, options);
  const { compacted } = state.log;
  const tooOld = !plan.initial && plan.from < compacted;
  const source = tooOld ? failing(expired(`too old resource version: ${plan.from} (${compacted})`)) : createSource(state, plan);
  // A bookmark alone does not keep the process alive; only a watch that is certain to end does.
  const ends = plan.deadline !== undefined || (plan.initial && plan.required.value > state.revision);
  return createStream(source, ends ? awaited(state.clock) : state.clock, options.signal);
}

const failing = (error: Error): WatchSource => ({
  take() {
    throw error;
  },
  waiting: () => new Set(),
  dueAt: () => undefined,
});

/**
 * Creates an iterator that pulls events from a source and waits if none is available.
 *
 * It is registered with the store only while a call of `next` is pending. No timer is left once the iteration has ended.
 */
export function createStream(source: WatchSource, clock: Clock, signal: AbortSignal | undefined): AsyncIterableIterator<WatchEvent> {
  const pendingNexts: PendingNext[] = [];
  let ended = false;
  const finish = (failure?: { readonly error: unknown }): void => {
    ended = true;
    registration.leave();
    alarm.cancel();
    signal?.removeEventListener('abort', abort);
    if (failure) pendingNexts.shift()?.reject(failure.error);
    for (const { resolve } of pendingNexts.splice(0)) resolve(done);
  };
  const abort = (): void => finish({ error: signal?.reason });
  const pump = (): void => {
    try {
      serve(source, pendingNexts, { finish, wait });
    } catch (error) {
      finish({ error });
    }
    if (pendingNexts.length === 0) registration.leave();
  };
  const wait = (): void => {
    registration.join(source.waiting());
    const at = source.dueAt();
    if (at !== undefined) alarm.set(at);
    signal?.addEventListener('abort', abort);
  };
  const registration = createRegistration(pump);
  const alarm = createAlarm(clock, pump);
  const next = (): Promise<IteratorResult<WatchEvent>> => {
    if (!ended && signal?.aborted) {
      finish();
      return Promise.reject(signal.reason);
    }
    if (ended) return Promise.resolve(done);
    return new Promise((resolve, reject) => {
      pendingNexts.push({ resolve, reject });
      pump();
    });
  };
  return iteratorOf(next, finish);
}

interface PendingNext {
  resolve(result: IteratorResult<WatchEvent>): void;
  reject(error: unknown): void;
}

const done: IteratorResult<WatchEvent> = { done: true, value: undefined };

/** Resolves pending calls of `next` in order, as far as there are events. */
function serve(source: WatchSource, pendingNexts: PendingNext[], { finish, wait }: { finish(): void; wait(): void }): void {
  while (pendingNexts.length > 0) {
    const taken = source.take();
    if (taken === undefined) {
      wait();
      return;
    }
    if (taken === 'end') finish();
    else pendingNexts.shift()?.resolve({ done: false, value: taken });
  }
}

/** A callback that is registered in at most one set. */
function createRegistration(call: () => void): { join(observers: Set<() => void>): void; leave(): void } {
  let joined: Set<() => void> | undefined;
  const leave = (): void => {
    joined?.delete(call);
    joined = undefined;
  };
  return {
    join(observers) {
      if (observers === joined) return;
      leave();
      joined = observers;
      observers.add(call);
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
