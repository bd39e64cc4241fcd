import { ApiError, type Resource, type WatchEvent, type WatchOptions } from 'kube-endpoints/port';
import { deliver, type Link } from './network.ts';

type Outcome = { readonly event: WatchEvent } | { readonly end: true } | { readonly error: unknown };
type Result = IteratorResult<WatchEvent>;

/** Watches with network latency: events arrive in order but late, and the connection may hang without an error. */
export function createStream(link: Link, resource: Resource, options: WatchOptions): AsyncIterableIterator<WatchEvent> {
  const { signal, ...watchOptions } = options;
  const inbox = createInbox();
  const transit = createTransit(link, (outcome) => {
    if (inbox.closed) return;
    if ('event' in outcome) reportVersion(outcome.event);
    inbox.put(outcome);
  });
  const reportVersion = createVersionReporter(link, resource, options);
  let serverWatch: AsyncIterator<WatchEvent> | undefined;
  const close = (): void => {
    inbox.close();
    signal?.removeEventListener('abort', abort);
    void serverWatch?.return?.();
  };
  const abort = (): void => {
    inbox.fail(signal?.reason);
    close();
  };
  const open = async (): Promise<void> => {
    if (inbox.closed) return;
    try {
      if (watchOptions.sendInitialEvents && !link.watchList) throw streamingForbiddenError();
      serverWatch = link.server().watch(resource, watchOptions)[Symbol.asyncIterator]();
      for (let next = await serverWatch.next(); !next.done; next = await serverWatch.next()) transit.add({ event: next.value });
      transit.add({ end: true });
    } catch (error) {
      transit.add({ error });
    }
  };
  if (signal?.aborted) abort();
  else {
    signal?.addEventListener('abort', abort);
    deliver(link, 0, () => void open());
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

/** A queue that hands arrived events to pending reads. */
export interface Inbox {
  readonly closed: boolean;
  put(outcome: Outcome): void;
  /** Makes the next read fail, and drops everything that has arrived. */
  fail(error: unknown): void;
  close(): void;
  next(): Promise<Result>;
}

export function createInbox(): Inbox {
  const arrivedOutcomes: Outcome[] = [];
  const pendingReads: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void }[] = [];
  let closed = false;
  const dispatch = (): void => {
    while (pendingReads.length > 0 && arrivedOutcomes.length > 0) {
      const { resolve, reject } = pendingReads.shift() as (typeof pendingReads)[number];
      const outcome = arrivedOutcomes.shift() as Outcome;
      if ('event' in outcome) resolve({ done: false, value: outcome.event });
      else if ('error' in outcome) reject(outcome.error);
      else resolve(done);
    }
  };
  return {
    get closed(): boolean {
      return closed;
    },
    put(outcome: Outcome): void {
      arrivedOutcomes.push(outcome);
      dispatch();
    },
    fail(error: unknown): void {
      arrivedOutcomes.length = 0;
      arrivedOutcomes.push({ error });
      dispatch();
    },
    close(): void {
      closed = true;
      for (const { resolve } of pendingReads.splice(0)) resolve(done);
    },
    next(): Promise<Result> {
      if (closed && arrivedOutcomes.length === 0) return Promise.resolve(done);
      return new Promise((resolve, reject) => {
        pendingReads.push({ resolve, reject });
        dispatch();
      });
    },
  };
}

/** Delays events, but keeps their order. */
function createTransit(link: Link, emit: (outcome: Outcome) => void): { add(outcome: Outcome): void } {
  const { scheduler, random, lifecycle } = link;
  const { maxLagMs, deadWatch } = link.faultRates();
  const maxDelayMs = random.chance(0.2) ? maxLagMs : Math.min(maxLagMs, 10);
  const eventsUntilDeath = random.chance(deadWatch) ? random.below(30) : Number.POSITIVE_INFINITY;
  const pending: { readonly arrival: number; readonly outcome: Outcome }[] = [];
  let count = 0;
  let lastArrival = 0;
  const flush = (): void => {
    const blockedMs = link.blockedUntil() - scheduler.time;
    if (blockedMs > 0) {
      scheduler.schedule(flush, blockedMs);
      return;
    }
    // Delivers one event at a time, so that the cached versions at each action are exact.
    const { outcome } = pending.shift() as (typeof pending)[number];
    lifecycle.run('message', () => emit(outcome));
    if (pending[0]) scheduler.schedule(flush, pending[0].arrival - scheduler.time);
  };
  return {
    add(outcome) {
      count += 1;
      if (count > eventsUntilDeath) return;
      const { maxLagMs: currentLagMs } = link.faultRates();
      lastArrival = Math.max(lastArrival, scheduler.time + random.below(1 + Math.min(maxDelayMs, currentLagMs) * 10) / 10);
      pending.push({ arrival: lastArrival, outcome });
      if (pending.length === 1) scheduler.schedule(flush, lastArrival - scheduler.time);
    },
  };
}

/** Reports the version that a replica has cached after an event. Initial events count only when all have arrived. */
function createVersionReporter({ monitor }: Link, resource: Resource, options: WatchOptions): (event: WatchEvent) => void {
  const { resourceVersion = '', sendInitialEvents } = options;
  let isInitial = sendInitialEvents === true || resourceVersion === '' || resourceVersion === '0';
  return ({ type, object: { metadata } }) => {
    if (type === 'BOOKMARK' && metadata.annotations?.['k8s.io/initial-events-end'] === 'true') isInitial = false;
    if (!isInitial) monitor.onCached(resource, Number(metadata.resourceVersion));
  };
}

export const streamingForbiddenError = (): ApiError =>
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
