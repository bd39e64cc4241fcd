import type { Random } from '../../model/random.ts';
import type { Setting as Common, Weather } from '../harness/setting.ts';
import { settingOf as endpointsSettingOf } from '../setting.ts';

/** How bad the cloud is, and the way to it. Each is the chance of a call, but for those that are milliseconds. */
export interface CloudWeather {
  /** Milliseconds that a message takes at most. */
  readonly latency: number;
  /** No answer at all. */
  readonly hang: number;
  /** An answer after a long time, or too late. */
  readonly slow: number;
  /** Given up, and then done all the same. */
  readonly late: number;
  /** Refused in some way, and nothing done. */
  readonly fails: number;
  /** Done, and the answer is an error or nonsense. */
  readonly garbled: number;
  /** The load balancer has disappeared. */
  readonly loses: number;
  /** The answer comes twice. */
  readonly twice: number;
}

/** What a seed decides before anything happens. */
export interface Setting extends Common {
  /** Whether the cloud can tell what it has, so that what a process left behind is found by the next. */
  readonly lists: boolean;
  /** One process, which is never killed: it remembers all that it did. */
  readonly isSteady: boolean;
  /**
   * Whether nothing takes effect any more when the one who asked for it is not there any more, and whoever follows such a one knows the
   * cluster as it is: in a cloud that cannot tell what it has, nobody would find out what was made for a Service that was gone.
   */
  readonly isPrompt: boolean;
  /**
   * Whether somebody takes finalizers away by hand. Where the cloud cannot tell what it has, no Service ceases to want a load balancer then:
   * one that was to be cleaned up and is gone before it could be is beyond recall.
   */
  readonly strips: boolean;
  readonly cloudTimeout: number;
  readonly orphanSweep: number;
  readonly cloud: CloudWeather;
  /** Whether nodes change in ways that no release looks at before something else makes it. */
  readonly hasDoomedNodes: boolean;
  /** Whether a node comes in the end, for releases or nodes of which not every change is noticed. */
  readonly nudges: boolean;
}

/** Begins as a seed of the endpoints controllers does. */
export function settingOf(seed: number): Setting {
  const common = endpointsSettingOf(seed);
  const { random, mode, replicas, workers, watchList, unrest } = common;
  const lists = random.chance(0.7);
  const isSteady = mode === 'alone' && random.chance(0.5);
  const isPrompt = !lists && !isSteady;
  const version = random.pick([undefined, undefined, undefined, undefined, '1.36', '1.33', '1.29', '1.28', '1.24', '1.21', '1.17']);
  const hasDoomedNodes = random.chance(0.3);
  return {
    ...{ seed, random, mode, replicas, workers, watchList, unrest, version, lists, isSteady, isPrompt, hasDoomedNodes },
    strips: !isPrompt && random.chance(0.6),
    steps: 30 + random.below(91),
    cloudTimeout: random.pick([90_000, 120_000, 300_000]),
    orphanSweep: mode === 'alone' ? random.pick([60_000, 300_000, 600_000]) : random.pick([60_000, 120_000]),
    weather: isPrompt ? prompt(common.weather) : common.weather,
    cloud: cloudWeatherOf(random, isPrompt),
    // up to 1.28 what a load balancer was given is not known of each
    nudges: hasDoomedNodes || (version !== undefined && Number(version.slice(2)) < 29),
  };
}

/** When all that goes wrong in the cloud has ended. */
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
