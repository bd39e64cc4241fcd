import { type ApiServer, createApiServer, createFaults, randomnessFrom } from '@kube-endpoints/apiserver';
import type { ClientPort, Clock } from 'kube-endpoints/port';
import { createHistory, type History } from './history.ts';
import { epoch } from './replica/clock.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import type { Settings } from './settings.ts';
import { createTestClient, type TestClient } from './test-client.ts';
import { createTrace, type Trace } from './trace.ts';

/** Everything that the replicas of one run share: time, the server, and the test client. */
export interface SimulationContext<S extends Settings = Settings> {
  readonly settings: S;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly serverClock: Clock;
  /** The port of the API server that all replicas share, to which each replica adds its own faults. */
  readonly serverPort: ClientPort;
  readonly history: History;
  readonly client: TestClient;
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
  /** The number of writes (or calls to the cloud) by controllers; becomes `Outcome.actionCount`. */
  actionCount: number;
  /** The number of writes and of cloud calls that change something, including failed ones. Constant in the final state. */
  changeCount: number;
  /** The number of writes that replicas have sent and that are not answered yet. */
  inFlight: number;
}

export interface InitialState {
  /** The namespaces of the objects. */
  readonly namespaces: readonly string[];
  /** Creates the objects that exist before any controller starts. */
  readonly createInitialObjects: (client: TestClient) => Promise<void>;
}

export async function createContext<S extends Settings>(
  settings: S,
  { namespaces, createInitialObjects }: InitialState,
): Promise<SimulationContext<S>> {
  const { random } = settings;
  const scheduler = createScheduler();
  const trace = createTrace(scheduler);
  const serverClock: Clock = {
    now: () => epoch + Math.floor(scheduler.time),
    schedule: (callback, milliseconds) => scheduler.schedule(callback, milliseconds),
  };
  const server: ApiServer = await createApiServer({ clock: serverClock, randomness: randomnessFrom(random.fork().below) });
  const history = await createHistory(server.client);
  const client = createTestClient({ random: random.fork(), history, port: server.client, namespaces, trace });
  await createInitialObjects(client);
  const watchFaults = createFaults({ clock: serverClock });
  const problems: string[] = [];
  return {
    ...{ settings, scheduler, trace, serverClock, history, client, problems },
    serverPort: watchFaults.port(server.client),
    counts: { actionCount: 0, changeCount: 0, inFlight: 0 },
    reportProblem(problem) {
      trace.log('', 'problem:', problem);
      problems.push(problem);
    },
    compact: server.compact,
    dropWatches: () => watchFaults.dropWatches(),
    async close() {
      await history.close();
      await server.close();
    },
  };
}
