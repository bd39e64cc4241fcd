import { exponentialLimiter } from '../queue/limiter.ts';
import { attempt } from './attempt.ts';
import { dueFrom, type KickerOptions, keyFrom, settingsOf } from './options.ts';
import { createSchedule } from './schedule.ts';

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
