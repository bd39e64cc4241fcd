import type { Clock, Resource, WatchEvent } from 'kube-endpoints/port';
import { createAlarm, toKeepAliveClock } from '../clock.ts';
import { expired } from '../errors.ts';
import type { StoreState } from '../state.ts';
import { planWatch, type WatchParameters } from './plan.ts';
import { createSource, type WatchSource } from './source.ts';

/**
 * Watches a resource. Writes after this call are not missed, even if the iteration starts later.
 * @throws ApiError immediately if an option is invalid. An error that upstream sends as an ERROR event, for example Expired, is thrown by
 * the iteration.
 */
export function watch(state: StoreState, resource: Resource, options: WatchParameters): AsyncIterableIterator<WatchEvent> {
  if (state.transactionDepth > 0) throw new Error('a watch cannot begin within a transaction');
  const plan = planWatch(state, resource, options);
  const { compactedRevision } = state.log;
  const isTooOld = !plan.sendsInitialEvents && plan.afterRevision < compactedRevision;
  const source = isTooOld
    ? createFailingSource(expired(`too old resource version: ${plan.afterRevision} (${compactedRevision})`))
    : createSource(state, plan);
  // Only a watch that is certain to end keeps the process alive; pending bookmarks do not.
  const isCertainToEnd = plan.deadline !== undefined || (plan.sendsInitialEvents && plan.requiredVersion.value > state.publishedRevision);
  return createStream(source, isCertainToEnd ? toKeepAliveClock(state.clock) : state.clock, options.signal);
}

const createFailingSource = (error: Error): WatchSource => ({
  take() {
    throw error;
  },
  waiters: () => new Set(),
  dueAt: () => undefined,
});

/**
 * Creates an iterator that pulls events from a source and waits if none is available.
 *
 * The iterator is registered with the store only while a call of `next` is pending. No timer is left once the iteration has ended.
 */
export function createStream(source: WatchSource, clock: Clock, signal: AbortSignal | undefined): AsyncIterableIterator<WatchEvent> {
  const pendingNexts: PendingNext[] = [];
  let hasEnded = false;
  const finish = (failure?: { readonly error: unknown }): void => {
    hasEnded = true;
    registration.leave();
    alarm.cancel();
    signal?.removeEventListener('abort', abort);
    if (failure) pendingNexts.shift()?.reject(failure.error);
    for (const { resolve } of pendingNexts.splice(0)) resolve(doneResult);
  };
  const abort = (): void => finish({ error: signal?.reason });
  const deliver = (): void => {
    try {
      deliverEvents(source, pendingNexts, { finish, wait });
    } catch (error) {
      finish({ error });
    }
    if (pendingNexts.length === 0) registration.leave();
  };
  const wait = (): void => {
    registration.join(source.waiters());
    const dueAt = source.dueAt();
    if (dueAt !== undefined) alarm.set(dueAt);
    signal?.addEventListener('abort', abort);
  };
  const registration = createRegistration(deliver);
  const alarm = createAlarm(clock, deliver);
  const next = (): Promise<IteratorResult<WatchEvent>> => {
    if (!hasEnded && signal?.aborted) {
      finish();
      return Promise.reject(signal.reason);
    }
    if (hasEnded) return Promise.resolve(doneResult);
    return new Promise((resolve, reject) => {
      pendingNexts.push({ resolve, reject });
      deliver();
    });
  };
  return createIterator(next, finish);
}

interface PendingNext {
  resolve(result: IteratorResult<WatchEvent>): void;
  reject(error: unknown): void;
}

const doneResult: IteratorResult<WatchEvent> = { done: true, value: undefined };

/** Resolves pending calls of `next` in order, while events are available. */
function deliverEvents(source: WatchSource, pendingNexts: PendingNext[], { finish, wait }: { finish(): void; wait(): void }): void {
  while (pendingNexts.length > 0) {
    const event = source.take();
    if (event === undefined) {
      wait();
      return;
    }
    if (event === 'end') finish();
    else pendingNexts.shift()?.resolve({ done: false, value: event });
  }
}

/** A callback that is registered in at most one set. */
function createRegistration(call: () => void): { join(observers: Set<() => void>): void; leave(): void } {
  let currentSet: Set<() => void> | undefined;
  const leave = (): void => {
    currentSet?.delete(call);
    currentSet = undefined;
  };
  return {
    join(observers) {
      if (observers === currentSet) return;
      leave();
      currentSet = observers;
      observers.add(call);
    },
    leave,
  };
}

function createIterator(next: () => Promise<IteratorResult<WatchEvent>>, finish: () => void): AsyncIterableIterator<WatchEvent> {
  return {
    next,
    return() {
      finish();
      return Promise.resolve(doneResult);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
