import type { SteadyClock } from 'kube-endpoints/port';

/** A clock that stands until it is told to move. Its time of day may be set, which moves nothing else. */
export interface ManualClock extends SteadyClock {
  /** Moves on, and makes the calls that become due, in order; what they set off has not run yet. */
  advance(milliseconds: number): void;
  /** Moves on, and lets all that each call sets off run before the next. */
  pass(milliseconds: number): Promise<void>;
  setTimeOfDay(milliseconds: number): void;
  /** How many calls are scheduled. */
  readonly scheduled: number;
  /** Milliseconds until the next of them. */
  readonly next: number | undefined;
}

interface Call {
  readonly at: number;
  readonly callback: () => void;
}

export function createClock(): ManualClock {
  const calls = new Set<Call>();
  let elapsed = 0;
  let dayAtStart = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const first = (): Call | undefined => [...calls].reduce<Call | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
  /** Makes the next call that is due by then. */
  const step = (until: number): boolean => {
    const call = first();
    if (!call || call.at > until) return false;
    calls.delete(call);
    elapsed = Math.max(elapsed, call.at);
    call.callback();
    return true;
  };
  return {
    now: () => dayAtStart + elapsed,
    elapsed: () => elapsed,
    schedule(callback, milliseconds) {
      const call = { at: elapsed + milliseconds, callback };
      calls.add(call);
      return { cancel: () => void calls.delete(call) };
    },
    advance(milliseconds) {
      const until = elapsed + milliseconds;
      while (step(until));
      elapsed = until;
    },
    async pass(milliseconds) {
      const until = elapsed + milliseconds;
      await settle();
      while (step(until)) await settle();
      elapsed = until;
    },
    setTimeOfDay(milliseconds) {
      dayAtStart = milliseconds - elapsed;
    },
    get scheduled() {
      return calls.size;
    },
    get next() {
      const call = first();
      return call && call.at - elapsed;
    },
  };
}

/** Lets everything run that can run without time passing. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
