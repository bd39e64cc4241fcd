import { setTimeout as pause } from 'node:timers/promises';
import { keyOf, type Manifest } from '../../../examples/manifest.ts';
import { createRandom } from '../../../examples/random.ts';
import { changeSome } from '../changes.ts';
import { type Check, check } from '../compare.ts';
import { syncAgain } from '../early-syncs.ts';
import { load } from '../load.ts';
import { readWorld, type World } from '../world.ts';
import { calm, compareAll } from './calm.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { startReplica } from './replica.ts';
import { difference, writesOf } from './take-over.ts';
import { shapes } from './world.ts';

const ORIGINAL = ['endpoints-controller', 'endpointslice-controller'];
const STEP_MS = 2000;
const CHANGES = { pods: 25, services: 2 };
/** How many changes one sync takes in is a matter of moments: between the two, up to 2.5 per cent of 520 writes were seen to be chance. */
const SPREAD = 1.1;

/** The same changes at the same time on two clusters, one run by kube-controller-manager, the other by ours: the same comes of it. */
export async function churn(release: string, seed: number, seconds: number): Promise<Check[]> {
  const planes = [await startControlPlane(release), await startControlPlane(release)] as const;
  const [theirs, ours] = planes;
  try {
    const objects = shapes(seed);
    await Promise.all(planes.map(({ api }) => load(api, objects)));
    await theirs.startOriginal(ORIGINAL);
    await syncAgain(theirs.api, theirs.dir);
    const replica = await startReplica(ours.kubeconfig);
    await Promise.all(planes.map(({ api }) => calm(api, release)));
    const before = await Promise.all(planes.map(writesOf));
    const steps = Math.ceil((seconds * 1000) / STEP_MS);
    const began = Date.now();
    for (let step = 0; step < steps; step += 1) {
      await Promise.all(planes.map((plane) => changeOnce(plane, seed + step)));
      await pause(Math.max(0, began + (step + 1) * STEP_MS - Date.now()));
    }
    const worlds = await Promise.all(planes.map(({ api }) => calm(api, release)));
    const after = await Promise.all(planes.map(writesOf));
    const [their = 0, own = 0] = [0, 1].map((i) => difference(after[i] as never, before[i] as never));
    const changes = steps * (CHANGES.pods + CHANGES.services);
    console.log(`${changes} changes in ${Math.round((Date.now() - began) / 1000)} s: kube-controller-manager ${their} writes, ours ${own}`);
    return [
      ...worlds.flatMap((world) => compareAll(world, release)),
      ...sameWorlds(worlds[0] as World, worlds[1] as World),
      check('ours', 'no more writes than the original', own <= their * SPREAD, true),
      check('ours', 'exit code', await replica.stop(), 0),
    ];
  } finally {
    await Promise.all(planes.map((plane) => plane.stop()));
  }
}

/** The same seed chooses the same on both: the worlds hold the same names in the same order. */
const changeOnce = async ({ api }: ControlPlane, seed: number): Promise<unknown> =>
  changeSome(api, await readWorld(api), createRandom(seed), CHANGES);

/**
 * What differs from one cluster to the next whatever controllers do is left out. So is a Service that has lost its selector: nobody writes of it
 * any more, and what is left is what the last sync saw of the changes at that moment.
 */
function sameWorlds(theirs: World, ours: World): Check[] {
  const selecting = [...theirs.services, ...ours.services].filter(({ spec }) => spec?.['selector'] !== undefined);
  const keys = [...new Set(selecting.map(keyOf))];
  return keys.flatMap((key) => [
    check(key, 'Endpoints as those of the original', subsetsIn(ours, key), subsetsIn(theirs, key)),
    check(key, 'metadata as that of the original', metadataIn(ours, key), metadataIn(theirs, key)),
    check(key, 'slices as those of the original', slicesIn(ours, key), slicesIn(theirs, key)),
  ]);
}

const LOCAL = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'endpoints.kubernetes.io/last-change-trigger-time']);

const contentOf = (object: Manifest | undefined): unknown =>
  object && JSON.parse(JSON.stringify(object, (name, value: unknown) => (LOCAL.has(name) ? undefined : value)));

/** Whether there is a trigger time depends on which sync saw which change. */
function metadataIn(world: World, key: string): unknown {
  const metadata = (contentOf(world.endpoints.get(key)) as Manifest | undefined)?.metadata;
  const { annotations, ...rest } = metadata ?? {};
  return metadata && { ...rest, annotations: annotations ?? {} };
}

/** The canonical order is one of hashes in which uids are, which differ from cluster to cluster; each is compared with ours by itself. */
function subsetsIn(world: World, key: string): unknown {
  const { subsets = [] } = (contentOf(world.endpoints.get(key)) ?? {}) as { readonly subsets?: readonly Record<string, unknown[]>[] };
  const sorted = (items: readonly unknown[] = []): string[] => items.map((item) => JSON.stringify(item)).sort();
  return sorted(subsets.map(({ addresses, notReadyAddresses, ports }) => [sorted(addresses), sorted(notReadyAddresses), sorted(ports)]));
}

/**
 * Packing depends on which sync saw which change, names are drawn, and so is which of several endpoints is given away to another zone: the
 * endpoints of each type and ports are compared, hints by what a newcomer would write.
 */
function slicesIn(world: World, key: string): unknown {
  return (world.slices.get(key) ?? [])
    .flatMap((slice) => {
      const { addressType, ports, endpoints } = contentOf(slice) as Record<'addressType' | 'ports' | 'endpoints', unknown>;
      return ((endpoints ?? []) as object[]).map((endpoint) => JSON.stringify([addressType, ports, { ...endpoint, hints: undefined }]));
    })
    .sort();
}
