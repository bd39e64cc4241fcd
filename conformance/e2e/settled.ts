import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from './api.ts';
import { type Check, compareState } from './compare.ts';
import { compareSlices } from './compare-slices.ts';
import { settle } from './settle.ts';
import { readWorld, type World } from './world.ts';

const TIMEOUT_MS = 240_000;
const POLL_INTERVAL_MS = 3000;

/**
 * Returns the world once it has settled. Differences are checked again up to a timeout, because kube-controller-manager postpones a sync,
 * with increasing delays, while its cache lags behind its own writes.
 */
export async function settledWorld(api: Api, marker: string, release: string): Promise<World> {
  await settle(api, marker);
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const world = await readWorld(api);
    if (compareAll(world, release).every(({ passed }) => passed) || Date.now() > deadline) return world;
    await pause(POLL_INTERVAL_MS);
  }
}

/** Compares Endpoints and slices with those that a release would write. */
export const compareAll = (world: World, release: string): Check[] => [...compareState(world, release), ...compareSlices(world, release)];
