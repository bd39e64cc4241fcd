import type { Clock, ScheduledCall } from '../store/index.ts';
import type { Verdict } from './judge.ts';

/** Counts the events in a value and splits it. */
export interface Parting<T> {
  count(value: T): number;
  split(value: T, events: number): readonly [first: T, rest: T];
}

/** Tracks when the faults of one watch are due, by number of events or by time. */
export interface Limits<T> {
  /** Splits a value at the next limit and counts the events of the first part as delivered. */
  part(value: T): { readonly part: T; readonly rest?: T };
  /** Triggers the faults that are due by number of events. */
  look(): void;
  leave(): void;
}

export interface LimitOptions<T> {
  readonly clock: Clock;
  readonly drop: Verdict['drop'];
  readonly stall: Verdict['stall'];
  readonly parting: Parting<T> | undefined;
}

export function createLimits<T>({ clock, drop, stall, parting }: LimitOptions<T>, acts: { drop(): void; stall(): void }): Limits<T> {
  const points = [pointOf(stall, acts.stall), pointOf(drop, acts.drop)].filter((point) => point !== undefined);
  const timers: ScheduledCall[] = [];
  for (const { milliseconds, act } of points) {
    if (milliseconds !== undefined) timers.push(clock.schedule(act, milliseconds));
  }
  if (points.length === 0) return unlimited as Limits<T>;
  let told = 0;
  return {
    part(value) {
      const left = Math.min(...points.map(({ events }) => events)) - told;
      const count = parting?.count(value) ?? 1;
      told += Math.min(count, left);
      if (!parting || count <= left) return { part: value };
      const [part, rest] = parting.split(value, left);
      return { part, rest };
    },
    look() {
      for (const point of points) {
        if (told < point.events) continue;
        point.events = Number.POSITIVE_INFINITY;
        point.act();
      }
    },
    leave() {
      for (const timer of timers) timer.cancel();
    },
  };
}

const unlimited: Limits<unknown> = {
  part: (value) => ({ part: value }),
  look: () => undefined,
  leave: () => undefined,
};

interface Point {
  events: number;
  readonly milliseconds: number | undefined;
  act(): void;
}

function pointOf(fault: Verdict['drop'] | Verdict['stall'], act: () => void): Point | undefined {
  if (!fault) return undefined;
  const { afterEvents, afterMilliseconds } = fault as { readonly afterEvents?: number; readonly afterMilliseconds?: number };
  const events = afterEvents ?? (afterMilliseconds === undefined ? 0 : Number.POSITIVE_INFINITY);
  return { events, milliseconds: afterMilliseconds, act };
}
