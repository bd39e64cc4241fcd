import { requireWholeNumber } from 'kube-endpoints/internal';
import { type ApiObjectMeta, type ClientPort, hasReason, resources, type SteadyClock } from 'kube-endpoints/port';
import { callWithin } from '../base/time.ts';
import { overridesDueAnnotation } from '../cache/projections/service.ts';
import { createDelays } from '../queue/delays.ts';
import { exponentialLimiter } from '../queue/limiter.ts';
import { createDesk, createTurns } from '../queue/turns.ts';

/** Has Services synced again, each at its time. */
export interface Kicker {
  /** How many Services wait for their time, or are being written. */
  readonly size: number;
  /**
   * Has a Service, "namespace/name", synced at that time. Of several times the earliest holds: what is still held then is told anew.
   * @throws RangeError for a time or a key that is none
   */
  at(key: string, due: Date | string): void;
  /** Has these Services synced as soon as possible: after rules have changed. */
  now(keys: Iterable<string>): void;
  /** Runs until the signal is aborted; resolves then, when no call is under way. What still waits is forgotten, for good. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Makes a kicker. Whoever owns the endpoints of a Service writes them when the Service changes, and rules then see what is true by
 * now. So it changes an annotation of the Service, `kube-endpoints/overrides-due`, to the time up to which nothing is held any more.
 * @throws RangeError that names the option which is wrong
 */
export function createKicker(options: KickerOptions): Kicker {
  const settings = settingsOf(options);
  const { clock, random, tell = () => {} } = options;
  const schedule = createSchedule(clock, settings.slack, settings.limit);
  const limiter = exponentialLimiter({ base: 200, max: 60_000 });
  const add = (key: string, due: number): void => {
    if (!schedule.add(keyFrom(key), due)) tell({ kind: 'kick', key, due: textOf(due), outcome: 'full' });
  };
  const work = async (key: string, due: number, signal: AbortSignal): Promise<void> => {
    const { outcome, error, milliseconds } = await attempt(key, due, settings, signal);
    if (signal.aborted) return;
    if (outcome === 'retried') schedule.again(key, due, limiter.delay(key) * (1 + random()));
    else limiter.forget(key);
    if (outcome === 'delayed') schedule.again(key, due, milliseconds);
    tell({ kind: 'kick', key, due: textOf(due), outcome, ...(error !== undefined && { error }) });
  };
  return {
    get size() {
      return schedule.size;
    },
    at: (key, due) => add(key, dueFrom(due)),
    now(keys) {
      for (const key of keys) add(key, clock.now());
    },
    async run(signal) {
      if (signal.aborted) schedule.end();
      else signal.addEventListener('abort', schedule.end, { once: true });
      const serve = async (): Promise<void> => {
        for (let next = await schedule.take(); next; next = await schedule.take()) {
          await work(next.key, next.due, signal);
          schedule.done(next.key);
        }
      };
      await Promise.all(Array.from({ length: settings.concurrency }, serve));
    },
  };
}

const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

export interface Settings {
  readonly port: Pick<ClientPort, 'get' | 'patch'>;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly slack: number;
  readonly gap: number;
}

export type Result =
  | { readonly outcome: 'kicked' | 'covered' | 'gone'; readonly error?: undefined; readonly milliseconds?: undefined }
  | { readonly outcome: 'delayed'; readonly error?: undefined; readonly milliseconds: number }
  | { readonly outcome: 'retried'; readonly error: unknown; readonly milliseconds?: undefined };

/** Writes the Service, unless another replica has. Does not throw. */
export async function attempt(key: string, due: number, settings: Settings, signal: AbortSignal): Promise<Result> {
  const { port, clock, slack, gap } = settings;
  const [namespace = '', name = ''] = key.split('/');
  const service = { namespace, name };
  const within = { clock, milliseconds: longestCall, signal };
  try {
    const { metadata } = await callWithin(within, (ended) => port.get(resources.services, service, { signal: ended }));
    const now = clock.now();
    const last = lastKick(metadata);
    // A time to come is one of a clock that is ahead: of what was held by this one it says nothing.
    if (last >= due && last <= now) return { outcome: 'covered' };
    if (last <= now && last + gap > now) return { outcome: 'delayed', milliseconds: last + gap - now };
    const patch = patchOf(metadata, Math.max(due, now - slack));
    await callWithin(within, (ended) => port.patch(resources.services, service, patch, { type: 'merge', signal: ended }));
    return { outcome: 'kicked' };
  } catch (error) {
    return hasReason(error, 'NotFound') ? { outcome: 'gone' } : { outcome: 'retried', error };
  }
}

const longestCall = 10_000;

/** Of this very version, so that of several replicas one writes, and the others find that it has. */
const patchOf = ({ resourceVersion }: ApiObjectMeta, until: number): unknown => ({
  metadata: { resourceVersion, annotations: { [overridesDueAnnotation]: new Date(until).toISOString() } },
});

function lastKick({ annotations }: ApiObjectMeta): number {
  const time = Date.parse(annotations?.[overridesDueAnnotation] ?? '');
  return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
}

export interface KickerOptions {
  readonly port: Pick<ClientPort, 'get' | 'patch'>;
  readonly clock: SteadyClock;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly tell?: (happening: KickHappening) => void;
  /** How many Services are written at a time; 4 by default. */
  readonly concurrency?: number;
  /** How many Services may wait for their time; 100,000 by default. One more is refused, and told as `full`. */
  readonly limit?: number;
  /** Milliseconds that a kick comes after its time, so that a replica whose clock is behind finds that it has come; 250 by default. */
  readonly slack?: number;
  /** Milliseconds between two kicks of a Service, whoever made them; 1,000 by default. What comes sooner waits. */
  readonly gap?: number;
}

/**
 * What became of one that was due:
 * - `kicked`: the Service was written;
 * - `covered`: somebody else had, at that time or later;
 * - `gone`: there is no such Service;
 * - `delayed`: the last kick was a moment ago; it comes later;
 * - `retried`: that failed; it is tried again, for as long as it takes;
 * - `full`: too many wait already, so this one was not taken in.
 */
export interface KickHappening {
  readonly kind: 'kick';
  readonly key: string;
  /** RFC 3339. */
  readonly due: string;
  readonly outcome: 'kicked' | 'covered' | 'gone' | 'delayed' | 'retried' | 'full';
  readonly error?: unknown;
}

/** The options, checked, with their defaults. @throws RangeError that names the option */
export function settingsOf({ port, clock, random, ...given }: KickerOptions): Settings & {
  readonly concurrency: number;
  readonly limit: number;
} {
  return {
    port,
    clock,
    random,
    concurrency: requireWholeNumber('concurrency', given.concurrency ?? 4, 1),
    limit: requireWholeNumber('limit', given.limit ?? 100_000, 1),
    slack: requireWholeNumber('slack', given.slack ?? 250, 0),
    gap: requireWholeNumber('gap', given.gap ?? 1000, 0),
  };
}

/** Milliseconds since the epoch. @throws RangeError for a time that is none */
export function dueFrom(due: Date | string): number {
  const milliseconds = typeof due === 'string' ? Date.parse(due) : due.getTime();
  if (Number.isFinite(milliseconds)) return milliseconds;
  throw new RangeError(`due is ${JSON.stringify(due)}: give a time, such as "2026-01-02T03:04:05Z"`);
}

export function keyFrom(key: string): string {
  const [namespace, name, ...rest] = key.split('/');
  if (namespace && name && rest.length === 0) return key;
  throw new RangeError(`the key is ${JSON.stringify(key)}: give a Service as "namespace/name"`);
}

/** Which Service is to be written when: one time of each, the earliest. */
export interface Schedule {
  readonly size: number;
  /** Has a key come at that time, milliseconds since the epoch. False where there are too many, and it was not taken in. */
  add(key: string, due: number): boolean;
  /** Has a key come once more after so many milliseconds, still for that time. */
  again(key: string, due: number, milliseconds: number): void;
  /** The next key whose time has come, and that time; undefined once all is over. */
  take(): Promise<{ readonly key: string; readonly due: number } | undefined>;
  /** The work on a key has ended. */
  done(key: string): void;
  /** Forgets all, and takes in nothing any more. */
  end(): void;
}

/** @param slack milliseconds that a key comes after its time */
export function createSchedule(clock: SteadyClock, slack: number, limit: number): Schedule {
  const dues = new Map<string, number>();
  const turns = createTurns();
  const desk = createDesk(() => turns.next()?.key);
  let ended = false;
  const left = (due: number): number => Math.max(due + slack - clock.now(), 0);
  const delays = createDelays(clock, (key) => {
    // The time of day may have been set meanwhile.
    const wait = left(dues.get(key) ?? 0);
    if (wait > 0) delays.add(key, wait, false);
    else if (turns.add(key, clock.elapsed())) desk.call();
  });
  const size = (): number => dues.size + turns.processing;
  return {
    get size() {
      return size();
    },
    add(key, due) {
      const before = dues.get(key);
      if (ended || (before !== undefined && before <= due)) return true;
      if (before === undefined && size() >= limit) return false;
      dues.set(key, due);
      delays.add(key, left(due), false);
      return true;
    },
    again(key, due, milliseconds) {
      if (ended) return;
      dues.set(key, Math.min(due, dues.get(key) ?? due));
      delays.add(key, milliseconds, true);
    },
    async take() {
      for (let key = await desk.take(); key !== undefined; key = await desk.take()) {
        const due = dues.get(key);
        if (due !== undefined && dues.delete(key)) return { key, due };
        turns.done(key);
      }
      return undefined;
    },
    done(key) {
      if (turns.done(key)) desk.call();
    },
    end() {
      ended = true;
      delays.clear();
      dues.clear();
      desk.close();
    },
  };
}
