import { setTimeout as pause } from 'node:timers/promises';
import { keyOf } from '../../../examples/manifest.ts';
import type { Api } from '../api.ts';
import { type Check, compareState } from '../compare.ts';
import { compareSlices } from '../compare-slices.ts';
import { readWorld, type World } from '../world.ts';

const QUIET_MS = 5000;
const POLL_INTERVAL_MS = 1000;

/** Compares everything except mirrored slices, because the mirroring controller does not run here. */
export const compareAll = (world: World, release: string): Check[] =>
  [...compareState(world, release), ...compareSlices(world, release)].filter(({ what }) => !what.startsWith('mirrored'));

/** Returns the world once every object is as expected and nothing has changed for some seconds, or as it is at the time limit. */
export async function settleWorld(api: Api, release: string, limitMs = 400_000): Promise<World> {
  const limit = Date.now() + limitMs;
  let last = '';
  let since = Date.now();
  for (;;) {
    const world = await readWorld(api);
    const now = versionsIn(world);
    if (now !== last) since = Date.now();
    last = now;
    const quiet = Date.now() - since >= QUIET_MS;
    if ((quiet && compareAll(world, release).every(({ passed }) => passed)) || Date.now() > limit) return world;
    await pause(POLL_INTERVAL_MS);
  }
}

/** Names and resourceVersions of what controllers have written. */
export const versionsIn = ({ endpoints, slices }: World): string =>
  [...endpoints.values(), ...[...slices.values()].flat()]
    .map((object) => `${object.kind} ${keyOf(object)}@${object.metadata.resourceVersion}`)
    .sort()
    .join('\n');
