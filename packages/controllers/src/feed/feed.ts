import { createDelays } from '../queue/delays.ts';
import { computeDifference, createSnapshot, type FeedEvent, type ServiceSnapshot } from './event.ts';
import { createFeedSettings, createSource, type EndpointFeedOptions } from './source.ts';

/** Publishes changes of ready endpoints, for load balancers outside the cluster. */
export interface EndpointFeed {
  /** Whether the initial list is complete. */
  readonly ready: boolean;
  /**
   * Yields events, starting with the full state, until the feed ends or the signal is aborted. Each subscription gets every Service.
   * A slow consumer gets fewer, merged events; applying them always gives the current state.
   */
  subscribe(signal?: AbortSignal): AsyncGenerator<FeedEvent, void, undefined>;
  /** Runs until the signal is aborted; then ends all subscriptions and resolves. Call it once. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates a feed of the ready endpoints of Services.
 *
 * The first change of a Service opens a time window. When the window closes, the endpoints are compared with those before it, so a change
 * that was undone within the window is not reported.
 * @throws RangeError that names the invalid option
 */
export function createEndpointFeed(options: EndpointFeedOptions): EndpointFeed {
  const settings = createFeedSettings(options);
  const { clock, random, window } = settings;
  const snapshots = new Map<string, ServiceSnapshot>();
  const subscribers = createSubscribers(snapshots, () => `${clock.now().toString(36)}-${Math.floor(random() * 36 ** 6).toString(36)}`);
  const refreshService = (key: string): void => {
    const slices = source.slicesOf(key);
    const before = snapshots.get(key);
    const after = slices && createSnapshot(slices);
    if (after) snapshots.set(key, after);
    else snapshots.delete(key);
    if (before && after ? computeDifference(before, after) : before !== after) subscribers.markChanged(key);
  };
  const windows = createDelays(clock, refreshService);
  const source = createSource(settings, {
    onChanged: (key) => windows.add(key, window, false),
    onConnected() {
      windows.clear();
      for (const key of new Set([...snapshots.keys(), ...source.keys()])) refreshService(key);
      subscribers.refresh();
    },
  });
  return {
    get ready() {
      return source.informer.hasSynced;
    },
    subscribe: (signal) => subscribers.subscribe(signal),
    async run(signal) {
      await source.informer.run(signal);
      windows.clear();
      subscribers.end();
    },
  };
}

interface Subscriber {
  readonly subscription: Subscription;
  /** Called when an event may be available. */
  wake: () => void;
}

/** All open subscriptions. */
function createSubscribers(snapshots: ReadonlyMap<string, ServiceSnapshot>, createId: () => string) {
  const subscribers = new Set<Subscriber>();
  let hasConnected = false;
  let ended = false;
  let streamCount = 0;
  const forEach = (act: (subscription: Subscription) => void): void => {
    for (const { subscription, wake } of subscribers) {
      act(subscription);
      wake();
    }
  };
  return {
    async *subscribe(signal: AbortSignal | undefined): AsyncGenerator<FeedEvent, void, undefined> {
      streamCount += 1;
      const subscriber: Subscriber = { subscription: createSubscription(`${createId()}-${streamCount}`, snapshots), wake: () => {} };
      if (hasConnected) subscriber.subscription.refresh();
      subscribers.add(subscriber);
      try {
        while (!ended && !signal?.aborted) {
          const event = subscriber.subscription.next();
          if (event) yield event;
          else await waitForWake(subscriber, signal);
        }
      } finally {
        subscribers.delete(subscriber);
      }
    },
    markChanged: (key: string): void => forEach(({ markChanged }) => markChanged(key)),
    refresh(): void {
      hasConnected = true;
      forEach(({ refresh }) => refresh());
    },
    end(): void {
      ended = true;
      forEach(() => {});
    },
  };
}

function waitForWake(subscriber: Subscriber, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      signal?.removeEventListener('abort', wake);
      subscriber.wake = () => {};
      resolve();
    };
    subscriber.wake = wake;
    signal?.addEventListener('abort', wake, { once: true });
  });
}

/**
 * The state of one consumer: the last snapshot sent of each Service, and the keys still to be sent. An event is computed when the consumer
 * requests it, against the last snapshot sent. So a slow consumer holds at most one old snapshot of each Service.
 */
export interface Subscription {
  /** Returns the next event, or undefined if no change is pending. */
  next(): FeedEvent | undefined;
  /** Marks a Service as changed or removed. */
  markChanged(key: string): void;
  /** Sends all Services in full again. */
  refresh(): void;
}

interface SentState {
  readonly snapshot: ServiceSnapshot;
  readonly sequence: number;
}

/** @param snapshots the current snapshots, by the key of the Service */
export function createSubscription(stream: string, snapshots: ReadonlyMap<string, ServiceSnapshot>): Subscription {
  const sentStates = new Map<string, SentState>();
  const pendingKeys = new Set<string>();
  const pendingFullKeys = new Set<string>();
  let isCompletePending = false;
  let sequence = 0;

  const createEvent = (key: string, inFull: boolean): FeedEvent | undefined => {
    const snapshot = snapshots.get(key);
    const lastSent = sentStates.get(key);
    if (!snapshot && !lastSent) return undefined;
    const [namespace = '', service = ''] = key.split('/');
    const difference = snapshot && lastSent && !inFull ? computeDifference(lastSent.snapshot, snapshot) : undefined;
    if (snapshot && lastSent && !inFull && !difference) return undefined;
    sequence += 1;
    const identity = { stream, sequence, key, namespace, service };
    if (!snapshot) {
      sentStates.delete(key);
      return { type: 'gone', ...identity };
    }
    sentStates.set(key, { snapshot, sequence });
    if (difference && lastSent) return { type: 'changed', ...identity, after: lastSent.sequence, ...difference };
    return { type: 'full', ...identity, endpoints: [...snapshot.readyEndpoints.values()] };
  };
  const takeFirstEvent = (keys: Set<string>, inFull: boolean): FeedEvent | undefined => {
    for (const key of keys) {
      keys.delete(key);
      const event = createEvent(key, inFull);
      if (event) return event;
    }
    return undefined;
  };
  return {
    next() {
      const fullEvent = takeFirstEvent(pendingFullKeys, true);
      if (fullEvent) return fullEvent;
      if (!isCompletePending) return takeFirstEvent(pendingKeys, false);
      isCompletePending = false;
      sequence += 1;
      return { type: 'complete', stream, sequence, services: sentStates.size };
    },
    markChanged(key) {
      if (!pendingFullKeys.has(key)) pendingKeys.add(key);
    },
    refresh() {
      pendingKeys.clear();
      for (const key of [...sentStates.keys(), ...snapshots.keys()]) pendingFullKeys.add(key);
      isCompletePending = true;
    },
  };
}
