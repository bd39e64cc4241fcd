import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { createContentCheck } from './checks/content.ts';
import { checkFinal } from './checks/final.ts';
import { actions, completeNodes, createInitialObjects } from './client/actions.ts';
import { namespaces } from './client/namespaces.ts';
import type { SimulationContext } from './harness/context.ts';
import { createDisturbances, type DisturbanceName } from './harness/disturbances.ts';
import { createFleet } from './harness/fleet.ts';
import { type Outcome, type Scenario, simulateSeed } from './harness/simulate.ts';
import { currentVersion, runRandomAction } from './harness/test-client.ts';
import { createReplica } from './replica.ts';
import { createSettings, type Settings } from './settings.ts';

export interface SimulateOptions {
  /** Injects a bug into the port that the controllers use. */
  readonly injectBug?: (port: ClientPort) => ClientPort;
}

/** Runs one seed of the controllers of Endpoints and EndpointSlices and returns the problems that it found. */
export const simulate = (seed: number, { injectBug = (port) => port }: SimulateOptions = {}): Promise<Outcome> =>
  simulateSeed(seed, { createSettings, namespaces, createInitialObjects, createScenario: (context) => createScenario(context, injectBug) });

const watchedPlurals: readonly string[] = ['services', 'pods', 'endpoints', 'endpointslices', 'nodes', 'namespaces'];

/** The relative frequency of each disturbance. */
const weights: Readonly<Record<DisturbanceName, number>> = {
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

function createScenario(context: SimulationContext<Settings>, injectBug: (port: ClientPort) => ClientPort): Scenario {
  const { settings, client, history } = context;
  /** The UIDs of objects whose writer was killed or had lost ownership. */
  const abandonedUids = new Set<string>();
  const onAbandonedWrite = ({ metadata }: ApiObject): void => void abandonedUids.add(metadata.uid ?? '');
  const replicaOptions = { context, onAbandonedWrite, injectBug, content: createContentCheck(history, settings) };
  const fleet = createFleet(context, {
    create: (name) => createReplica(replicaOptions, name),
    minRestartDelayMs: 0,
    disturbances: createDisturbances(context, watchedPlurals),
    weights,
  });
  return {
    fleet,
    maxPausesMs: [20, 200, 1000],
    longPause: { chance: 0.03, maxMs: 20_000 },
    changeCluster: () => runRandomAction(client, actions),
    // Services with pods on missing nodes would be retried forever.
    prepare: () => completeNodes(client),
    // A hanging connection is aborted after ten and a half minutes.
    timeoutMs: 60 * 60_000,
    intervalMs: 5000,
    // Longer than a Lease, because a new replica waits until the Leases of killed replicas expire.
    quietMs: 25_000,
    progress: () => history.versions.length,
    findPendingWork: () => findPendingDeletion(context),
    check: () => checkFinal(history, settings, abandonedUids),
    idleCheckMs: 3_600_000,
    changeNoun: 'writes',
  };
}

/** Describes an object that is still being deleted; undefined if there is none. */
function findPendingDeletion({ history, counts }: SimulationContext): string | undefined {
  const terminating = namespaces.find((name) => history.at(resources.namespaces, name, currentVersion)?.metadata.deletionTimestamp);
  if (terminating !== undefined) return `namespace ${terminating} is terminating; ${counts.changeCount} writes`;
  const terminatingPod = namespaces.flatMap((name) => history.all(resources.pods, name, currentVersion)).find(isTerminating);
  return terminatingPod && `pod ${terminatingPod.metadata.namespace}/${terminatingPod.metadata.name} is in its grace period`;
}

const isTerminating = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
