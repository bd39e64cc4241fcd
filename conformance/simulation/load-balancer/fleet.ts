import { createDisturbances, type DisturbanceName } from '../harness/disturbances.ts';
import { createFleet as createAny, type Disturbance, type Fleet } from '../harness/fleet.ts';
import { createReplica, type Replica, type ReplicaParts } from './replica.ts';
import type { Setting } from './setting.ts';

export interface FleetParts extends ReplicaParts {
  /** Makes every cloud call fail for a while. */
  readonly outage: (milliseconds: number) => void;
}

export function createFleet(parts: FleetParts): Fleet {
  const { stage } = parts;
  return createAny(stage, {
    create: (name) => createReplica(parts, name),
    // messages of a dead process have arrived or are lost before its successor starts
    absence: 1000,
    disturbances: { ...createDisturbances(stage, ['services', 'nodes']), ...createCloudDisturbances(parts) },
    weights: weightsFor(stage.setting),
  });
}

type CloudDisturbanceName = 'crashAtCall' | 'cloudBlackout' | 'outage';

const createCloudDisturbances = ({ stage, outage }: FleetParts): Readonly<Record<CloudDisturbanceName, Disturbance<Replica>>> => ({
  crashAtCall: ({ cloud }, random) =>
    cloud.dieAtCall(1 + random.below(4), random.pick(['dies', 'dies and sends', 'dies of the answer', 'dies of the answer'])),
  cloudBlackout: ({ cloud }, random) => cloud.block(random.below(stage.setting.cloudTimeout / 2)),
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

const deaths: Weights = { crash: 3, crashAtWrite: 5, crashAtCall: 8, restart: 2 };

/** If the cloud cannot list, no call may arrive late and no replica may be cut off. */
const promptWeights: Weights = { ...deaths, pause: 2, outage: 2, jump: 1, dropWatches: 2 };

const weightsFor = ({ isSteady, isPrompt }: Setting): Weights =>
  isSteady ? steadyWeights : isPrompt ? promptWeights : { ...steadyWeights, ...deaths };
