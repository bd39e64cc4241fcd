import type { Random } from '../../../apiserver/model/random.ts';
import type { Scheduler } from '../../scheduler.ts';
import type { Setting } from '../setting.ts';
import { createReplica, type Replica, type ReplicaParts } from './replica.ts';

/** The replicas that there are and have been. */
export interface Fleet {
  /** Those that have not been killed, and have not ended. */
  alive(): Replica[];
  /** Sees to it that there will be as many as there are to be; not all at once. */
  tend(random: Random, within: number): void;
  /** Something happens to one of them, or to its networks. */
  disturb(random: Random): void;
  /** Nothing of that any more. There is one at least. */
  calm(): void;
}

export interface FleetParts extends Omit<ReplicaParts, 'name'> {
  readonly compact: () => void;
  readonly outage: (milliseconds: number) => void;
}

/** Nobody is back sooner than this: what was on its way when one died has arrived or is lost. */
const leastAbsence = 1000;

export function createFleet(parts: FleetParts): Fleet {
  const { scheduler, trace, setting } = parts;
  const replicas: Replica[] = [];
  let coming = 0;
  let isCalm = false;
  const alive = (): Replica[] => replicas.filter(({ life, ended }) => life.state !== 'gone' && !ended);
  const start = (): void => {
    const replica = createReplica({ ...parts, name: `r${replicas.length + 1}` });
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
  return {
    alive,
    tend(random, within) {
      while (alive().length + coming < setting.replicas) startLater(leastAbsence + random.below(within));
    },
    disturb(random) {
      const candidates = alive();
      if (candidates.length === 0) return;
      const replica = random.pick(candidates);
      const what = random.weighted(weightsFor(setting) as Readonly<Record<Trouble, number>>);
      trace.note(replica.name, 'suffers', what);
      troubles[what](replica, { ...parts, random });
    },
    calm() {
      isCalm = true;
      for (const replica of alive()) {
        replica.life.resume(false);
        replica.calm();
      }
      if (alive().length === 0) start();
    },
  };
}

interface Surroundings extends Pick<FleetParts, 'compact' | 'outage' | 'setting'> {
  readonly random: Random;
  readonly scheduler: Scheduler;
}

type Trouble = keyof typeof steadyWeights | keyof typeof deaths;

const steadyWeights = { pause: 3, blackout: 3, cloudBlackout: 3, outage: 2, jump: 1, dropWatches: 3, stall: 3, compaction: 2, late410: 3 };

const deaths = { crash: 3, crashAtWrite: 5, crashAtCall: 8, restart: 2 };

/** Where nobody could find out, nothing arrives that was sent long ago, and nobody is kept in the dark. */
const promptWeights = { ...deaths, pause: 2, outage: 2, jump: 1, dropWatches: 2 };

const weightsFor = ({ isSteady, isPrompt }: Setting): Readonly<Partial<Record<Trouble, number>>> =>
  isSteady ? steadyWeights : isPrompt ? promptWeights : { ...steadyWeights, ...deaths };

const troubles: Readonly<Record<Trouble, (replica: Replica, surroundings: Surroundings) => void>> = {
  crash: (replica) => replica.kill(),
  crashAtWrite: (replica, { random }) => replica.dieAtWrite(1 + random.below(4), random.chance(0.5) ? 'dies' : 'dies and sends'),
  crashAtCall: (replica, { random }) =>
    replica.dieAtCall(1 + random.below(4), random.pick(['dies', 'dies and sends', 'dies of the answer', 'dies of the answer'])),
  restart: (replica) => replica.stop(),
  pause(replica, { random, scheduler }) {
    replica.pause();
    scheduler.schedule(() => replica.life.resume(random.chance(0.5)), random.pick([100, 3000, 12_000, 25_000, 60_000]));
  },
  blackout: (replica, { random }) => replica.block('api', random.pick([100, 2000, 9000, 20_000, 40_000])),
  cloudBlackout: (replica, { random, setting }) => replica.block('cloud', random.below(setting.cloudTimeout / 2)),
  outage: (_, { random, outage }) => outage(random.below(240_000)),
  jump: (replica, { random }) => replica.clock.jump(random.pick([-86_400_000, -60_000, -1000, 1000, 60_000, 86_400_000])),
  dropWatches: (replica, { random }) => replica.faults.dropWatches({ broken: random.chance(0.5) }),
  stall: (replica, { random }) =>
    replica.faults.stall({ resources: [random.pick(['services', 'nodes'])], forMilliseconds: random.pick([500, 5000, 60_000]) }),
  compaction: (_, { compact }) => compact(),
  // Watches are silent for a while, the server forgets, and then they end: all that happened in between is to be found by a list.
  late410(replica, { random, scheduler, compact }) {
    const milliseconds = random.pick([100, 2000, 10_000]);
    replica.faults.stall({ forMilliseconds: milliseconds });
    scheduler.schedule(() => {
      compact();
      replica.faults.dropWatches({ broken: true });
    }, milliseconds - 1);
  },
};
