import type { Random } from '../../model/random.ts';
import type { Setting as Common, Weather } from '../harness/setting.ts';
import { settingOf as endpointsSettingOf } from '../setting.ts';

/** The faults of the cloud and of its connection: probabilities for each call, unless in milliseconds. */
export interface CloudWeather {
  /** The maximum one-way latency, in milliseconds. */
  readonly latency: number;
  /** No answer. */
  readonly hang: number;
  /** An answer after a long time, or too late. */
  readonly slow: number;
  /** Aborted, but executed later. */
  readonly late: number;
  /** Refused without effect. */
  readonly fails: number;
  /** Executed, but answered with an error or nonsense. */
  readonly garbled: number;
  /** The load balancer has disappeared. */
  readonly loses: number;
  /** The answer arrives twice. */
  readonly twice: number;
}

/** The decisions of a seed. */
export interface Setting extends Common {
  /** Whether the cloud can list load balancers, so that a new process finds those of its predecessor. */
  readonly lists: boolean;
  /** A single process that is never killed, so that it remembers all its actions. */
  readonly isSteady: boolean;
  /**
   * Whether no call takes effect after its sender is gone, and a successor knows the current cluster. Required if the cloud cannot list:
   * nothing could find a load balancer that was created for a Service that is gone.
   */
  readonly isPrompt: boolean;
  /**
   * Whether a client removes finalizers. If the cloud cannot list, then no Service stops wanting a load balancer:
   * the load balancer of one that is gone before its cleanup could not be found.
   */
  readonly strips: boolean;
  readonly cloudTimeout: number;
  readonly orphanSweep: number;
  readonly cloud: CloudWeather;
  /** Whether nodes change in ways that releases notice only at the next sync. */
  readonly hasNodesMarkedForDeletion: boolean;
  /** Whether a node is added at the end, for releases or nodes with unnoticed changes. */
  readonly nudges: boolean;
}

/** Begins like a seed of the endpoints controllers. */
export function settingOf(seed: number): Setting {
  const common = endpointsSettingOf(seed);
  const { random, mode, replicas, workers, watchList, unrest } = common;
  const lists = random.chance(0.7);
  const isSteady = mode === 'alone' && random.chance(0.5);
  const isPrompt = !lists && !isSteady;
  const version = random.pick([undefined, undefined, undefined, undefined, '1.36', '1.33', '1.29', '1.28', '1.24', '1.21', '1.17']);
  const hasDoomedNodes = random.chance(0.3);
  return {
    ...{
      seed,
      random,
      mode,
      replicas,
      workers,
      watchList,
      unrest,
      version,
      lists,
      isSteady,
      isPrompt,
      hasNodesMarkedForDeletion: hasDoomedNodes,
    },
    strips: !isPrompt && random.chance(0.6),
    steps: 30 + random.below(91),
    cloudTimeout: random.pick([90_000, 120_000, 300_000]),
    orphanSweep: mode === 'alone' ? random.pick([60_000, 300_000, 600_000]) : random.pick([60_000, 120_000]),
    weather: isPrompt ? prompt(common.weather) : common.weather,
    cloud: cloudWeatherOf(random, isPrompt),
    // up to 1.28, the nodes of a load balancer are not always known
    nudges: hasDoomedNodes || (version !== undefined && Number(version.slice(2)) < 29),
  };
}

/** The cloud after all faults have ended. */
export const fairCloud: CloudWeather = { latency: 5, hang: 0, slow: 0, late: 0, fails: 0, garbled: 0, loses: 0, twice: 0 };

const prompt = (weather: Weather): Weather => ({
  ...weather,
  ...{ latency: Math.min(weather.latency, 5), lag: Math.min(weather.lag, 10), slow: 0, dead: 0, stale: 0, broken: 0 },
});

function cloudWeatherOf(random: Random, isPrompt: boolean): CloudWeather {
  const maybe = (...values: readonly number[]): number => (random.chance(0.5) ? 0 : random.pick(values));
  return {
    latency: random.pick(isPrompt ? [1, 5] : [1, 50, 1000]),
    hang: maybe(0.02, 0.1),
    slow: maybe(0.05, 0.2),
    late: isPrompt ? 0 : maybe(0.03, 0.1),
    fails: maybe(0.1, 0.5),
    garbled: maybe(0.05, 0.2),
    loses: maybe(0.02, 0.05),
    twice: maybe(0.1),
  };
}
