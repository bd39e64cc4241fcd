import { setTimeout as pause } from 'node:timers/promises';
import { keyOf, type Manifest } from '../../../examples/manifest.ts';
import { createRandom } from '../../../examples/random.ts';
import { applyRandomChanges } from '../changes.ts';
import { type ClusterSnapshot, readClusterSnapshot } from '../cluster-snapshot.ts';
import { type Check, check } from '../compare.ts';
import { syncAgain } from '../early-syncs.ts';
import { load } from '../load.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { startReplica } from './replica.ts';
import { compareCluster, waitUntilSettled } from './settle.ts';
import { countNewWrites, countWrites } from './take-over.ts';
import { createManifests } from './world.ts';

const ORIGINAL_CONTROLLERS = ['endpoints-controller', 'endpointslice-controller', 'endpointslice-mirroring-controller'];
const STEP_MS = 2000;
const CHANGE_COUNTS = { pods: 25, services: 2 };
/** Allows for random batching of changes: runs have differed by up to 2.5% of 520 writes. */
const MAX_RATIO = 1.1;

/**
 * Applies the same changes at the same time to two clusters, one with kube-controller-manager, one with our controllers, and compares the
 * results.
 */
export async function churn(release: string, seed: number, seconds: number): Promise<Check[]> {
  const planes = [await startControlPlane(release), await startControlPlane(release)] as const;
  const [theirs, ours] = planes;
  try {
    const objects = createManifests(seed);
    await Promise.all(planes.map(({ api }) => load(api, objects)));
    await theirs.startOriginal(ORIGINAL_CONTROLLERS);
    await syncAgain(theirs.api, theirs.dir);
    const replica = await startReplica(ours.kubeconfig);
    await Promise.all(planes.map(({ api }) => waitUntilSettled(api, release)));
    const before = await Promise.all(planes.map(countWrites));
    const steps = Math.ceil((seconds * 1000) / STEP_MS);
    const startedAt = Date.now();
    for (let step = 0; step < steps; step += 1) {
      await Promise.all(planes.map((plane) => applyChanges(plane, seed + step)));
      await pause(Math.max(0, startedAt + (step + 1) * STEP_MS - Date.now()));
    }
    const snapshots = await Promise.all(planes.map(({ api }) => waitUntilSettled(api, release)));
    const after = await Promise.all(planes.map(countWrites));
    const [theirWrites = 0, ourWrites = 0] = [0, 1].map((i) => countNewWrites(after[i] as never, before[i] as never));
    const changes = steps * (CHANGE_COUNTS.pods + CHANGE_COUNTS.services);
    console.log(
      `${changes} changes in ${Math.round((Date.now() - startedAt) / 1000)} s: kube-controller-manager ${theirWrites} writes, ours ${ourWrites}`,
    );
    return [
      ...snapshots.flatMap((snapshot) => compareCluster(snapshot, release)),
      ...compareClusters(snapshots[0] as ClusterSnapshot, snapshots[1] as ClusterSnapshot),
      check('ours', 'no more writes than kube-controller-manager', ourWrites <= theirWrites * MAX_RATIO, true),
      check('ours', 'exit code', await replica.stop(), 0),
    ];
  } finally {
    await Promise.all(planes.map((plane) => plane.stop()));
  }
}

/** The same seed makes the same changes in both clusters, because they list the same names in the same order. */
const applyChanges = async ({ api }: ControlPlane, seed: number): Promise<unknown> =>
  applyRandomChanges(api, await readClusterSnapshot(api), createRandom(seed), CHANGE_COUNTS);

/**
 * Ignores fields that differ between clusters independently of controllers. Also ignores Services whose selector was removed: controllers
 * no longer write their endpoints, which therefore depend on the timing of the last sync.
 */
function compareClusters(theirs: ClusterSnapshot, ours: ClusterSnapshot): Check[] {
  const servicesWithSelector = [...theirs.services, ...ours.services].filter(({ spec }) => spec?.['selector'] !== undefined);
  const keys = [...new Set(servicesWithSelector.map(keyOf))];
  return keys.flatMap((key) => [
    check(key, "Endpoints equal kube-controller-manager's", subsetsIn(ours, key), subsetsIn(theirs, key)),
    check(key, "metadata equal to kube-controller-manager's", metadataIn(ours, key), metadataIn(theirs, key)),
    check(key, "slices equal to kube-controller-manager's", slicesIn(ours, key), slicesIn(theirs, key)),
  ]);
}

const CLUSTER_SPECIFIC_FIELDS = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'endpoints.kubernetes.io/last-change-trigger-time',
]);

const contentOf = (object: Manifest | undefined): unknown =>
  object && JSON.parse(JSON.stringify(object, (name, value: unknown) => (CLUSTER_SPECIFIC_FIELDS.has(name) ? undefined : value)));

/** Without the trigger time, which depends on the timing of the syncs. */
function metadataIn(snapshot: ClusterSnapshot, key: string): unknown {
  const metadata = (contentOf(snapshot.endpoints.get(key)) as Manifest | undefined)?.metadata;
  const { annotations, ...rest } = metadata ?? {};
  return metadata && { ...rest, annotations: annotations ?? {} };
}

/**
 * Returns the subsets in an order independent of UIDs: the canonical order depends on hashes over UIDs, which differ between clusters. The
 * order is checked by the comparison of each cluster with our own result.
 */
function subsetsIn(snapshot: ClusterSnapshot, key: string): unknown {
  const { subsets = [] } = (contentOf(snapshot.endpoints.get(key)) ?? {}) as { readonly subsets?: readonly Record<string, unknown[]>[] };
  const sortAsJson = (items: readonly unknown[] = []): string[] => items.map((item) => JSON.stringify(item)).sort();
  return sortAsJson(
    subsets.map(({ addresses, notReadyAddresses, ports }) => [sortAsJson(addresses), sortAsJson(notReadyAddresses), sortAsJson(ports)]),
  );
}

/**
 * Returns the endpoints of slices by address type and ports. The distribution to slices depends on the timing of the syncs, and names and
 * hints for other zones are random. Hints are checked by the comparison with a new reconciler.
 */
function slicesIn(snapshot: ClusterSnapshot, key: string): unknown {
  return (snapshot.slices.get(key) ?? [])
    .flatMap((slice) => {
      const { addressType, ports, endpoints } = contentOf(slice) as Record<'addressType' | 'ports' | 'endpoints', unknown>;
      return ((endpoints ?? []) as object[]).map((endpoint) => JSON.stringify([addressType, ports, { ...endpoint, hints: undefined }]));
    })
    .sort();
}
