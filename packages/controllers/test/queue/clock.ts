import type { SteadyClock } from 'kube-endpoints/port';

/** A manual clock. A change of its time of day affects neither `elapsed` nor scheduled calls. */
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

interface ScheduledCall {
  readonly dueAt: number;
  readonly callback: () => void;
}

export function createClock(): ManualClock {
  const calls = new Set<ScheduledCall>();
  let elapsed = 0;
  let startTimeOfDay = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const firstDueCall = (): ScheduledCall | undefined =>
    [...calls].reduce<ScheduledCall | undefined>((a, b) => (a && a.dueAt <= b.dueAt ? a : b), undefined);
  /** Runs the next call if it is due by `end`; otherwise returns false. */
  const step = (end: number): boolean => {
    const call = firstDueCall();
    if (!call || call.dueAt > end) return false;
    calls.delete(call);
    elapsed = Math.max(elapsed, call.dueAt);
    call.callback();
    return true;
  };
  return {
    now: () => startTimeOfDay + elapsed,
    elapsed: () => elapsed,
    schedule(callback, milliseconds) {
      const call = { dueAt: elapsed + milliseconds, callback };
      calls.add(call);
      return { cancel: () => void calls.delete(call) };
    },
    advance(milliseconds) {
      const end = elapsed + milliseconds;
      while (step(end));
      elapsed = end;
    },
    async pass(milliseconds) {
      const end = elapsed + milliseconds;
      await flushPromises();
      while (step(end)) await flushPromises();
      elapsed = end;
    },
    setTimeOfDay(milliseconds) {
      startTimeOfDay = milliseconds - elapsed;
    },
    get scheduled() {
      return calls.size;
    },
    get next() {
      const call = firstDueCall();
      return call && call.dueAt - elapsed;
    },
  };
}

/** Flushes promises without advancing time. */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
