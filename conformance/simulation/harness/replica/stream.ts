import { ApiError, type Resource, type WatchEvent, type WatchOptions } from 'kube-endpoints/port';
import { type Link, travel } from './network.ts';

type Outcome = { readonly event: WatchEvent } | { readonly end: true } | { readonly error: unknown };
type Result = IteratorResult<WatchEvent>;

/** A watch with network latency: events arrive in order but late, and the connection may hang without an error. */
export function createStream(link: Link, resource: Resource, options: WatchOptions): AsyncIterableIterator<WatchEvent> {
  const { signal, ...asked } = options;
  const inbox = createInbox();
  const line = createLine(link, (outcome) => {
    if (inbox.closed) return;
    if ('event' in outcome) see(outcome.event);
    inbox.put(outcome);
  });
  const see = createSight(link, resource, options);
  let inner: AsyncIterator<WatchEvent> | undefined;
  const close = (): void => {
    inbox.close();
    signal?.removeEventListener('abort', abort);
    void inner?.return?.();
  };
  const abort = (): void => {
    inbox.fail(signal?.reason);
    close();
  };
  const begin = async (): Promise<void> => {
    if (inbox.closed) return;
    try {
      if (asked.sendInitialEvents && !link.watchList) throw noStreaming();
      inner = link.server().watch(resource, asked)[Symbol.asyncIterator]();
      for (let next = await inner.next(); !next.done; next = await inner.next()) line.add({ event: next.value });
      line.add({ end: true });
    } catch (error) {
      line.add({ error });
    }
  };
  if (signal?.aborted) abort();
  else {
    signal?.addEventListener('abort', abort);
    travel(link, 0, () => void begin());
  }
  return {
    next: () => inbox.next(),
    return() {
      close();
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const done: Result = { done: true, value: undefined };

/** Buffers arrived events and pending reads. */
function createInbox() {
  const arrived: Outcome[] = [];
  const waiting: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void }[] = [];
  let closed = false;
  const hand = (): void => {
    while (waiting.length > 0 && arrived.length > 0) {
      const { resolve, reject } = waiting.shift() as (typeof waiting)[number];
      const outcome = arrived.shift() as Outcome;
      if ('event' in outcome) resolve({ done: false, value: outcome.event });
      else if ('error' in outcome) reject(outcome.error);
      else resolve(done);
    }
  };
  return {
    get closed() {
      return closed;
    },
    put(outcome: Outcome): void {
      arrived.push(outcome);
      hand();
    },
    fail(error: unknown): void {
      arrived.length = 0;
      arrived.push({ error });
      hand();
    },
    close(): void {
      closed = true;
      for (const { resolve } of waiting.splice(0)) resolve(done);
    },
    next(): Promise<Result> {
      if (closed && arrived.length === 0) return Promise.resolve(done);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        hand();
      });
    },
  };
}

/** Keeps messages in transit in order. */
function createLine(link: Link, deliver: (outcome: Outcome) => void): { add(outcome: Outcome): void } {
  const { scheduler, random, life } = link;
  const { lag, dead } = link.weather();
  const late = random.chance(0.2) ? lag : Math.min(lag, 10);
  const diesAfter = random.chance(dead) ? random.below(30) : Number.POSITIVE_INFINITY;
  const pending: { readonly at: number; readonly outcome: Outcome }[] = [];
  let count = 0;
  let last = 0;
  const flush = (): void => {
    const blocked = link.blockedUntil() - scheduler.time;
    if (blocked > 0) {
      scheduler.schedule(flush, blocked);
      return;
    }
    // deliver one at a time, so that the state known at each action is exact
    const { outcome } = pending.shift() as (typeof pending)[number];
    life.enter('message', () => deliver(outcome));
    if (pending[0]) scheduler.schedule(flush, pending[0].at - scheduler.time);
  };
  return {
    add(outcome) {
      count += 1;
      if (count > diesAfter) return;
      const { lag: most } = link.weather();
      last = Math.max(last, scheduler.time + random.below(1 + Math.min(late, most) * 10) / 10);
      pending.push({ at: last, outcome });
      if (pending.length === 1) scheduler.schedule(flush, last - scheduler.time);
    },
  };
}

/** Reports the version that a replica knows after an event. Initial events count only when all have arrived. */
function createSight({ witness }: Link, resource: Resource, options: WatchOptions): (event: WatchEvent) => void {
  const { resourceVersion = '', sendInitialEvents } = options;
  let filling = sendInitialEvents === true || resourceVersion === '' || resourceVersion === '0';
  return ({ type, object: { metadata } }) => {
    if (type === 'BOOKMARK' && metadata.annotations?.['k8s.io/initial-events-end'] === 'true') filling = false;
    if (!filling) witness.sees(resource, Number(metadata.resourceVersion));
  };
}

const noStreaming = (): ApiError =>
  new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'Invalid',
    message:
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    code: 422,
  });
