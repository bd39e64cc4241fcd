import type { Random } from '../../model/random.ts';
import type { Replica } from './replica/replica.ts';
import type { Stage } from './stage.ts';

/** All current and former replicas. */
export interface Fleet {
  /** The replicas that were neither killed nor stopped. */
  alive(): readonly Replica[];
  /** Schedules replacements for missing replicas, at random times. */
  tend(random: Random, within: number): void;
  /** Disturbs a random replica or its network. */
  disturb(random: Random): void;
  /** Ends all disturbances, and soon restores the full number of replicas. */
  calm(random: Random): void;
}

/** A disturbance of a replica. */
export type Disturbance<R extends Replica> = (replica: R, random: Random) => void;

export interface FleetParts<R extends Replica, Name extends string> {
  readonly create: (name: string) => R;
  /** The minimum delay before a replacement starts, in milliseconds. */
  readonly absence: number;
  readonly disturbances: Readonly<Record<Name, Disturbance<R>>>;
  /** The relative frequency of each disturbance. */
  readonly weights: Readonly<Partial<Record<Name, number>>>;
}

export function createFleet<R extends Replica, Name extends string>(
  { scheduler, trace, setting }: Stage,
  { create, absence, disturbances, weights }: FleetParts<R, Name>,
): Fleet {
  const replicas: R[] = [];
  let coming = 0;
  let isCalm = false;
  const alive = (): R[] => replicas.filter(({ life, ended }) => life.state !== 'gone' && !ended);
  const start = (): void => {
    const replica = create(`r${replicas.length + 1}`);
    replicas.push(replica);
    trace.note(replica.name, 'starts');
    if (isCalm) replica.calm();
  };
  const startLater = (milliseconds: number): void => {
    coming += 1;
    scheduler.schedule(() => {
      coming -= 1;
      if (alive().length < setting.replicas) start();
    }, milliseconds);
  };
  const tend = (random: Random, within: number): void => {
    while (alive().length + coming < setting.replicas) startLater(absence + random.below(within));
  };
  return {
    alive,
    tend,
    disturb(random) {
      const candidates = alive();
      if (candidates.length === 0) return;
      const replica = random.pick(candidates);
      const what = random.weighted(weights as Readonly<Record<Name, number>>);
      trace.note(replica.name, 'suffers', what);
      disturbances[what](replica, random);
    },
    calm(random) {
      isCalm = true;
      for (const replica of alive()) {
        replica.life.resume(false);
        replica.calm();
      }
      if (alive().length === 0) start();
      tend(random, 3000);
    },
  };
}
