import type { Random } from '../../model/random.ts';
import type { SimulationContext } from './context.ts';
import type { Replica } from './replica/replica.ts';

/** All replicas of a run, including those that have ended or were killed. */
export interface Fleet {
  /** The replicas that were not killed and have not ended, including those that are paused or stopping. */
  liveReplicas(): readonly Replica[];
  /** Schedules a replacement for each missing replica, after `minRestartDelayMs` plus a random time below `maxExtraDelayMs`. */
  replaceMissing(random: Random, maxExtraDelayMs: number): void;
  /** Disturbs a random replica or its network. */
  disturb(random: Random): void;
  /** Ends all disturbances and schedules replacements for missing replicas. */
  endFaults(random: Random): void;
}

/** A disturbance of a replica. */
export type Disturbance<R extends Replica> = (replica: R, random: Random) => void;

export interface FleetOptions<R extends Replica, Name extends string> {
  readonly create: (name: string) => R;
  /** The minimum delay before a replacement starts. */
  readonly minRestartDelayMs: number;
  readonly disturbances: Readonly<Record<Name, Disturbance<R>>>;
  /** The relative frequency of each disturbance. */
  readonly weights: Readonly<Partial<Record<Name, number>>>;
}

export function createFleet<R extends Replica, Name extends string>(
  { scheduler, trace, settings }: SimulationContext,
  { create, minRestartDelayMs, disturbances, weights }: FleetOptions<R, Name>,
): Fleet {
  const replicas: R[] = [];
  let pendingStartCount = 0;
  let faultsHaveEnded = false;
  const liveReplicas = (): R[] => replicas.filter(({ lifecycle, ended }) => lifecycle.state !== 'killed' && !ended);
  const start = (): void => {
    const replica = create(`r${replicas.length + 1}`);
    replicas.push(replica);
    trace.log(replica.name, 'starts');
    if (faultsHaveEnded) replica.endFaults();
  };
  const startLater = (milliseconds: number): void => {
    pendingStartCount += 1;
    scheduler.schedule(() => {
      pendingStartCount -= 1;
      if (liveReplicas().length < settings.replicaCount) start();
    }, milliseconds);
  };
  const replaceMissing = (random: Random, maxExtraDelayMs: number): void => {
    while (liveReplicas().length + pendingStartCount < settings.replicaCount) startLater(minRestartDelayMs + random.below(maxExtraDelayMs));
  };
  return {
    liveReplicas,
    replaceMissing,
    disturb(random) {
      const candidates = liveReplicas();
      if (candidates.length === 0) return;
      const replica = random.pick(candidates);
      const disturbance = random.pickWeighted(weights as Readonly<Record<Name, number>>);
      trace.log(replica.name, 'is disturbed:', disturbance);
      disturbances[disturbance](replica, random);
    },
    endFaults(random) {
      faultsHaveEnded = true;
      for (const replica of liveReplicas()) {
        replica.lifecycle.resume({ messagesFirst: false });
        replica.endFaults();
      }
      if (liveReplicas().length === 0) start();
      replaceMissing(random, 3000);
    },
  };
}
