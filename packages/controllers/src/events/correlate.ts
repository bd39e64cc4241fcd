import type { SteadyClock } from 'kube-endpoints/port';
import { type Bucket, createBucket } from '../queue/index.ts';
import { type CoreEvent, timestampOf } from './event.ts';

/** Reduces many similar Events to few writes. Pure except for its own state and the clock. */
export interface Correlator {
  /** Returns what to write for an Event; undefined if there are too many of its kind. */
  correlate(event: CoreEvent): Correlated | undefined;
  /** Records the server's answer to a write. */
  observe(written: Written, correlated: Correlated): void;
}

export interface Correlated {
  /** The Event to create, under this name. If there is a patch: only if the patch finds no such Event. */
  readonly event: CoreEvent;
  /** Strategic merge patch for an Event of this name that was written before. */
  readonly patch: EventPatch | undefined;
  /** Key under which the Event is remembered. */
  readonly key: string;
}

export interface EventPatch {
  readonly count: number;
  readonly lastTimestamp: string;
  readonly message?: string;
}

/** An Event as the server returned it. */
export interface Written {
  readonly metadata: { readonly name?: string };
  readonly count?: unknown;
  readonly firstTimestamp?: unknown;
}

/** The constants of client-go 1.36 (tools/record/events_cache.go). */
const limits = {
  /** Maximum number of entries in each of the LRU maps. */
  remembered: 4096,
  /** Number of different messages from which on similar Events are combined. */
  similar: 10,
  /** Milliseconds without a similar Event after which counting starts over. */
  interval: 600_000,
  /** Maximum burst of Events from one source about one object. */
  burst: 25,
  /** Events per second beyond the burst. */
  rate: 1 / 300,
};

/** Mirrors EventCorrelator (1.36): combines similar Events, counts equal ones, and drops those over the limit, in this order. */
export function createCorrelator({ clock }: { readonly clock: SteadyClock }): Correlator {
  const combine = createAggregator(clock);
  const log = createLog();
  const isSpam = createSpamFilter(clock);
  return {
    correlate(event) {
      const { key, event: combined } = combine(event);
      // Counted even if it is dropped then: the count of the next Event that is written includes it.
      const correlated = log.count(combined, key);
      return isSpam(correlated.event) ? undefined : correlated;
    },
    observe: log.observe,
  };
}

/** The messages of similar Events, and the time of the last Event by `clock.elapsed()`. */
interface Similar {
  readonly messages: Set<string>;
  last: number;
}

/** Mirrors EventAggregator: combines Events that differ only in their messages. */
function createAggregator(clock: SteadyClock): (event: CoreEvent) => { readonly event: CoreEvent; readonly key: string } {
  const records = createLru<Similar>(limits.remembered);
  return (event) => {
    const now = clock.elapsed();
    const key = similarKey(event);
    const known = records.get(key);
    const record = known && now - known.last <= limits.interval ? known : { messages: new Set<string>(), last: now };
    record.messages.add(event.message);
    record.last = now;
    records.set(key, record);
    if (record.messages.size < limits.similar) return { event, key: sameKey(event) };
    // Removes one message, so that the set stays bounded; the original leaves open which one.
    for (const oldest of record.messages) {
      record.messages.delete(oldest);
      break;
    }
    return { event: combined(event, timestampOf(clock.now())), key };
  };
}

/** The Event that replaces similar ones. It has the name of the Event that it replaces, which no written Event has yet. */
const combined = (event: CoreEvent, time: string): CoreEvent => ({
  ...event,
  message: `(combined from similar events): ${event.message}`,
  reportingComponent: '',
  reportingInstance: '',
  count: 1,
  firstTimestamp: time,
  lastTimestamp: time,
});

interface Logged {
  readonly name: string;
  readonly count: number;
  readonly firstTimestamp: string;
}

interface Log {
  count(event: CoreEvent, key: string): Correlated;
  observe: Correlator['observe'];
}

/** Mirrors eventLogger: the Events that exist already, and their counts. */
function createLog(): Log {
  const entries = createLru<Logged>(limits.remembered);
  return {
    count(event, key) {
      const known = entries.get(key);
      if (!known) {
        entries.set(key, { name: event.metadata.name, count: event.count, firstTimestamp: event.firstTimestamp });
        return { event, patch: undefined, key };
      }
      const { name, firstTimestamp } = known;
      const count = known.count + 1;
      entries.set(key, { name, count, firstTimestamp });
      const counted: CoreEvent = { ...event, metadata: { ...event.metadata, name }, count, firstTimestamp };
      return { event: counted, patch: patchOf(counted), key };
    },
    observe({ metadata, count, firstTimestamp }, { event, key }) {
      entries.set(key, {
        name: metadata.name ?? event.metadata.name,
        count: typeof count === 'number' && count > 0 ? count : event.count,
        firstTimestamp: typeof firstTimestamp === 'string' ? firstTimestamp : event.firstTimestamp,
      });
    },
  };
}

const patchOf = ({ count, lastTimestamp, message }: CoreEvent): EventPatch => ({
  count,
  lastTimestamp,
  ...(message !== '' && { message }),
});

/** Mirrors EventSourceObjectSpamFilter. */
function createSpamFilter(clock: SteadyClock): (event: CoreEvent) => boolean {
  const buckets = createLru<Bucket>(limits.remembered);
  return (event) => {
    const key = spamKey(event);
    const known = buckets.get(key);
    const bucket = known ?? createBucket({ clock, rate: limits.rate, burst: limits.burst });
    if (!known) buckets.set(key, bucket);
    return !bucket.accept();
  };
}

/** Key of the rate limit: source, object and type. Mirrors getSpamKey. */
const spamKey = (event: CoreEvent): string => joined(...aboutOf(event), event.type);

/** All fields but the message. Mirrors EventAggregatorByReasonFunc; the prefix separates these keys from those of single Events. */
const similarKey = (event: CoreEvent): string =>
  joined('similar', ...aboutOf(event), event.type, event.reason, event.reportingComponent, event.reportingInstance);

/** Mirrors getEventKey. */
const sameKey = (event: CoreEvent): string =>
  joined(...aboutOf(event), event.involvedObject.fieldPath, event.type, event.reason, event.message);

function aboutOf({ source, involvedObject: object }: CoreEvent): (string | null | undefined)[] {
  return [source.component, source.host, object.kind, object.namespace, object.name, object.uid, object.apiVersion];
}

/** Joins with newlines; only the last part may contain some. The original concatenates, so that different parts can give the same key. */
const joined = (...parts: readonly (string | null | undefined)[]): string => parts.map((part) => part ?? '').join('\n');

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
      if (entries.size <= capacity) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
  };
}
