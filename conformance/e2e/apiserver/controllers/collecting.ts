import { setTimeout as pause } from 'node:timers/promises';
import type { Manifest } from '../../../../examples/manifest.ts';
import { type Api, pathOf } from '../../api.ts';
import { type Check, check } from '../../compare.ts';

const TIMEOUT_MS = 90_000;
const POLL_INTERVAL_MS = 250;
type Policy = 'Background' | 'Foreground' | 'Orphan';

/**
 * Tests the garbage collector and the namespace controller: deletes owners with each of the three propagation policies, and a namespace
 * that contains objects.
 */
export async function checkGarbageCollection(api: Api, namespace: string): Promise<Check[]> {
  const see = (what: string, kind: string, name: string, wanted: string): Promise<Check> =>
    seen(api, `${namespace}: ${what}`, pathOf(kind, kind === 'Namespace' ? undefined : namespace, name), wanted);
  await api.post(pathOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const name of ['orphan', 'foreground', 'background']) await createOwnerWithDependents(api, namespace, name);
  await removeOwner(api, namespace, 'background', 'Background');
  const background = [await see('owner', 'ConfigMap', 'background', 'gone'), await see('owned', 'Secret', 'of-background', 'gone')];
  // The garbage collector has seen the last object, and so all earlier ones: it cannot orphan objects that it has not seen.
  await removeOwner(api, namespace, 'foreground', 'Foreground');
  await removeOwner(api, namespace, 'orphan', 'Orphan');
  const others = [
    await see('owner, foreground', 'ConfigMap', 'foreground', 'gone'),
    await see('owned, foreground', 'Secret', 'of-foreground', 'gone'),
    await see('owner, orphan', 'ConfigMap', 'orphan', 'gone'),
    await see('owned, orphan', 'Secret', 'of-orphan', 'without an owner'),
  ];
  await api.post(pathOf('Service', namespace), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ port: 80 }] },
  });
  await api.delete(pathOf('Namespace', undefined, namespace));
  return [...background, ...others, await see('namespace', 'Namespace', namespace, 'gone')];
}

/** Creates an owner and its dependents. */
async function createOwnerWithDependents(api: Api, namespace: string, name: string): Promise<void> {
  const owner = await api.post(pathOf('ConfigMap', namespace), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const { uid } = owner.metadata as { uid?: string };
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }];
  await api.post(pathOf('Secret', namespace), { apiVersion: 'v1', kind: 'Secret', metadata: { name: `of-${name}`, ownerReferences } });
}

const removeOwner = (api: Api, namespace: string, name: string, policy: Policy): Promise<void> =>
  api.delete(`${pathOf('ConfigMap', namespace, name)}?propagationPolicy=${policy}`);

async function seen(api: Api, key: string, path: string, wanted: string): Promise<Check> {
  const limit = Date.now() + TIMEOUT_MS;
  for (;;) {
    const now = check(key, 'collected', wanted, stateOf(await api.get(path)));
    if (now.passed || Date.now() > limit) return now;
    await pause(POLL_INTERVAL_MS);
  }
}

function stateOf(object: Manifest | undefined): string {
  if (object === undefined) return 'gone';
  const { ownerReferences = [] } = object.metadata as { ownerReferences?: readonly unknown[] };
  return ownerReferences.length === 0 ? 'without an owner' : 'there';
}
