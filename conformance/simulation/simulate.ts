import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { createContent } from './checks/content.ts';
import { checkFinal } from './checks/final.ts';
import { createDisturbances, type DisturbanceName } from './harness/disturbances.ts';
import { createFleet } from './harness/fleet.ts';
import { type Outcome, type Plot, simulateSeed } from './harness/simulate.ts';
import type { Stage } from './harness/stage.ts';
import { disturb, everything } from './harness/world.ts';
import { createReplica } from './replica.ts';
import { type Setting, settingOf } from './setting.ts';
import { actions, beginWorld, completeNodes } from './world/actions.ts';
import { namespaces } from './world/namespaces.ts';

export interface SimulateOptions {
  /** Manipulates the port of the controllers, to prove that this is detected. */
  readonly spoil?: (port: ClientPort) => ClientPort;
}

/** Runs one seed of the controllers of Endpoints and EndpointSlices and returns the problems that it found. */
export const simulate = (seed: number, { spoil = (port) => port }: SimulateOptions = {}): Promise<Outcome> =>
  simulateSeed(seed, { settingOf, namespaces, beginWorld, plotOf: (stage) => plotOf(stage, spoil) });

const watched: readonly string[] = ['services', 'pods', 'endpoints', 'endpointslices', 'nodes', 'namespaces'];

/** The frequency of each disturbance. */
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

function plotOf(stage: Stage<Setting>, spoil: (port: ClientPort) => ClientPort): Plot {
  const { setting, world, chronicle } = stage;
  /** The UIDs of objects whose writer was gone or had lost ownership. */
  const abandoned = new Set<string>();
  const abandons = ({ metadata }: ApiObject): void => void abandoned.add(metadata.uid ?? '');
  const parts = { stage, abandons, spoil, content: createContent(chronicle, setting) };
  const fleet = createFleet(stage, {
    create: (name) => createReplica(parts, name),
    absence: 0,
    disturbances: createDisturbances(stage, watched),
    weights,
  });
  return {
    fleet,
    paces: [20, 200, 1000],
    lull: { chance: 0.03, maxMs: 20_000 },
    happen: () => disturb(world, actions),
    // Services with pods on missing nodes are retried forever, which prevents rest
    prepare: () => completeNodes(world),
    // a hanging connection is aborted after ten and a half minutes
    timeoutMs: 60 * 60_000,
    intervalMs: 5000,
    // longer than a Lease, because a new replica waits for the Leases of dead ones
    quietMs: 25_000,
    progress: () => chronicle.versions.length,
    waitsFor: () => findPendingDeletion(stage),
    check: () => checkFinal(chronicle, setting, abandoned),
    aftermathMs: 3_600_000,
    changes: 'writes',
  };
}

/** The objects that are being deleted. */
function findPendingDeletion({ chronicle, counts }: Stage): string | undefined {
  const going = namespaces.find((name) => chronicle.at(resources.namespaces, name, everything)?.metadata.deletionTimestamp);
  if (going !== undefined) return `namespace ${going} is terminating; ${counts.changes} writes`;
  const ending = namespaces.flatMap((name) => chronicle.all(resources.pods, name, everything)).find(isEnding);
  return ending && `pod ${ending.metadata.namespace}/${ending.metadata.name} is in its grace period`;
}

const isEnding = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
