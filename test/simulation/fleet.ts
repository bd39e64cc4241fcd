import type { Random } from '../apiserver/model/random.ts';
import { createReplica, type Replica, type ReplicaParts } from './replica/replica.ts';
import type { Scheduler } from './scheduler.ts';

/** The replicas that there are and have been. */
export interface Fleet {
  /** Those that have not been killed, and have not ended. */
  alive(): Replica[];
  /** Sees to it that there will be as many as there are to be; not all at once. */
  tend(random: Random, within: number): void;
  /** Something happens to one of them, or to its network. */
  disturb(random: Random): void;
  /** Nothing of that any more. There is one at least. */
  calm(): void;
}

export function createFleet(parts: Omit<ReplicaParts, 'name'> & { readonly most: number; readonly compact: () => void }): Fleet {
  const { scheduler, trace, most } = parts;
  const replicas: Replica[] = [];
  let coming = 0;
  let isCalm = false;
  const alive = (): Replica[] => replicas.filter(({ life, ended }) => life.state !== 'gone' && !ended);
  const start = (): Replica => {
    const replica = createReplica({ ...parts, name: `r${replicas.length + 1}` });
    replicas.push(replica);
    trace.note(replica.name, 'starts');
    if (isCalm) replica.calm();
    return replica;
  };
  const startLater = (milliseconds: number): void => {
    coming += 1;
    scheduler.schedule(() => {
      coming -= 1;
      if (alive().length < most) start();
    }, milliseconds);
  };
  return {
    alive,
    tend(random, within) {
      while (alive().length + coming < most) startLater(random.below(within));
    },
    disturb(random) {
      const candidates = alive();
      if (candidates.length === 0) return;
      const replica = random.pick(candidates);
      const what = random.weighted(weights);
      trace.note(replica.name, 'suffers', what);
      troubles[what](replica, { random, scheduler, compact: parts.compact });
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

interface Surroundings {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly compact: () => void;
}

type Trouble = 'crash' | 'crashAtWrite' | 'restart' | 'pause' | 'blackout' | 'jump' | 'dropWatches' | 'stall' | 'compaction' | 'late410';

const weights: Readonly<Record<Trouble, number>> = {
  crash: 2,
  crashAtWrite: 4,
  restart: 2,
  pause: 3,
  blackout: 3,
  jump: 1,
  dropWatches: 3,
  stall: 3,
  compaction: 2,
  late410: 3,
};

const troubles: Readonly<Record<Trouble, (replica: Replica, surroundings: Surroundings) => void>> = {
  crash: (replica) => replica.kill(),
  crashAtWrite: (replica, { random }) => replica.dieAtWrite(1 + random.below(4), random.chance(0.5) ? 'dies' : 'dies and sends'),
  restart: (replica) => replica.stop(),
  pause(replica, { random, scheduler }) {
    replica.life.pause();
    scheduler.schedule(() => replica.life.resume(random.chance(0.5)), random.pick([100, 3000, 12_000, 25_000, 60_000]));
  },
  blackout: (replica, { random }) => replica.block(random.pick([100, 2000, 9000, 20_000, 40_000])),
  jump: (replica, { random }) => replica.clock.jump(random.pick([-86_400_000, -60_000, -1000, 1000, 60_000, 86_400_000])),
  dropWatches: (replica, { random }) => replica.faults.dropWatches({ broken: random.chance(0.5) }),
  stall: (replica, { random }) =>
    replica.faults.stall({ resources: [random.pick(watched)], forMilliseconds: random.pick([500, 5000, 60_000]) }),
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

const watched: readonly string[] = ['services', 'pods', 'endpoints', 'endpointslices', 'nodes', 'namespaces'];
