import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from './api.ts';
import { type ClusterSnapshot, readClusterSnapshot } from './cluster-snapshot.ts';
import { type Check, compareState } from './compare.ts';
import { compareSlices } from './compare-slices.ts';
import { settle } from './settle.ts';

const TIMEOUT_MS = 240_000;
const POLL_INTERVAL_MS = 3000;

/**
 * Returns a snapshot of the settled cluster. Waits until it equals the result that the release would write, but returns it after a timeout
 * in any case: kube-controller-manager postpones a sync, with increasing delays, while its cache lags behind its own writes.
 * @param marker the name of a new marker pod, see `settle`
 */
export async function waitUntilSettled(api: Api, marker: string, release: string): Promise<ClusterSnapshot> {
  await settle(api, marker);
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const snapshot = await readClusterSnapshot(api);
    if (compareAll(snapshot, release).every(({ passed }) => passed) || Date.now() > deadline) return snapshot;
    await pause(POLL_INTERVAL_MS);
  }
}

/** Compares Endpoints and slices with those that a release would write. */
export const compareAll = (snapshot: ClusterSnapshot, release: string): Check[] => [
  ...compareState(snapshot, release),
  ...compareSlices(snapshot, release),
];
