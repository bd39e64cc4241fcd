import { setTimeout as pause } from 'node:timers/promises';
import type { Manifest } from '../../../examples/manifest.ts';
import { createRandom } from '../../../examples/random.ts';
import { applyRandomChanges } from '../changes.ts';
import { type ClusterSnapshot, readClusterSnapshot } from '../cluster-snapshot.ts';
import { type Check, check } from '../compare.ts';
import { findEarlySyncs, syncAgain, withoutHints } from '../early-syncs.ts';
import { load } from '../load.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { startReplica, waitUntil } from './replica.ts';
import { compareExceptMirrored, versionsIn, waitUntilSettled } from './settle.ts';
import { createManifests } from './world.ts';

const ORIGINAL_CONTROLLERS = ['endpoints-controller', 'endpointslice-controller'];
const CHANGES = { pods: 300, services: 40 };
/** Time for which new controllers with synced caches are observed. */
const OBSERVATION_MS = 10_000;

/** Switches from settled kube-controller-manager to our controllers, and back. Neither switch may cause a write. */
export async function takeOver(release: string, seed: number): Promise<Check[]> {
  const plane = await startControlPlane(release);
  try {
    await load(plane.api, createManifests(seed));
    await plane.startOriginal(ORIGINAL_CONTROLLERS);
    await syncAgain(plane.api, plane.dir);
    const settled = await waitUntilSettled(plane.api, release);
    console.log(`${settled.services.length} Services, ${[...settled.pods.values()].flat().length} pods`);
    await plane.stopOriginal();
    const original = await countWrites(plane);
    console.log(
      `kube-controller-manager has settled with ${original.endpoints} writes of Endpoints and ${original.endpointslices} of slices`,
    );
    const checks = compareExceptMirrored(settled, release);

    const replica = await startReplica(plane.kubeconfig);
    await waitUntil('our controllers are idle', () => replica.idle());
    await pause(OBSERVATION_MS);
    const ours = await countWrites(plane);
    checks.push(check('ours after theirs', 'writes', ours, original));
    checks.push(check('ours after theirs', 'writes in the log', replica.loggedWrites().length, 0));
    const synced = await replica.metric('controller_runtime_reconcile_total');
    checks.push(check('ours after theirs', 'every Service synced', synced >= settled.services.length, true));
    console.log(`ours: ${synced} syncs, ${countNewWrites(ours, original)} writes`);

    await applyRandomChanges(plane.api, await readClusterSnapshot(plane.api), createRandom(seed + 1), CHANGES);
    const changed = await waitUntilSettled(plane.api, release);
    checks.push(...compareExceptMirrored(changed, release));
    checks.push(check('ours', 'exit code', await replica.stop(), 0));
    const before = await countWrites(plane);
    console.log(`our controllers settled after the changes with ${countNewWrites(before, ours)} writes`);
    await plane.startOriginal(ORIGINAL_CONTROLLERS);
    await pause(2 * OBSERVATION_MS);
    const after = await countWrites(plane);
    checks.push(
      ...checkNothingWritten(changed, await readClusterSnapshot(plane.api), findEarlySyncs(plane.dir), countNewWrites(after, before)),
    );
    console.log(`kube-controller-manager after our controllers: ${countNewWrites(after, before)} writes`);
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
      withoutHints(earlySlicesOf(after)),
      withoutHints(earlySlicesOf(before)),
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
