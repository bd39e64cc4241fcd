import { setTimeout as pause } from 'node:timers/promises';
import type { Manifest } from '../../../examples/manifest.ts';
import { createRandom } from '../../../examples/random.ts';
import { applyRandomChanges } from '../changes.ts';
import { type ClusterSnapshot, readClusterSnapshot } from '../cluster-snapshot.ts';
import { type Check, check } from '../compare.ts';
import { findEarlySyncs, removeHints, syncAgain } from '../early-syncs.ts';
import { load } from '../load.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { changeCustomEndpoints } from './custom-endpoints.ts';
import { startReplica, waitUntil } from './replica.ts';
import { compareCluster, versionsIn, waitUntilSettled } from './settle.ts';
import { createManifests } from './world.ts';

const ORIGINAL_CONTROLLERS = ['endpoints-controller', 'endpointslice-controller', 'endpointslice-mirroring-controller'];
const CHANGE_COUNTS = { pods: 300, services: 40 };
/** Time for which new controllers with synced caches are observed. */
const OBSERVATION_MS = 10_000;

/** Switches from settled kube-controller-manager to our controllers, and back. Neither switch may cause a write. */
export async function takeOver(release: string, seed: number): Promise<Check[]> {
  const plane = await startControlPlane(release);
  try {
    await load(plane.api, createManifests(seed));
    await plane.startOriginal(ORIGINAL_CONTROLLERS);
    await syncAgain(plane.api, plane.dir);
    const settledSnapshot = await waitUntilSettled(plane.api, release);
    console.log(`${settledSnapshot.services.length} Services, ${[...settledSnapshot.pods.values()].flat().length} pods`);
    await plane.stopOriginal();
    const originalWrites = await countWrites(plane);
    console.log(
      `kube-controller-manager has settled with ${originalWrites.endpoints} writes of Endpoints and ${originalWrites.endpointslices} of slices`,
    );
    const checks = compareCluster(settledSnapshot, release);

    const replica = await startReplica(plane.kubeconfig);
    await waitUntil('our controllers are idle', () => replica.idle());
    await pause(OBSERVATION_MS);
    const ourWrites = await countWrites(plane);
    checks.push(check('ours after theirs', 'writes', ourWrites, originalWrites));
    checks.push(check('ours after theirs', 'writes in the log', replica.loggedWrites().length, 0));
    const syncCount = await replica.metric('controller_runtime_reconcile_total');
    checks.push(check('ours after theirs', 'every Service synced', syncCount >= settledSnapshot.services.length, true));
    console.log(`ours: ${syncCount} syncs, ${countNewWrites(ourWrites, originalWrites)} writes`);

    await applyRandomChanges(plane.api, await readClusterSnapshot(plane.api), createRandom(seed + 1), CHANGE_COUNTS);
    const customCount = await changeCustomEndpoints(plane.api, await readClusterSnapshot(plane.api));
    console.log(`changed the Endpoints of ${customCount} Services without a selector`);
    const changedSnapshot = await waitUntilSettled(plane.api, release);
    checks.push(...compareCluster(changedSnapshot, release));
    checks.push(check('ours', 'exit code', await replica.stop(), 0));
    const before = await countWrites(plane);
    console.log(`our controllers settled after the changes with ${countNewWrites(before, ourWrites)} writes`);
    await plane.startOriginal(ORIGINAL_CONTROLLERS);
    await pause(2 * OBSERVATION_MS);
    const newWrites = countNewWrites(await countWrites(plane), before);
    checks.push(...checkNothingWritten(changedSnapshot, await readClusterSnapshot(plane.api), findEarlySyncs(plane.dir), newWrites));
    console.log(`kube-controller-manager after our controllers: ${newWrites} writes`);
    return checks;
  } finally {
    await plane.stop();
  }
}

/**
 * Checks that nothing was written, except that hints may have been removed and restored in slices of Services that were synced too early.
 */
function checkNothingWritten(before: ClusterSnapshot, after: ClusterSnapshot, earlyKeys: ReadonlySet<string>, writes: number): Check[] {
  const withoutEarlySlices = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
    ...snapshot,
    slices: new Map([...snapshot.slices].filter(([key]) => !earlyKeys.has(key))),
  });
  const earlySlicesOf = (snapshot: ClusterSnapshot): Manifest[] => [...earlyKeys].flatMap((key) => snapshot.slices.get(key) ?? []);
  const versions = new Set(earlySlicesOf(before).map(({ metadata }) => metadata.resourceVersion));
  const rewrittenSlices = earlySlicesOf(after).filter(({ metadata }) => !versions.has(metadata.resourceVersion));
  // A slice that has hints again was written twice: once without hints, once with them.
  const writeCounts = rewrittenSlices.map((slice) => (JSON.stringify(slice).includes('"forZones":') ? 2 : 1));
  return [
    check(
      'theirs after ours',
      'writes',
      writes,
      writeCounts.reduce((sum: number, count) => sum + count, 0),
    ),
    check(
      'theirs after ours',
      'versions of all other objects',
      versionsIn(withoutEarlySlices(after)),
      versionsIn(withoutEarlySlices(before)),
    ),
    check(
      'theirs after ours',
      'slices of Services that were synced too early, without hints',
      removeHints(earlySlicesOf(after)),
      removeHints(earlySlicesOf(before)),
    ),
  ];
}

export interface Writes {
  readonly endpoints: number;
  readonly endpointslices: number;
}

export const countWrites = async (plane: ControlPlane): Promise<Writes> => ({
  endpoints: await plane.writes('endpoints'),
  endpointslices: await plane.writes('endpointslices'),
});

export const countNewWrites = (after: Writes, before: Writes): number =>
  after.endpoints - before.endpoints + after.endpointslices - before.endpointslices;
