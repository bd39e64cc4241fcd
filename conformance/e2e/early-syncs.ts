import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../examples/manifest.ts';
import { type Api, pathOf } from './api.ts';
import { settle } from './settle.ts';

/**
 * Returns the keys of the Services that kube-controller-manager synced before its first node sync. After its start, it syncs Services and
 * nodes concurrently. If a Service with topology-aware hints is synced first, the hints are removed; they return only if another pod change
 * happens to sync it again. Which Services are affected is random and visible only in its log.
 * @param dir the control plane's directory, created by cluster/up.sh
 */
export function findEarlySyncs(dir: string): ReadonlySet<string> {
  const log = readFileSync(join(dir, 'kube-controller-manager.log'), 'utf8');
  return new Set([...log.matchAll(/"Nodes only ready in one zone, removing hints" key="([^"]+)"/g)].map(([, key = '']) => key));
}

/** Triggers another sync of the Services that were synced too early, after kube-controller-manager has settled. */
export async function syncAgain(api: Api, dir: string): Promise<void> {
  await settle(api, 'started');
  for (const key of findEarlySyncs(dir)) {
    const [namespace, name] = key.split('/');
    await api.mergePatch(pathOf('Service', namespace, name), { metadata: { annotations: { 'synced-early': 'true' } } });
  }
}

/** Removes the hints, and all metadata except name, uid and labels. */
export function removeHints(slices: readonly Manifest[]): unknown[] {
  return slices.map(({ metadata: { name, uid, labels }, ...slice }) => {
    const { endpoints, ...rest } = slice as { readonly endpoints?: readonly object[] };
    return { ...rest, metadata: { name, uid, labels }, endpoints: endpoints?.map((endpoint) => ({ ...endpoint, hints: undefined })) };
  });
}
