import type { Random } from '../../model/random.ts';

/** How replicas coordinate: a single replica, leader election, or sharding. */
export type Mode = 'alone' | 'elected' | 'sharded';

/** The fault rates of the connection of a replica. */
export interface FaultRates {
  /** The maximum one-way latency of a message, in milliseconds. */
  readonly maxLatencyMs: number;
  /** The probability that a call takes seconds. */
  readonly slowCall: number;
  /** The probability that a write succeeds but its answer is lost. */
  readonly lostAnswer: number;
  /** The maximum delay of watch events, in milliseconds, drawn for each watch. */
  readonly maxLagMs: number;
  /** The probability that a watch hangs without an error. */
  readonly deadWatch: number;
  /** The probability that a list that accepts any version is stale. */
  readonly staleList: number;
  /** The probability of each of the answers 409, 429, 500, 503 and 504. */
  readonly errorAnswer: number;
  /** The probability that a call makes the server unreachable for some time. */
  readonly serverDown: number;
  /** The probability that a watch is cut, stalls, or gets 410. */
  readonly brokenWatch: number;
}

/** The settings of every simulation. Each seed has only some kinds of faults, so that each kind also occurs without others. */
export interface Settings {
  readonly seed: number;
  readonly random: Random;
  readonly mode: Mode;
  readonly replicaCount: number;
  readonly stepCount: number;
  readonly version: string | undefined;
  readonly workers: number;
  /** Whether the server supports streaming lists. */
  readonly watchList: boolean;
  readonly faultRates: FaultRates;
  /** The probability that a step disturbs a replica instead of changing the cluster. */
  readonly disturbanceRate: number;
}

/** The connection after all faults have ended. */
export const noFaults: FaultRates = {
  maxLatencyMs: 2,
  slowCall: 0,
  lostAnswer: 0,
  maxLagMs: 5,
  deadWatch: 0,
  staleList: 0,
  errorAnswer: 0,
  serverDown: 0,
  brokenWatch: 0,
};

export function drawFaultRates(random: Random): FaultRates {
  const zeroOrOneOf = (...values: readonly number[]): number => (random.chance(0.5) ? 0 : random.pick(values));
  return {
    maxLatencyMs: random.pick([1, 5, 50, 300]),
    slowCall: zeroOrOneOf(0.01, 0.05),
    lostAnswer: zeroOrOneOf(0.02, 0.1),
    maxLagMs: random.pick([1, 10, 100, 3000]),
    deadWatch: zeroOrOneOf(0.01, 0.04),
    staleList: zeroOrOneOf(0.2, 0.7),
    errorAnswer: zeroOrOneOf(0.01, 0.03, 0.06),
    serverDown: zeroOrOneOf(0.002, 0.01),
    brokenWatch: zeroOrOneOf(0.1, 0.3),
  };
}
