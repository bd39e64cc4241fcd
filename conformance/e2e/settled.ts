import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from './api.ts';
import { type Check, compareState } from './compare.ts';
import { compareSlices } from './compare-slices.ts';
import { settle } from './settle.ts';
import { readWorld, type World } from './world.ts';

const LATE_MS = 240_000;
const LOOK_AGAIN_MS = 3000;

/**
 * The world once it has settled. A difference is looked at again for a while: kube-controller-manager puts a sync off, a little longer
 * each time, as long as its cache lags behind its own writes, and of that nothing is to be seen from outside.
 */
export async function settledWorld(api: Api, mark: string, release: string): Promise<World> {
  await settle(api, mark);
  const limit = Date.now() + LATE_MS;
  for (;;) {
    const world = await readWorld(api);
    if (compareAll(world, release).every(({ passed }) => passed) || Date.now() > limit) return world;
    await pause(LOOK_AGAIN_MS);
  }
}

/** Endpoints and slices as a release would have them, and as they are. */
export const compareAll = (world: World, release: string): Check[] => [...compareState(world, release), ...compareSlices(world, release)];
