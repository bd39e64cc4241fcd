import { setTimeout as pause } from 'node:timers/promises';
import { keyOf } from '../../../examples/manifest.ts';
import type { Api } from '../api.ts';
import { type ClusterSnapshot, readClusterSnapshot } from '../cluster-snapshot.ts';
import { type Check, compareState } from '../compare.ts';
import { compareSlices } from '../compare-slices.ts';

const QUIET_MS = 5000;
const POLL_INTERVAL_MS = 1000;

/** Checks Endpoints and slices, including mirrored ones. */
export const compareCluster = (snapshot: ClusterSnapshot, release: string): Check[] => [
  ...compareState(snapshot, release),
  ...compareSlices(snapshot, release),
];

/**
 * Reads the cluster until every check passes and no Endpoints or slice has changed for 5 seconds. Returns the last state read, also if the
 * time limit is reached.
 */
export async function waitUntilSettled(api: Api, release: string, limitMs = 400_000): Promise<ClusterSnapshot> {
  const deadline = Date.now() + limitMs;
  let previousVersions = '';
  let unchangedSince = Date.now();
  for (;;) {
    const snapshot = await readClusterSnapshot(api);
    const versions = versionsIn(snapshot);
    if (versions !== previousVersions) unchangedSince = Date.now();
    previousVersions = versions;
    const isQuiet = Date.now() - unchangedSince >= QUIET_MS;
    if ((isQuiet && compareCluster(snapshot, release).every(({ passed }) => passed)) || Date.now() > deadline) return snapshot;
    await pause(POLL_INTERVAL_MS);
  }
}

/** Formats the names and resourceVersions of the Endpoints and slices. */
export const versionsIn = ({ endpoints, slices }: ClusterSnapshot): string =>
  [...endpoints.values(), ...[...slices.values()].flat()]
    .map((object) => `${object.kind} ${keyOf(object)}@${object.metadata.resourceVersion}`)
    .sort()
    .join('\n');
