import type { SteadyClock } from 'kube-endpoints/port';

/** A manual clock; setting its time of day changes nothing else. */
export interface ManualClock extends SteadyClock {
  /** Advances time and runs due calls in order, without flushing promises. */
  advance(milliseconds: number): void;
  /** Advances time and flushes promises after each due call. */
  pass(milliseconds: number): Promise<void>;
  setTimeOfDay(milliseconds: number): void;
  /** The number of scheduled calls. */
  readonly scheduled: number;
  /** Milliseconds until the next scheduled call. */
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
  /** Runs the next call due by then. */
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

/** Flushes promises without advancing time. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
