import { type ChooseDelay, createClock, type HostClock } from '@kube-endpoints/simulator/internal';
import { injectedRanges, slackMs } from './delays.ts';

/** A simulator's clock that follows real time. */
export interface RealClock extends HostClock {
  /** Runs all work that is due, so that what follows happens now. Does nothing after "stop". */
  catchUp(): void;
  /** Notes that something took longer than it had to, in milliseconds, and how much it may. */
  noteLateness(what: string, ms: number, slack?: number): void;
  /** What was latest since the last call, relative to its slack. */
  takeLateness(): Lateness;
  stop(): void;
}

export interface Lateness {
  readonly what: string;
  /** Milliseconds. */
  readonly ms: number;
  /** The share of the slack; more than 1 if it was too late. */
  readonly share: number;
}

/** How often the clock runs what is due, in milliseconds. */
const tickMs = 5;

const onTime: Lateness = { what: 'nothing', ms: 0, share: 0 };

export function createRealClock(choose: ChooseDelay): RealClock {
  const clock = createClock({ start: Date.now(), choose, ranges: injectedRanges, onEntry: () => {} });
  let isStopped = false;
  let latest = onTime;
  const noteLateness = (what: string, ms: number, slack: number = slackMs): void => {
    if (ms / slack > latest.share) latest = { what, ms, share: ms / slack };
  };
  const catchUp = (): void => {
    if (isStopped) return;
    const now = Date.now();
    noteLateness('the clock', now - (clock.nextTime() ?? now));
    clock.runUntil(now);
  };
  const timer = setInterval(catchUp, tickMs);
  return {
    now: clock.now,
    draw: clock.draw,
    after: clock.after,
    at: clock.at,
    record: clock.record,
    because: clock.because,
    get cause() {
      return clock.cause;
    },
    runUntil: clock.runUntil,
    nextTime: clock.nextTime,
    catchUp,
    noteLateness,
    takeLateness() {
      const taken = latest;
      latest = onTime;
      return taken;
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
