import { requireWholeNumber, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { type ApiObjectMeta, type ClientPort, hasReason, resources, type SteadyClock } from 'kube-endpoints/port';
import { callWithin } from '../base/time.ts';
import { overridesDueAnnotation } from '../cache/projections/service.ts';
import { createDelays } from '../queue/delays.ts';
import { createExponentialLimiter } from '../queue/limiter.ts';
import { createDispatcher, createProcessingSet } from '../queue/processing-set.ts';

/** Schedules resyncs of Services. */
export interface ResyncScheduler {
  /** Number of Services that wait for their time or are being written. */
  readonly size: number;
  /**
   * Resyncs a Service, "namespace/name", at that time. If it is scheduled several times, the earliest time applies: at that resync, each
   * rule with a hold that has not expired reports its time again.
   * @throws RangeError if the time or the key is invalid
   */
  at(key: string, due: Date | string): void;
  /** Resyncs these Services as soon as possible, for example after rules have changed. */
  now(keys: Iterable<string>): void;
  /** Runs until the signal is aborted; resolves when no call is in progress. Services that still wait are dropped. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates a resync scheduler. It sets the annotation `kube-endpoints/overrides-due` of the Service to the time up to which holds expired.
 * The controller that owns the endpoints sees the change, syncs the Service, and evaluates the rules again.
 * @throws RangeError that names the invalid option
 */
export function createResyncScheduler(options: ResyncSchedulerOptions): ResyncScheduler {
  const settings = createSettings(options);
  const { clock, random, onEvent = () => {} } = options;
  const schedule = createSchedule(clock, settings.slack, settings.limit);
  const limiter = createExponentialLimiter({ base: 200, max: 60_000 });
  const scheduleResync = (key: string, due: number): void => {
    if (!schedule.add(requireServiceKey(key), due)) onEvent({ kind: 'resync', key, due: formatTime(due), outcome: 'full' });
  };
  const resync = async (key: string, due: number, signal: AbortSignal): Promise<void> => {
    const { outcome, error, milliseconds } = await attemptResync(key, due, settings, signal);
    if (signal.aborted) return;
    if (outcome === 'retried') schedule.retry(key, due, limiter.delay(key) * (1 + random()));
    else limiter.forget(key);
    if (outcome === 'delayed') schedule.retry(key, due, milliseconds);
    onEvent({ kind: 'resync', key, due: formatTime(due), outcome, ...(error !== undefined && { error }) });
  };
  return {
    get size() {
      return schedule.size;
    },
    at: (key, due) => scheduleResync(key, parseDue(due)),
    now(keys) {
      for (const key of keys) scheduleResync(key, clock.now());
    },
    async run(signal) {
      if (signal.aborted) schedule.end();
      else signal.addEventListener('abort', schedule.end, { once: true });
      const runWorker = async (): Promise<void> => {
        for (let next = await schedule.take(); next; next = await schedule.take()) {
          await resync(next.key, next.due, signal);
          schedule.done(next.key);
        }
      };
      await Promise.all(Array.from({ length: settings.concurrency }, runWorker));
    },
  };
}

const formatTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

type Settings = Required<Omit<ResyncSchedulerOptions, 'onEvent'>>;

export type AttemptResult =
  | { readonly outcome: 'resynced' | 'covered' | 'gone'; readonly error?: undefined; readonly milliseconds?: undefined }
  | { readonly outcome: 'delayed'; readonly error?: undefined; readonly milliseconds: number }
  | { readonly outcome: 'retried'; readonly error: unknown; readonly milliseconds?: undefined };

/** Writes the annotation of the Service, unless another replica has already written it. Never rejects. */
export async function attemptResync(key: string, due: number, settings: Settings, signal: AbortSignal): Promise<AttemptResult> {
  const { port, clock, slack, gap } = settings;
  const service = splitMetaNamespaceKey(key);
  const deadline = { clock, milliseconds: callTimeoutMs, signal };
  try {
    const { metadata } = await callWithin(deadline, (callSignal) => port.get(resources.services, service, { signal: callSignal }));
    const now = clock.now();
    const lastResyncMs = parseLastResync(metadata);
    // A time in the future comes from a replica whose clock runs ahead. By this clock, a hold may still expire before that time.
    if (lastResyncMs >= due && lastResyncMs <= now) return { outcome: 'covered' };
    if (lastResyncMs <= now && lastResyncMs + gap > now) return { outcome: 'delayed', milliseconds: lastResyncMs + gap - now };
    const patch = createPatch(metadata, Math.max(due, now - slack));
    await callWithin(deadline, (callSignal) => port.patch(resources.services, service, patch, { type: 'merge', signal: callSignal }));
    return { outcome: 'resynced' };
  } catch (error) {
    return hasReason(error, 'NotFound') ? { outcome: 'gone' } : { outcome: 'retried', error };
  }
}

const callTimeoutMs = 10_000;

/**
 * Sets resourceVersion, so that only one of several replicas succeeds. The other replicas get a conflict, and find the annotation when they
 * retry.
 */
const createPatch = ({ resourceVersion }: ApiObjectMeta, timeMs: number): unknown => ({
  metadata: { resourceVersion, annotations: { [overridesDueAnnotation]: new Date(timeMs).toISOString() } },
});

function parseLastResync({ annotations }: ApiObjectMeta): number {
  const time = Date.parse(annotations?.[overridesDueAnnotation] ?? '');
  return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
}

export interface ResyncSchedulerOptions {
  readonly port: Pick<ClientPort, 'get' | 'patch'>;
  readonly clock: SteadyClock;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly onEvent?: (event: ResyncEvent) => void;
  /** Number of Services written concurrently; 4 by default. */
  readonly concurrency?: number;
  /** Maximum number of waiting Services; 100,000 by default. More are refused and reported as `full`. */
  readonly limit?: number;
  /** Milliseconds by which a resync is delayed, so that a replica whose clock is behind also sees the time as past; 250 by default. */
  readonly slack?: number;
  /** Minimum milliseconds between two resyncs of a Service, by any replica; 1,000 by default. An earlier resync is delayed. */
  readonly gap?: number;
}

/**
 * The outcome of a resync that was due:
 * - `resynced`: the Service was written;
 * - `covered`: another replica has written that time or a later one;
 * - `gone`: the Service does not exist;
 * - `delayed`: the last resync was too recent; it happens later;
 * - `retried`: it failed and is retried, without a limit;
 * - `full`: it was refused, because too many Services wait.
 */
export interface ResyncEvent {
  readonly kind: 'resync';
  readonly key: string;
  /** RFC 3339. */
  readonly due: string;
  readonly outcome: 'resynced' | 'covered' | 'gone' | 'delayed' | 'retried' | 'full';
  readonly error?: unknown;
}

/** Validates the options and applies defaults. @throws RangeError that names the option */
export function createSettings({ port, clock, random, ...options }: ResyncSchedulerOptions): Settings {
  return {
    port,
    clock,
    random,
    concurrency: requireWholeNumber('concurrency', options.concurrency ?? 4, 1),
    limit: requireWholeNumber('limit', options.limit ?? 100_000, 1),
    slack: requireWholeNumber('slack', options.slack ?? 250, 0),
    gap: requireWholeNumber('gap', options.gap ?? 1000, 0),
  };
}

/** Parses a time to milliseconds since the epoch. @throws RangeError if the time is invalid */
export function parseDue(due: Date | string): number {
  const milliseconds = typeof due === 'string' ? Date.parse(due) : due.getTime();
  if (Number.isFinite(milliseconds)) return milliseconds;
  throw new RangeError(`due is ${JSON.stringify(due)}: give a time, such as "2026-01-02T03:04:05Z"`);
}

export function requireServiceKey(key: string): string {
  const [namespace, name, ...rest] = key.split('/');
  if (namespace && name && rest.length === 0) return key;
  throw new RangeError(`the key is ${JSON.stringify(key)}: give a Service as "namespace/name"`);
}

/** The earliest requested resync time of each Service. */
export interface Schedule {
  readonly size: number;
  /** Schedules a key at that time, in milliseconds since the epoch. Returns false if the limit is reached and the key was refused. */
  add(key: string, due: number): boolean;
  /** Schedules a key again after a delay in milliseconds, keeping its due time. */
  retry(key: string, due: number, milliseconds: number): void;
  /** Waits for the next due key and returns it with its time; undefined after `end`. */
  take(): Promise<{ readonly key: string; readonly due: number } | undefined>;
  /** Reports that the work on a key has ended. */
  done(key: string): void;
  /** Drops all keys and accepts no more. */
  end(): void;
}

/** @param slack milliseconds by which each key is delayed beyond its time */
export function createSchedule(clock: SteadyClock, slack: number, limit: number): Schedule {
  const dueTimes = new Map<string, number>();
  const processingSet = createProcessingSet();
  const dispatcher = createDispatcher(() => processingSet.next()?.key);
  let ended = false;
  const remainingMs = (due: number): number => Math.max(due + slack - clock.now(), 0);
  const delays = createDelays(clock, (key) => {
    // The wall clock may have been set back in the meantime.
    const wait = remainingMs(dueTimes.get(key) ?? 0);
    if (wait > 0) delays.add(key, wait, false);
    else if (processingSet.add(key, clock.elapsed())) dispatcher.notify();
  });
  const size = (): number => dueTimes.size + processingSet.processing;
  return {
    get size() {
      return size();
    },
    add(key, due) {
      const previousDue = dueTimes.get(key);
      if (ended || (previousDue !== undefined && previousDue <= due)) return true;
      if (previousDue === undefined && size() >= limit) return false;
      dueTimes.set(key, due);
      delays.add(key, remainingMs(due), false);
      return true;
    },
    retry(key, due, milliseconds) {
      if (ended) return;
      dueTimes.set(key, Math.min(due, dueTimes.get(key) ?? due));
      delays.add(key, milliseconds, true);
    },
    async take() {
      for (let key = await dispatcher.take(); key !== undefined; key = await dispatcher.take()) {
        const due = dueTimes.get(key);
        if (due !== undefined && dueTimes.delete(key)) return { key, due };
        processingSet.done(key);
      }
      return undefined;
    },
    done(key) {
      if (processingSet.done(key)) dispatcher.notify();
    },
    end() {
      ended = true;
      delays.clear();
      dueTimes.clear();
      dispatcher.close();
    },
  };
}
