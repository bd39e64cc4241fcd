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
  const checkState = (subject: string, kind: string, name: string, expected: string): Promise<Check> =>
    pollState(api, `${namespace}: ${subject}`, pathOf(kind, kind === 'Namespace' ? undefined : namespace, name), expected);
  await api.post(pathOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const name of ['orphan', 'foreground', 'background']) await createOwnerWithDependent(api, namespace, name);
  await deleteOwner(api, namespace, 'background', 'Background');
  const backgroundChecks = [
    await checkState('owner', 'ConfigMap', 'background', 'gone'),
    await checkState('dependent', 'Secret', 'of-background', 'gone'),
  ];
  // The objects just deleted were created last, so the garbage collector has seen all others. It orphans only dependents that it has seen.
  await deleteOwner(api, namespace, 'foreground', 'Foreground');
  await deleteOwner(api, namespace, 'orphan', 'Orphan');
  const otherChecks = [
    await checkState('owner, foreground', 'ConfigMap', 'foreground', 'gone'),
    await checkState('dependent, foreground', 'Secret', 'of-foreground', 'gone'),
    await checkState('owner, orphan', 'ConfigMap', 'orphan', 'gone'),
    await checkState('dependent, orphan', 'Secret', 'of-orphan', 'without an owner'),
  ];
  await api.post(pathOf('Service', namespace), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ port: 80 }] },
  });
  await api.delete(pathOf('Namespace', undefined, namespace));
  return [...backgroundChecks, ...otherChecks, await checkState('namespace', 'Namespace', namespace, 'gone')];
}

/** Creates a ConfigMap, and a Secret that it owns. */
async function createOwnerWithDependent(api: Api, namespace: string, name: string): Promise<void> {
  const owner = await api.post(pathOf('ConfigMap', namespace), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const { uid } = owner.metadata as { uid?: string };
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }];
  await api.post(pathOf('Secret', namespace), { apiVersion: 'v1', kind: 'Secret', metadata: { name: `of-${name}`, ownerReferences } });
}

const deleteOwner = (api: Api, namespace: string, name: string, policy: Policy): Promise<void> =>
  api.delete(`${pathOf('ConfigMap', namespace, name)}?propagationPolicy=${policy}`);

async function pollState(api: Api, key: string, path: string, expected: string): Promise<Check> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    const result = check(key, 'state', expected, stateOf(await api.get(path)));
    if (result.passed || Date.now() > deadlineMs) return result;
    await pause(POLL_INTERVAL_MS);
  }
}

function stateOf(object: Manifest | undefined): string {
  if (object === undefined) return 'gone';
  const { ownerReferences = [] } = object.metadata as { ownerReferences?: readonly unknown[] };
  return ownerReferences.length === 0 ? 'without an owner' : 'with an owner';
}
