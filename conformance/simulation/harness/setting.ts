import type { Random } from '../../model/random.ts';

/** How replicas coordinate: a single replica, leader election, or sharding. */
export type Mode = 'alone' | 'elected' | 'sharded';

/** The fault rates of the connection of a replica. */
export interface FaultRates {
  /** The maximum one-way latency of a message, in milliseconds. */
  readonly latency: number;
  /** The probability that a call takes seconds. */
  readonly slow: number;
  /** The probability that a write succeeds but its answer is lost. */
  readonly lost: number;
  /** The maximum delay of watch events, in milliseconds, drawn for each watch. */
  readonly lag: number;
  /** The probability that a watch hangs without an error. */
  readonly dead: number;
  /** The probability that a list that accepts any version is stale. */
  readonly stale: number;
  /** The probability of each of the answers 409, 429, 500, 503 and 504. */
  readonly refused: number;
  /** The probability that a call makes the server unreachable for some time. */
  readonly down: number;
  /** The probability that a watch is cut, stalls, or gets 410. */
  readonly broken: number;
}

/** The decisions of a seed in every simulation. Each seed has only some kinds of faults, so that each kind also occurs without others. */
export interface Setting {
  readonly seed: number;
  readonly random: Random;
  readonly mode: Mode;
  readonly replicas: number;
  readonly steps: number;
  readonly version: string | undefined;
  readonly workers: number;
  /** Whether the server supports streaming lists. */
  readonly watchList: boolean;
  readonly faultRates: FaultRates;
  /** The probability that a step disturbs a replica instead of changing the cluster. */
  readonly disturbanceRate: number;
}

/** The connection after all faults have ended. */
export const noFaults: FaultRates = { latency: 2, slow: 0, lost: 0, lag: 5, dead: 0, stale: 0, refused: 0, down: 0, broken: 0 };

export function drawFaultRates(random: Random): FaultRates {
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
