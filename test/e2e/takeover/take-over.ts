import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../../examples/random.ts';
import { changeSome } from '../changes.ts';
import { type Check, check } from '../compare.ts';
import { load } from '../load.ts';
import { readWorld } from '../world.ts';
import { calm, compareAll, versionsIn } from './calm.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { startReplica, until } from './replica.ts';
import { shapes } from './world.ts';

const ORIGINAL = ['endpoints-controller', 'endpointslice-controller'];
const CHANGES = { pods: 300, services: 40 };
/** How long a newcomer that has everything in its caches is watched. */
const WATCHED_MS = 10_000;

/** kube-controller-manager settles and stops, ours start and write nothing; ours settle and stop, it starts and writes nothing. */
export async function takeOver(release: string, seed: number): Promise<Check[]> {
  const plane = await startControlPlane(release);
  try {
    await load(plane.api, shapes(seed));
    await plane.startOriginal(ORIGINAL);
    const settled = await calm(plane.api, release);
    console.log(`${settled.services.length} Services, ${[...settled.pods.values()].flat().length} pods`);
    await plane.stopOriginal();
    const original = await writesOf(plane);
    console.log(
      `kube-controller-manager has settled with ${original.endpoints} writes of Endpoints and ${original.endpointslices} of slices`,
    );
    const checks = compareAll(settled, release);

    const replica = await startReplica(plane.kubeconfig);
    await until('our controllers are idle', () => replica.idle());
    await pause(WATCHED_MS);
    const ours = await writesOf(plane);
    checks.push(check('ours after theirs', 'writes', ours, original));
    checks.push(check('ours after theirs', 'what they say they wrote', replica.wrote().length, 0));
    const synced = await replica.metric('controller_runtime_reconcile_total');
    checks.push(check('ours after theirs', 'every Service synced', synced >= settled.services.length, true));
    console.log(`ours: ${synced} syncs, ${difference(ours, original)} writes`);

    await changeSome(plane.api, await readWorld(plane.api), createRandom(seed + 1), CHANGES);
    const changed = await calm(plane.api, release);
    checks.push(...compareAll(changed, release));
    checks.push(check('ours', 'exit code', await replica.stop(), 0));
    const before = await writesOf(plane);
    console.log(`ours have settled again with ${difference(before, ours)} writes`);
    await plane.startOriginal(ORIGINAL);
    await pause(2 * WATCHED_MS);
    const after = await writesOf(plane);
    checks.push(check('theirs after ours', 'writes', after, before));
    checks.push(check('theirs after ours', 'what is there', versionsIn(await readWorld(plane.api)), versionsIn(changed)));
    console.log(`kube-controller-manager after ours: ${difference(after, before)} writes`);
    return checks;
  } finally {
    await plane.stop();
  }
}

export interface Writes {
  readonly endpoints: number;
  readonly endpointslices: number;
}

export const writesOf = async (plane: ControlPlane): Promise<Writes> => ({
  endpoints: await plane.writes('endpoints'),
  endpointslices: await plane.writes('endpointslices'),
});

export const difference = (after: Writes, before: Writes): number =>
  after.endpoints - before.endpoints + after.endpointslices - before.endpointslices;
