import type { SimulationContext } from './context.ts';
import type { Disturbance } from './fleet.ts';
import type { Replica } from './replica/replica.ts';

/** The disturbances of every simulation. */
export type DisturbanceName =
  | 'crash'
  | 'crashAtWrite'
  | 'restart'
  | 'pause'
  | 'blackout'
  | 'jump'
  | 'dropWatches'
  | 'stall'
  | 'compaction'
  | 'late410';

/** Creates the disturbances of replicas; times are in milliseconds. @param watchedPlurals the resources that each replica watches */
export const createDisturbances = (
  { scheduler, compact }: SimulationContext,
  watchedPlurals: readonly string[],
): Readonly<Record<DisturbanceName, Disturbance<Replica>>> => ({
  crash: (replica) => replica.kill(),
  crashAtWrite: (replica, random) =>
    replica.scheduleCrashOnWrite(1 + random.below(4), random.chance(0.5) ? 'before sending' : 'after sending'),
  restart: (replica) => replica.stop(),
  pause(replica, random) {
    replica.pause();
    const resume = (): void => replica.lifecycle.resume({ messagesFirst: random.chance(0.5) });
    scheduler.schedule(resume, random.pick([100, 3000, 12_000, 25_000, 60_000]));
  },
  blackout: (replica, random) => replica.block(random.pick([100, 2000, 9000, 20_000, 40_000])),
  jump: (replica, random) => replica.clock.jump(random.pick([-86_400_000, -60_000, -1000, 1000, 60_000, 86_400_000])),
  dropWatches: (replica, random) => replica.faults.dropWatches({ broken: random.chance(0.5) }),
  stall: (replica, random) =>
    replica.faults.stall({ resources: [random.pick(watchedPlurals)], forMilliseconds: random.pick([500, 5000, 60_000]) }),
  compaction: () => compact(),
  // Watches stall, the server compacts, and then the watches end: a replica finds the missed changes only by a list.
  late410(replica, random) {
    const milliseconds = random.pick([100, 2000, 10_000]);
    replica.faults.stall({ forMilliseconds: milliseconds });
    scheduler.schedule(() => {
      compact();
      replica.faults.dropWatches({ broken: true });
    }, milliseconds - 1);
  },
});
