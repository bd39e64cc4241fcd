import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Delay } from './hops.ts';
import { type ObjectVersion, refKey } from './types.ts';

/** The write that a version follows. */
export interface Cause {
  readonly id: number;
  /** How it is known: by the trigger time of a slice, by what a slice contains, or by the owner of an object. */
  readonly by: 'triggerTime' | 'content' | 'owner';
}

const ownerKinds: Readonly<Record<string, ObjectVersion['kind']>> = { Pod: 'ReplicaSet', ReplicaSet: 'Deployment' };

/**
 * The causes of versions, as far as they are known: a slice follows the write of a pod or the Service, a new or deleted pod the new size of its
 * ReplicaSet, and a ReplicaSet the new spec of its Deployment.
 */
export function findCauses(versions: readonly ObjectVersion[], delays: readonly Delay[]): ReadonlyMap<number, Cause> {
  const causes = new Map<number, Cause>();
  const last = new Map<string, ObjectVersion>();
  const lastSpecs = new Map<string, number>();
  for (const version of versions) {
    const key = refKey(version);
    const owner = isOwnersWork(version, last.get(key)) ? ownerKey(version) : undefined;
    const id = owner === undefined ? undefined : lastSpecs.get(owner);
    if (id !== undefined) causes.set(version.id, { id, by: 'owner' });
    if (hasNewSpec(version, last.get(key))) lastSpecs.set(key, version.id);
    last.set(key, version);
  }
  for (const { cause, effect, by } of delays) if (cause !== undefined && effect !== undefined && by) causes.set(effect, { id: cause, by });
  return causes;
}

const hasNewSpec = ({ object, change }: ObjectVersion, previous: ObjectVersion | undefined): boolean =>
  change !== 'delete' && !!object && !deepEqual(object['spec'], previous?.object?.['spec']);

/** Whether the controller of the owner wrote a version, in contrast to the kubelet, the scheduler and users. */
function isOwnersWork(version: ObjectVersion, previous: ObjectVersion | undefined): boolean {
  const { kind, change, object, writer } = version;
  if (!Object.hasOwn(ownerKinds, kind) || change === 'observe') return false;
  const controller = kind === 'Pod' ? 'replicaset-controller' : 'deployment-controller';
  if (writer && writer.component !== controller && writer.component !== 'kube-controller-manager') return false;
  const isMarked = object?.metadata.deletionTimestamp !== undefined && previous?.object?.metadata.deletionTimestamp === undefined;
  return change === 'create' || isMarked || (kind === 'ReplicaSet' && hasNewSpec(version, previous));
}

function ownerKey({ kind, namespace, object }: ObjectVersion): string | undefined {
  const owner = (object as ApiObject).metadata.ownerReferences?.find((each) => each['kind'] === ownerKinds[kind]);
  const name = owner?.['name'];
  return typeof name === 'string' ? refKey({ kind: ownerKinds[kind] as ObjectVersion['kind'], namespace, name }) : undefined;
}
