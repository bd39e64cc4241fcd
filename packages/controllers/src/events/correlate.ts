import type { SteadyClock } from 'kube-endpoints/port';
import { type Bucket, createBucket } from '../queue/index.ts';
import { type CoreEvent, timestampOf } from './event.ts';

/** Keeps many Events that say the same from becoming many writes. Reads the clock and nothing else. */
export interface Correlator {
  /** What is to be written for an Event; undefined where nothing is, because there is too much of its kind. */
  correlate(event: CoreEvent): Correlated | undefined;
  /** Takes note of what the server answered. */
  observe(written: Written, correlated: Correlated): void;
}

export interface Correlated {
  /** To be created, under this name. Where there is a patch: only if the patch finds no such Event. */
  readonly event: CoreEvent;
  /** A strategic merge patch of the Event of this name, which was written before. */
  readonly patch: EventPatch | undefined;
  /** What the Event is remembered by. */
  readonly key: string;
}

export interface EventPatch {
  readonly count: number;
  readonly lastTimestamp: string;
  readonly message?: string;
}

/** An Event as the server has it. */
export interface Written {
  readonly metadata: { readonly name?: string };
  readonly count?: unknown;
  readonly firstTimestamp?: unknown;
}

/** The figures of client-go 1.36 (tools/record/events_cache.go). */
const limits = {
  /** How many entries each of the memories has. */
  remembered: 4096,
  /** From so many different messages on, similar Events become one. */
  similar: 10,
  /** Milliseconds without a similar Event, after which counting begins anew. */
  interval: 600_000,
  /** How many Events of a source about an object are let through at once. */
  burst: 25,
  /** How many more there may be, a second. */
  rate: 1 / 300,
};

/** Mirrors EventCorrelator (1.36): similar Events are put together, same ones counted, too many left out, in this order. */
export function createCorrelator({ clock }: { readonly clock: SteadyClock }): Correlator {
  const combine = createAggregator(clock);
  const log = createLog();
  const isSpam = createSpamFilter(clock);
  return {
    correlate(event) {
      const { key, event: combined } = combine(event);
      // Counted even if it is left out then: the next that is let through tells of all.
      const correlated = log.count(combined, key);
      return isSpam(correlated.event) ? undefined : correlated;
    },
    observe: log.observe,
  };
}

/** The messages of similar Events, and when there was the last. */
interface Similar {
  readonly messages: Set<string>;
  last: number;
}

/** Mirrors EventAggregator: Events that differ in their messages alone. */
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
    // One has to go; which one is left open by the original.
    for (const oldest of record.messages) {
      record.messages.delete(oldest);
      break;
    }
    return { event: combined(event, timestampOf(clock.now())), key };
  };
}

/** The Event that stands for similar ones. It has a name that none has yet: that of the Event in whose place it is. */
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

/** Mirrors eventLogger: which Events there are already, and how often they were told. */
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

/** Which object an Event is about, who tells it, and whether it warns: what its quota is for. Mirrors getSpamKey. */
const spamKey = (event: CoreEvent): string => joined(...aboutOf(event), event.type);

/** All but the message. Mirrors EventAggregatorByReasonFunc; the word in front keeps it apart from the keys of single Events. */
const similarKey = (event: CoreEvent): string =>
  joined('similar', ...aboutOf(event), event.type, event.reason, event.reportingComponent, event.reportingInstance);

/** Mirrors getEventKey. */
const sameKey = (event: CoreEvent): string =>
  joined(...aboutOf(event), event.involvedObject.fieldPath, event.type, event.reason, event.message);

function aboutOf({ source, involvedObject: object }: CoreEvent): (string | null | undefined)[] {
  return [source.component, source.host, object.kind, object.namespace, object.name, object.uid, object.apiVersion];
}

/** On a line each, and only the last may have several: the original puts them side by side, where different ones can look the same. */
const joined = (...parts: readonly (string | null | undefined)[]): string => parts.map((part) => part ?? '').join('\n');

/** A map of bounded size: what was not used for longest is forgotten first. */
export interface Lru<T> {
  readonly size: number;
  /** Using it counts. */
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
