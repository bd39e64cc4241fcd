import type { Random } from '../../model/random.ts';
import type { Setting as CommonSetting, FaultRates } from '../harness/setting.ts';
import { createSetting as createEndpointsSetting } from '../setting.ts';

/** The faults of the cloud and of its connection: probabilities for each call, unless in milliseconds. */
export interface CloudFaultRates {
  /** The maximum one-way latency, in milliseconds. */
  readonly latency: number;
  /** The call never gets an answer. */
  readonly hang: number;
  /** The answer comes after a long time, perhaps after the timeout. */
  readonly slow: number;
  /** The call takes effect after it was aborted. */
  readonly late: number;
  /** The call fails without effect. */
  readonly fails: number;
  /** The call takes effect, but the answer is an error or invalid. */
  readonly garbled: number;
  /** The load balancer has disappeared. */
  readonly loses: number;
  /** The answer arrives twice. */
  readonly twice: number;
}

/** The decisions of a seed. */
export interface Setting extends CommonSetting {
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
   * Whether a client removes finalizers. If the cloud cannot list load balancers, no Service then changes its type: if it was deleted before
   * its cleanup, its load balancer could not be found.
   */
  readonly removesFinalizers: boolean;
  readonly cloudTimeout: number;
  readonly orphanSweep: number;
  readonly cloud: CloudFaultRates;
  /** Whether nodes change in ways that releases notice only at the next sync. */
  readonly hasNodesMarkedForDeletion: boolean;
  /** Whether a node is added at the end, because the release does not notice every change of nodes. */
  readonly addsNode: boolean;
}

/** Draws the common settings as for the endpoints controllers, then those of the cloud. */
export function createSetting(seed: number): Setting {
  const common = createEndpointsSetting(seed);
  const { random, mode, replicas, workers, watchList, disturbanceRate } = common;
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
      replicas,
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
    steps: 30 + random.below(91),
    cloudTimeout: random.pick([90_000, 120_000, 300_000]),
    orphanSweep: mode === 'alone' ? random.pick([60_000, 300_000, 600_000]) : random.pick([60_000, 120_000]),
    faultRates: hasPromptCalls ? withoutDelays(common.faultRates) : common.faultRates,
    cloud: drawCloudFaultRates(random, hasPromptCalls),
    // Up to Kubernetes 1.28, the controller does not always remember the nodes of a load balancer.
    addsNode: hasNodesMarkedForDeletion || (version !== undefined && Number(version.slice(2)) < 29),
  };
}

/** The cloud after all faults have ended. */
export const noCloudFaults: CloudFaultRates = { latency: 5, hang: 0, slow: 0, late: 0, fails: 0, garbled: 0, loses: 0, twice: 0 };

const withoutDelays = (faultRates: FaultRates): FaultRates => ({
  ...faultRates,
  ...{ latency: Math.min(faultRates.latency, 5), lag: Math.min(faultRates.lag, 10), slow: 0, dead: 0, stale: 0, broken: 0 },
});

function drawCloudFaultRates(random: Random, hasPromptCalls: boolean): CloudFaultRates {
  const zeroOrOneOf = (...values: readonly number[]): number => (random.chance(0.5) ? 0 : random.pick(values));
  return {
    latency: random.pick(hasPromptCalls ? [1, 5] : [1, 50, 1000]),
    hang: zeroOrOneOf(0.02, 0.1),
    slow: zeroOrOneOf(0.05, 0.2),
    late: hasPromptCalls ? 0 : zeroOrOneOf(0.03, 0.1),
    fails: zeroOrOneOf(0.1, 0.5),
    garbled: zeroOrOneOf(0.05, 0.2),
    loses: zeroOrOneOf(0.02, 0.05),
    twice: zeroOrOneOf(0.1),
  };
}
