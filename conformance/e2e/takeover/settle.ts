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

/** Reads the cluster until all objects are as expected and unchanged for 5 seconds, at most until the time limit. */
export async function settleWorld(api: Api, release: string, limitMs = 400_000): Promise<World> {
  const deadline = Date.now() + limitMs;
  let previousVersions = '';
  let unchangedSince = Date.now();
  for (;;) {
    const world = await readWorld(api);
    const versions = versionsIn(world);
    if (versions !== previousVersions) unchangedSince = Date.now();
    previousVersions = versions;
    const isQuiet = Date.now() - unchangedSince >= QUIET_MS;
    if ((isQuiet && compareAll(world, release).every(({ passed }) => passed)) || Date.now() > deadline) return world;
    await pause(POLL_INTERVAL_MS);
  }
}

/** Names and resourceVersions of the Endpoints and slices. */
export const versionsIn = ({ endpoints, slices }: World): string =>
  [...endpoints.values(), ...[...slices.values()].flat()]
    .map((object) => `${object.kind} ${keyOf(object)}@${object.metadata.resourceVersion}`)
    .sort()
    .join('\n');
