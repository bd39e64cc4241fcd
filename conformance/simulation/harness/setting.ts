import type { Random } from '../../model/random.ts';

/** How replicas share the work: one is alone, one of several leads, or each has its share. */
export type Mode = 'alone' | 'elected' | 'sharded';

/** How bad a replica's connection is. */
export interface Weather {
  /** Milliseconds that a message takes at most, on its way there and back. */
  readonly latency: number;
  /** The chance that a call takes seconds. */
  readonly slow: number;
  /** The chance that a write is done and its answer lost. */
  readonly lost: number;
  /** Milliseconds that events are late at most, on each watch another number of them. */
  readonly lag: number;
  /** The chance that a watch is a connection that dies without a word. */
  readonly dead: number;
  /** The chance that a list that may be of old is. */
  readonly stale: number;
  /** The chance of each of the answers 409, 429, 500, 503, 504. */
  readonly refused: number;
  /** The chance that a call finds or makes the server unreachable for some time. */
  readonly down: number;
  /** The chance that a watch is cut, stalled, or told 410. */
  readonly broken: number;
}

/** What a seed decides in every simulation before anything happens. Each seed has some kinds of trouble only, so that each gets its chance alone, too. */
export interface Setting {
  readonly seed: number;
  readonly random: Random;
  readonly mode: Mode;
  readonly replicas: number;
  readonly steps: number;
  readonly version: string | undefined;
  readonly workers: number;
  /** Whether the server knows how to stream lists. */
  readonly watchList: boolean;
  readonly weather: Weather;
  /** How often replicas are disturbed as a whole, against what happens in the world. */
  readonly unrest: number;
}

/** When all that goes wrong has ended. */
export const fair: Weather = { latency: 2, slow: 0, lost: 0, lag: 5, dead: 0, stale: 0, refused: 0, down: 0, broken: 0 };

export function weatherOf(random: Random): Weather {
  const maybe = (...values: readonly number[]): number => (random.chance(0.5) ? 0 : random.pick(values));
  return {
    latency: random.pick([1, 5, 50, 300]),
    slow: maybe(0.01, 0.05),
    lost: maybe(0.02, 0.1),
    lag: random.pick([1, 10, 100, 3000]),
    dead: maybe(0.01, 0.04),
    stale: maybe(0.2, 0.7),
    refused: maybe(0.01, 0.03, 0.06),
    down: maybe(0.002, 0.01),
    broken: maybe(0.1, 0.3),
  };
}
