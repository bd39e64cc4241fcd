import { createHeap } from '../go/heap.ts';
import { type ChooseDelay, type DelayRanges, type DelayRequest, delays } from './delays.ts';
import type { TimelineEntry, TimelineFact } from './timeline.ts';

/** Virtual time: runs work in order of its time, and records what happens with its causes. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Chooses a delay within its range, in milliseconds. */
  draw(delay: DelayRequest): number;
  /** Runs work after a delay, which is chosen within its range. */
  after(delay: DelayRequest, run: () => void): Timer;
  /** Runs work at a time in milliseconds since the epoch; now if the time has passed. */
  at(time: number, run: () => void): Timer;
  /** Records a fact. Its cause is the current one. Work that is scheduled by `react`, or recorded in it, has the fact as its cause. */
  record(fact: TimelineFact, react?: (entry: TimelineEntry) => void): TimelineEntry;
  /** Sets the cause of what `run` schedules and records, for work that waited for something older than the current work. */
  because(cause: number | undefined, run: () => void): void;
  /** The id of the entry that caused the current work. */
  readonly cause: number | undefined;
}

/** Scheduled work. */
export interface Timer {
  readonly time: number;
  cancel(): void;
}

export interface ClockOptions {
  /** The first time in milliseconds since the epoch. */
  readonly start: number;
  readonly choose: ChooseDelay;
  readonly ranges?: DelayRanges;
  /** Receives each entry of the timeline. */
  onEntry(entry: TimelineEntry): void;
}

/** A clock with the controls of its host. */
export interface HostClock extends Clock {
  /** Runs all work up to a time, in milliseconds since the epoch, which becomes the current time. */
  runUntil(time: number): void;
  /** The time of the next work; undefined if no work is scheduled. */
  nextTime(): number | undefined;
}

interface Work extends Timer {
  readonly order: number;
  readonly cause: number | undefined;
  run: (() => void) | undefined;
}

/** Creates a clock. Work of the same time runs in the order in which it was scheduled. */
export function createClock({ start, choose, ranges = {}, onEntry }: ClockOptions): HostClock {
  const heap = createHeap<Work>((a, b) => a.time < b.time || (a.time === b.time && a.order < b.order));
  let now = start;
  let order = 0;
  let entries = 0;
  let cause: number | undefined;

  const draw = (delay: DelayRequest): number => choose(delay, delay.range ?? ranges[delay.name] ?? delays[delay.name]);
  const at = (time: number, run: () => void): Timer => {
    const work: Work = { time: Math.max(time, now), order, cause, run, cancel: () => (work.run = undefined) };
    order += 1;
    heap.push(work);
    return work;
  };
  const because = (id: number | undefined, run: () => void): void => {
    const previous = cause;
    cause = id;
    run();
    cause = previous;
  };
  /** The next work that is not cancelled. */
  const next = (): Work | undefined => {
    while (heap.peek() && !heap.peek()?.run) heap.pop();
    return heap.peek();
  };
  return {
    now: () => now,
    at,
    because,
    draw,
    after: (delay, run) => at(now + draw(delay), run),
    get cause() {
      return cause;
    },
    record(fact, react) {
      const entry = { ...fact, id: entries, at: now, ...(cause !== undefined && { cause }) };
      entries += 1;
      onEntry(entry);
      if (react) because(entry.id, () => react(entry));
      return entry;
    },
    nextTime: () => next()?.time,
    runUntil(time) {
      for (let work = next(); work && work.time <= time; work = next()) {
        heap.pop();
        now = work.time;
        because(work.cause, work.run as () => void);
      }
      now = Math.max(now, time);
    },
  };
}
