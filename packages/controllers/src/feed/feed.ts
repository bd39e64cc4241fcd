import { createDelays } from '../queue/delays.ts';
import { differenceOf, type FeedEvent, type Snapshot, snapshotOf } from './event.ts';
import { createSource, type EndpointFeedOptions, feedSettingsOf } from './source.ts';

/** Tells those who balance elsewhere what comes and goes. */
export interface EndpointFeed {
  /** Whether everything has been read once. */
  readonly ready: boolean;
  /**
   * What is to be told, from a full picture on, for as long as the feed runs or until the signal is aborted. Each subscription is told
   * all; a slow one is told less often, and never less than the truth.
   */
  subscribe(signal?: AbortSignal): AsyncGenerator<FeedEvent, void, undefined>;
  /** Runs until the signal is aborted: then all subscriptions end, and it resolves. To be called once. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Makes a feed of the ready endpoints of Services.
 *
 * The first change of a Service opens a window. When that closes, what the Service's endpoints have become is compared with what they
 * were: what came and went again meanwhile is not told.
 * @throws RangeError that names the option which is wrong
 */
export function createEndpointFeed(options: EndpointFeedOptions): EndpointFeed {
  const settings = feedSettingsOf(options);
  const { clock, random, window } = settings;
  const pictures = new Map<string, Snapshot>();
  const audience = createAudience(pictures, () => `${clock.now().toString(36)}-${Math.floor(random() * 36 ** 6).toString(36)}`);
  const look = (key: string): void => {
    const slices = source.of(key);
    const before = pictures.get(key);
    const after = slices && snapshotOf(slices);
    if (after) pictures.set(key, after);
    else pictures.delete(key);
    if (before && after ? differenceOf(before, after) : before !== after) audience.note(key);
  };
  const windows = createDelays(clock, look);
  const source = createSource(settings, {
    changed: (key) => windows.add(key, window, false),
    connected() {
      windows.clear();
      for (const key of new Set([...pictures.keys(), ...source.keys()])) look(key);
      audience.refresh();
    },
  });
  return {
    get ready() {
      return source.informer.hasSynced;
    },
    subscribe: (signal) => audience.subscribe(signal),
    async run(signal) {
      await source.informer.run(signal);
      windows.clear();
      audience.end();
    },
  };
}

/** Those who subscribe. */
interface Audience {
  subscribe(signal: AbortSignal | undefined): AsyncGenerator<FeedEvent, void, undefined>;
  note(key: string): void;
  refresh(): void;
  end(): void;
}

interface Seat {
  readonly subscription: Subscription;
  /** Called when there may be something to tell. */
  wake: () => void;
}

function createAudience(pictures: ReadonlyMap<string, Snapshot>, idOf: () => string): Audience {
  const seats = new Set<Seat>();
  let filled = false;
  let ended = false;
  let streams = 0;
  const each = (act: (subscription: Subscription) => void): void => {
    for (const { subscription, wake } of seats) {
      act(subscription);
      wake();
    }
  };
  return {
    async *subscribe(signal) {
      streams += 1;
      const seat: Seat = { subscription: createSubscription(`${idOf()}-${streams}`, pictures), wake: () => {} };
      if (filled) seat.subscription.refresh();
      seats.add(seat);
      try {
        while (!ended && !signal?.aborted) {
          const event = seat.subscription.next();
          if (event) yield event;
          else await woken(seat, signal);
        }
      } finally {
        seats.delete(seat);
      }
    },
    note: (key) => each(({ note }) => note(key)),
    refresh() {
      filled = true;
      each(({ refresh }) => refresh());
    },
    end() {
      ended = true;
      each(() => {});
    },
  };
}

function woken(seat: Seat, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      signal?.removeEventListener('abort', wake);
      seat.wake = () => {};
      resolve();
    };
    seat.wake = wake;
    signal?.addEventListener('abort', wake, { once: true });
  });
}

/**
 * What one consumer has been told, and what it is still to be told. Nothing is queued but the keys of Services: what is told of one is
 * worked out when the consumer asks, against what it was told last. However slow it is, it holds at most one old picture of each Service.
 */
export interface Subscription {
  /** The next event; undefined where there is nothing to tell. */
  next(): FeedEvent | undefined;
  /** There is another picture of a Service, or none any more. */
  note(key: string): void;
  /** All is to be told in full. */
  refresh(): void;
}

interface Told {
  readonly snapshot: Snapshot;
  readonly sequence: number;
}

/** @param pictures the Services' endpoints as they are now, by key */
export function createSubscription(stream: string, pictures: ReadonlyMap<string, Snapshot>): Subscription {
  const told = new Map<string, Told>();
  const pending = new Set<string>();
  const owed = new Set<string>();
  let completing = false;
  let sequence = 0;

  const tell = (key: string, inFull: boolean): FeedEvent | undefined => {
    const snapshot = pictures.get(key);
    const known = told.get(key);
    if (!snapshot && !known) return undefined;
    const [namespace = '', service = ''] = key.split('/');
    const difference = snapshot && known && !inFull ? differenceOf(known.snapshot, snapshot) : undefined;
    if (snapshot && known && !inFull && !difference) return undefined;
    sequence += 1;
    const place = { stream, sequence, key, namespace, service };
    if (!snapshot) {
      told.delete(key);
      return { type: 'gone', ...place };
    }
    told.set(key, { snapshot, sequence });
    if (difference && known) return { type: 'changed', ...place, after: known.sequence, ...difference };
    return { type: 'full', ...place, endpoints: [...snapshot.ready.values()] };
  };
  const first = (keys: Set<string>, inFull: boolean): FeedEvent | undefined => {
    for (const key of keys) {
      keys.delete(key);
      const event = tell(key, inFull);
      if (event) return event;
    }
    return undefined;
  };
  return {
    next() {
      const full = first(owed, true);
      if (full) return full;
      if (!completing) return first(pending, false);
      completing = false;
      sequence += 1;
      return { type: 'complete', stream, sequence, services: told.size };
    },
    note(key) {
      if (!owed.has(key)) pending.add(key);
    },
    refresh() {
      pending.clear();
      for (const key of [...told.keys(), ...pictures.keys()]) owed.add(key);
      completing = true;
    },
  };
}
