import type { Random } from '../../model/random.ts';
import type { Settings as CommonSettings, FaultRates } from '../harness/settings.ts';
import { createSettings as createEndpointsSettings } from '../settings.ts';

/** Faults of the cloud and its connection. Except for maxLatencyMs, each is a probability per call. */
export interface CloudFaultRates {
  /** The maximum one-way latency, in milliseconds. */
  readonly maxLatencyMs: number;
  /** The call never gets an answer. */
  readonly hang: number;
  /** The answer comes after a long time, perhaps after the timeout. */
  readonly slowCall: number;
  /** The call takes effect after it was aborted. */
  readonly lateEffect: number;
  /** The call fails without effect. */
  readonly failure: number;
  /** The call takes effect, but the answer is an error or invalid. */
  readonly invalidAnswer: number;
  /** The load balancer has disappeared. */
  readonly lostBalancer: number;
  /** The answer arrives twice. */
  readonly duplicateAnswer: number;
}

/** The settings of one simulation, drawn from its seed. */
export interface Settings extends CommonSettings {
  /** Whether the cloud can list load balancers, so that a new process finds those of its predecessor. */
  readonly canList: boolean;
  /** Whether a single process runs that is never killed, so that it remembers all its actions. */
  readonly isNeverKilled: boolean;
  /**
   * Whether no call takes effect after its sender was killed, and caches are up to date. Required if the cloud cannot list load balancers,
   * because then no process could find a load balancer that was created late for a deleted Service.
   */
  readonly hasPromptCalls: boolean;
  /**
   * Whether a client removes finalizers. If so, and if the cloud cannot list load balancers, no Service changes its type: if the Service
   * were deleted before the cleanup of its load balancer, no process could find that load balancer.
   */
  readonly removesFinalizers: boolean;
  /** In milliseconds. */
  readonly cloudTimeout: number;
  /** The interval between two searches for orphaned load balancers, in milliseconds. */
  readonly orphanSweep: number;
  readonly cloud: CloudFaultRates;
  /** Whether nodes are marked for deletion, which releases notice only at the next sync. */
  readonly hasNodesMarkedForDeletion: boolean;
  /** Whether a node is added at the end, which causes a node sync in releases that do not notice every change of nodes. */
  readonly addsNode: boolean;
}

/** Draws the common settings as for the endpoints controllers, then those of the cloud. */
export function createSettings(seed: number): Settings {
  const common = createEndpointsSettings(seed);
  const { random, mode, replicaCount, workers, watchList, disturbanceRate } = common;
  const canList = random.chance(0.7);
  const isNeverKilled = mode === 'alone' && random.chance(0.5);
  const hasPromptCalls = !canList && !isNeverKilled;
  const version = random.pick([undefined, undefined, undefined, undefined, '1.36', '1.33', '1.29', '1.28', '1.24', '1.21', '1.17']);
  const hasNodesMarkedForDeletion = random.chance(0.3);
  return {
    ...{
      seed,
      random,
      mode,
      replicaCount,
      workers,
      watchList,
      disturbanceRate,
      version,
      canList,
      isNeverKilled,
      hasPromptCalls,
      hasNodesMarkedForDeletion,
    },
    removesFinalizers: !hasPromptCalls && random.chance(0.6),
    stepCount: 30 + random.below(91),
    cloudTimeout: random.pick([90_000, 120_000, 300_000]),
    orphanSweep: mode === 'alone' ? random.pick([60_000, 300_000, 600_000]) : random.pick([60_000, 120_000]),
    faultRates: hasPromptCalls ? withoutDelays(common.faultRates) : common.faultRates,
    cloud: drawCloudFaultRates(random, hasPromptCalls),
    // Up to Kubernetes 1.28, the controller does not always remember the nodes of a load balancer.
    addsNode: hasNodesMarkedForDeletion || (version !== undefined && Number(version.slice(2)) < 29),
  };
}

/** The cloud after all faults have ended. */
export const noCloudFaults: CloudFaultRates = {
  maxLatencyMs: 5,
  hang: 0,
  slowCall: 0,
  lateEffect: 0,
  failure: 0,
  invalidAnswer: 0,
  lostBalancer: 0,
  duplicateAnswer: 0,
};

const withoutDelays = (faultRates: FaultRates): FaultRates => ({
  ...faultRates,
  ...{
    maxLatencyMs: Math.min(faultRates.maxLatencyMs, 5),
    maxLagMs: Math.min(faultRates.maxLagMs, 10),
    slowCall: 0,
    deadWatch: 0,
    staleList: 0,
    brokenWatch: 0,
  },
});

function drawCloudFaultRates(random: Random, hasPromptCalls: boolean): CloudFaultRates {
  const zeroOrOneOf = (...values: readonly number[]): number => (random.chance(0.5) ? 0 : random.pick(values));
  return {
    maxLatencyMs: random.pick(hasPromptCalls ? [1, 5] : [1, 50, 1000]),
    hang: zeroOrOneOf(0.02, 0.1),
    slowCall: zeroOrOneOf(0.05, 0.2),
    lateEffect: hasPromptCalls ? 0 : zeroOrOneOf(0.03, 0.1),
    failure: zeroOrOneOf(0.1, 0.5),
    invalidAnswer: zeroOrOneOf(0.05, 0.2),
    lostBalancer: zeroOrOneOf(0.02, 0.05),
    duplicateAnswer: zeroOrOneOf(0.1),
  };
}
