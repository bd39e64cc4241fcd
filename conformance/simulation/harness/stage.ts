import { type ApiServer, createApiServer, createFaults, randomnessFrom } from '@kube-endpoints/apiserver';
import type { ClientPort, Clock } from 'kube-endpoints/port';
import { type Chronicle, createChronicle } from './chronicle.ts';
import { epoch } from './replica/clock.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import type { Setting } from './setting.ts';
import { createTrace, type Trace } from './trace.ts';
import { createWorld, type World } from './world.ts';

/** The environment of replicas: time, a server, and a changing world. */
export interface Stage<S extends Setting = Setting> {
  readonly setting: S;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly serverClock: Clock;
  /** The server as replicas reach it, without faults yet. */
  readonly server: ClientPort;
  readonly chronicle: Chronicle;
  readonly world: World;
  readonly problems: string[];
  readonly counts: Counts;
  reportProblem(problem: string): void;
  /** Compacts the server's event log. */
  compact(): void;
  /** Ends all watches of all replicas. */
  dropWatches(): void;
  close(): Promise<void>;
}

export interface Counts {
  /** The number of counted controller actions, for the result. */
  acts: number;
  /** The number of changes, including failed attempts; constant at rest. */
  changes: number;
  /** The number of writes in transit. */
  underWay: number;
}

export interface Scenery {
  /** The namespaces of the objects. */
  readonly namespaces: readonly string[];
  /** Creates the objects that exist before any controller. */
  readonly beginWorld: (world: World) => Promise<void>;
}

export async function createStage<S extends Setting>(setting: S, { namespaces, beginWorld }: Scenery): Promise<Stage<S>> {
  const { random } = setting;
  const scheduler = createScheduler();
  const trace = createTrace(scheduler);
  const serverClock: Clock = {
    now: () => epoch + Math.floor(scheduler.time),
    schedule: (callback, milliseconds) => scheduler.schedule(callback, milliseconds),
  };
  const server: ApiServer = await createApiServer({ clock: serverClock, randomness: randomnessFrom(random.fork().below) });
  const chronicle = await createChronicle(server.client);
  const world = createWorld({ random: random.fork(), chronicle, port: server.client, namespaces, trace });
  await beginWorld(world);
  const gate = createFaults({ clock: serverClock });
  const problems: string[] = [];
  return {
    ...{ setting, scheduler, trace, serverClock, chronicle, world, problems },
    server: gate.port(server.client),
    counts: { acts: 0, changes: 0, underWay: 0 },
    reportProblem(problem) {
      trace.note('', 'WRONG:', problem);
      problems.push(problem);
    },
    compact: server.compact,
    dropWatches: () => gate.dropWatches(),
    async close() {
      await chronicle.close();
      await server.close();
    },
  };
}
