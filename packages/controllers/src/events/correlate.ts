import type { SteadyClock } from 'kube-endpoints/port';
import { type Bucket, createBucket } from '../queue/index.ts';
import { type CoreEvent, timestampOf } from './event.ts';

/** Reduces many similar Events to few writes. Pure except for its own state and the clock. */
export interface Correlator {
  /** Returns the write for an Event; undefined if its source has exceeded the rate limit for the object. */
  correlate(event: CoreEvent): CorrelatedEvent | undefined;
  /** Records the server's answer to a write. */
  observe(written: WrittenEvent, correlated: CorrelatedEvent): void;
}

export interface CorrelatedEvent {
  /** The Event to create. If there is a patch, it is created only if the Event to patch no longer exists. */
  readonly event: CoreEvent;
  /** Strategic merge patch for an earlier Event with the same name; undefined if there is none. */
  readonly patch: EventPatch | undefined;
  /** Key of the Event in the cache of written Events. */
  readonly key: string;
}

export interface EventPatch {
  readonly count: number;
  readonly lastTimestamp: string;
  readonly message?: string;
}

/** An Event as the server returned it. */
export interface WrittenEvent {
  readonly metadata: { readonly name?: string };
  readonly count?: unknown;
  readonly firstTimestamp?: unknown;
}

/** The constants of client-go 1.36 (tools/record/events_cache.go). */
const limits = {
  /** Maximum number of entries in each of the LRU maps. */
  maxLruCacheEntries: 4096,
  /** Number of different messages at which similar Events start to be combined. */
  aggregateMaxEvents: 10,
  /** Milliseconds without a similar Event after which counting starts over. */
  aggregateIntervalMs: 600_000,
  /** Maximum burst of Events from one source about one object. */
  spamBurst: 25,
  /** Events per second beyond the burst. */
  spamQps: 1 / 300,
};

/** Mirrors EventCorrelator (1.36): combines similar Events, counts equal Events, and drops Events over the rate limit, in this order. */
export function createCorrelator({ clock }: { readonly clock: SteadyClock }): Correlator {
  const aggregate = createAggregator(clock);
  const writtenEvents = createWrittenEventLog();
  const isSpam = createSpamFilter(clock);
  return {
    correlate(event) {
      const { key, event: aggregatedEvent } = aggregate(event);
      // Counts the Event even if the spam filter drops it, so that the count of the next written Event includes it.
      const correlated = writtenEvents.count(aggregatedEvent, key);
      return isSpam(correlated.event) ? undefined : correlated;
    },
    observe: writtenEvents.observe,
  };
}

/** The messages of similar Events, and the time of the last Event by `clock.elapsed()`. */
interface SimilarEvents {
  readonly messages: Set<string>;
  lastMs: number;
}

/** Mirrors EventAggregator: combines Events that differ only in their messages. */
function createAggregator(clock: SteadyClock): (event: CoreEvent) => { readonly event: CoreEvent; readonly key: string } {
  const similarEvents = createLru<SimilarEvents>(limits.maxLruCacheEntries);
  return (event) => {
    const now = clock.elapsed();
    const key = createSimilarityKey(event);
    const previous = similarEvents.get(key);
    const record =
      previous && now - previous.lastMs <= limits.aggregateIntervalMs ? previous : { messages: new Set<string>(), lastMs: now };
    record.messages.add(event.message);
    record.lastMs = now;
    similarEvents.set(key, record);
    if (record.messages.size < limits.aggregateMaxEvents) return { event, key: createEqualityKey(event) };
    // Removes one message, so that the set stays bounded. Upstream's PopAny removes an arbitrary one.
    const [oldest = ''] = record.messages;
    record.messages.delete(oldest);
    return { event: combineEvent(event, timestampOf(clock.now())), key };
  };
}

/** The Event that is written for several similar ones. It keeps the name of `event`, which has not been written yet. */
const combineEvent = (event: CoreEvent, time: string): CoreEvent => ({
  ...event,
  message: `(combined from similar events): ${event.message}`,
  reportingComponent: '',
  reportingInstance: '',
  count: 1,
  firstTimestamp: time,
  lastTimestamp: time,
});

interface WrittenCount {
  readonly name: string;
  readonly count: number;
  readonly firstTimestamp: string;
}

/** Mirrors eventLogger: remembers the Events that were written, and their counts. */
function createWrittenEventLog() {
  const entries = createLru<WrittenCount>(limits.maxLruCacheEntries);
  return {
    count(event: CoreEvent, key: string): CorrelatedEvent {
      const previous = entries.get(key);
      if (!previous) {
        entries.set(key, { name: event.metadata.name, count: event.count, firstTimestamp: event.firstTimestamp });
        return { event, patch: undefined, key };
      }
      const { name, firstTimestamp } = previous;
      const count = previous.count + 1;
      entries.set(key, { name, count, firstTimestamp });
      const countedEvent: CoreEvent = { ...event, metadata: { ...event.metadata, name }, count, firstTimestamp };
      return { event: countedEvent, patch: createEventPatch(countedEvent), key };
    },
    observe({ metadata, count, firstTimestamp }: WrittenEvent, { event, key }: CorrelatedEvent): void {
      entries.set(key, {
        name: metadata.name ?? event.metadata.name,
        count: typeof count === 'number' && count > 0 ? count : event.count,
        firstTimestamp: typeof firstTimestamp === 'string' ? firstTimestamp : event.firstTimestamp,
      });
    },
  };
}

const createEventPatch = ({ count, lastTimestamp, message }: CoreEvent): EventPatch => ({
  count,
  lastTimestamp,
  ...(message !== '' && { message }),
});

/** Mirrors EventSourceObjectSpamFilter. */
function createSpamFilter(clock: SteadyClock): (event: CoreEvent) => boolean {
  const buckets = createLru<Bucket>(limits.maxLruCacheEntries);
  return (event) => {
    const key = createRateLimitKey(event);
    const existing = buckets.get(key);
    const bucket = existing ?? createBucket({ clock, rate: limits.spamQps, burst: limits.spamBurst });
    if (!existing) buckets.set(key, bucket);
    return !bucket.accept();
  };
}

/** Key of the rate limit: source, object and type. Mirrors getSpamKey. */
const createRateLimitKey = (event: CoreEvent): string => joinParts(...listSourceAndObject(event), event.type);

/** All fields but the message. Mirrors EventAggregatorByReasonFunc; the prefix separates these keys from those of single Events. */
const createSimilarityKey = (event: CoreEvent): string =>
  joinParts('similar', ...listSourceAndObject(event), event.type, event.reason, event.reportingComponent, event.reportingInstance);

/** Mirrors getEventKey. */
const createEqualityKey = (event: CoreEvent): string =>
  joinParts(...listSourceAndObject(event), event.involvedObject.fieldPath, event.type, event.reason, event.message);

function listSourceAndObject({ source, involvedObject: object }: CoreEvent): (string | null | undefined)[] {
  return [source.component, source.host, object.kind, object.namespace, object.name, object.uid, object.apiVersion];
}

/** Joins with newlines; only the last part may contain one. Upstream joins without a separator, so different parts can give the same key. */
const joinParts = (...parts: readonly (string | null | undefined)[]): string => parts.map((part) => part ?? '').join('\n');

/** A map of bounded size that evicts the least recently used entry. */
export interface Lru<T> {
  readonly size: number;
  /** Returns the value and makes it the most recently used. */
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

export function createLru<T>(capacity: number): Lru<T> {
  const entries = new Map<string, T>();
  const put = (key: string, value: T): void => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    get size() {
      return entries.size;
    },
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(key, value) {
      put(key, value);
      const [oldest = ''] = entries.keys();
      if (entries.size > capacity) entries.delete(oldest);
    },
  };
}
