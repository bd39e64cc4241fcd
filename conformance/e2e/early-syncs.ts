import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../examples/manifest.ts';
import { type Api, pathOf } from './api.ts';
import { settle } from './settle.ts';

/**
 * The Services that kube-controller-manager synced before it had looked at any node. Having just started, it begins to sync Services and to
 * look at nodes at the same time, and of a Service with topology-aware hints that comes first it takes the hints away. It gives them back if
 * it happens to sync it again, for the sake of a pod. Which Services that are is a matter of chance, and only its log tells.
 * @param dir where it was started, by cluster/up.sh
 */
export function earlySyncs(dir: string): ReadonlySet<string> {
  const log = readFileSync(join(dir, 'kube-controller-manager.log'), 'utf8');
  return new Set([...log.matchAll(/"Nodes only ready in one zone, removing hints" key="([^"]+)"/g)].map(([, key = '']) => key));
}

/** Has what was synced too early synced again, once kube-controller-manager has settled after its start. */
export async function syncAgain(api: Api, dir: string): Promise<void> {
  await settle(api, 'started');
  for (const key of earlySyncs(dir)) {
    const [namespace, name] = key.split('/');
    await api.merge(pathOf('Service', namespace, name), { metadata: { annotations: { 'synced-early': 'true' } } });
  }
}

/** What there is besides the hints. */
export function withoutHints(slices: readonly Manifest[]): unknown[] {
  return slices.map(({ metadata: { name, uid, labels }, ...slice }) => {
    const { endpoints, ...rest } = slice as { readonly endpoints?: readonly object[] };
    return { ...rest, metadata: { name, uid, labels }, endpoints: endpoints?.map((endpoint) => ({ ...endpoint, hints: undefined })) };
  });
}
