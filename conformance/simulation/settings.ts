import { createRandom } from '../model/random.ts';
import { type Settings as CommonSettings, drawFaultRates, type Mode } from './harness/settings.ts';

/** The settings of one simulation, drawn from its seed. */
export interface Settings extends CommonSettings {
  readonly maxEndpointsPerSlice: number;
  readonly maxEndpointsPerSubset: number;
  /** In milliseconds. */
  readonly batchPeriod: number;
  /** The minimum number of pods for the incremental index. 0 for half of the seeds, because simulated Services have few pods. */
  readonly minIndexedPods: number;
}

export function createSettings(seed: number): Settings {
  const random = createRandom(seed);
  const mode = random.pickWeighted<Mode>({ alone: 5, elected: 4, sharded: 2 });
  return {
    seed,
    random,
    mode,
    replicaCount: mode === 'alone' ? 1 : 2 + random.below(2),
    stepCount: 200 + random.below(201),
    version: random.pick([undefined, undefined, undefined, '1.36', '1.33', '1.28', '1.24', '1.21']),
    workers: 1 + random.below(5),
    maxEndpointsPerSlice: random.pick([2, 3, 5, 100]),
    maxEndpointsPerSubset: seed % 3 === 0 ? 2 : 1000,
    batchPeriod: random.pick([0, 0, 0, 100, 1000]),
    minIndexedPods: seed % 2 === 0 ? 0 : 32,
    watchList: random.chance(0.5),
    faultRates: drawFaultRates(random),
    disturbanceRate: random.pick([0, 0.05, 0.1, 0.2]),
  };
}
