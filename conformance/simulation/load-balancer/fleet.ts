import { createDisturbances, type DisturbanceName } from '../harness/disturbances.ts';
import { createFleet as createHarnessFleet, type Disturbance, type Fleet } from '../harness/fleet.ts';
import { createReplica, type Replica, type ReplicaOptions } from './replica.ts';
import type { Settings } from './settings.ts';

export interface FleetOptions extends ReplicaOptions {
  /** Makes every cloud call fail for a while. */
  readonly outage: (milliseconds: number) => void;
}

export function createFleet(options: FleetOptions): Fleet {
  const { context } = options;
  return createHarnessFleet(context, {
    create: (name) => createReplica(options, name),
    // The messages of a killed process have arrived or are lost before its successor starts.
    minRestartDelayMs: 1000,
    disturbances: { ...createDisturbances(context, ['services', 'nodes']), ...createCloudDisturbances(options) },
    weights: weightsFor(context.settings),
  });
}

type CloudDisturbanceName = 'crashAtCall' | 'cloudBlackout' | 'outage';

const createCloudDisturbances = ({ context, outage }: FleetOptions): Readonly<Record<CloudDisturbanceName, Disturbance<Replica>>> => ({
  crashAtCall: ({ cloud }, random) =>
    cloud.scheduleCrashOnCall(1 + random.below(4), random.pick(['before sending', 'after sending', 'on the answer', 'on the answer'])),
  cloudBlackout: ({ cloud }, random) => cloud.block(random.below(context.settings.cloudTimeout / 2)),
  outage: (_, random) => outage(random.below(240_000)),
});

type Weights = Readonly<Partial<Record<DisturbanceName | CloudDisturbanceName, number>>>;

const steadyWeights: Weights = {
  pause: 3,
  blackout: 3,
  cloudBlackout: 3,
  outage: 2,
  jump: 1,
  dropWatches: 3,
  stall: 3,
  compaction: 2,
  late410: 3,
};

const crashWeights: Weights = { crash: 3, crashAtWrite: 5, crashAtCall: 8, restart: 2 };

/** If the cloud cannot list, no call may arrive late and no replica may be cut off. */
const promptWeights: Weights = { ...crashWeights, pause: 2, outage: 2, jump: 1, dropWatches: 2 };

const weightsFor = ({ isNeverKilled, hasPromptCalls }: Settings): Weights =>
  isNeverKilled ? steadyWeights : hasPromptCalls ? promptWeights : { ...steadyWeights, ...crashWeights };
