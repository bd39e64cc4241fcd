import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import type { WorkloadChange } from './case.ts';
import { formatTime, namespace } from './generate-world.ts';

type Fields = Record<string, unknown>;

/** A claim, or a template of one if it has no pod. */
export function randomClaim(random: Random, { name, set, pod }: { name: string; set?: ApiObject; pod?: ApiObject }): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      ...random.maybe(0.3, () => ({ labels: { app: 'x', disk: 'ssd' } })),
      ...(set &&
        pod && {
          namespace,
          uid: `claim-${name}`,
          generation: 1,
          creationTimestamp: formatTime(-85_000),
          ...randomOwners(random, set, pod),
        }),
    },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
    status: { phase: pod ? 'Bound' : 'Pending' },
  };
}

function randomOwners(random: Random, set: ApiObject, pod: ApiObject): Fields {
  const refer = (apiVersion: string, { kind = '', metadata }: ApiObject, fields: Fields = {}): Fields => ({
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
    ...fields,
  });
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c' };
  const lists: Fields[][] = [
    [],
    [],
    [refer('apps/v1', set)],
    [refer('v1', pod)],
    [refer('apps/v1', set, { controller: false })],
    [refer('v1', pod, { uid: 'stale' })],
    [refer('apps/v1', set, { uid: 'stale' })],
    [other],
    [{ ...other, controller: true }],
    [{ ...other, controller: true }, refer('apps/v1', set, { controller: false })],
    [other, refer('v1', pod)],
  ];
  const ownerReferences = random.pick(lists);
  return ownerReferences.length > 0 ? { ownerReferences } : {};
}

/** What users and the garbage collector do with claims. */
export function randomClaimChange(random: Random, now: number): WorkloadChange {
  const target = { kind: 'PersistentVolumeClaim', nth: random.int(6) };
  const kind = random.int(4);
  if (kind === 0) return { delete: target };
  if (kind === 1)
    return {
      merge: { ...target, patch: { metadata: { deletionTimestamp: formatTime(now), finalizers: ['kubernetes.io/pvc-protection'] } } },
    };
  const ownerReferences =
    kind === 2 ? null : [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c', controller: true, blockOwnerDeletion: true }];
  return { merge: { ...target, patch: { metadata: { ownerReferences } } } };
}
