import type { ObjectReference, Optional, Pod, TargetRef } from 'kube-endpoints/types';
import type { InternTable } from './intern.ts';

/** A cached pod, with the targetRef that all addresses of the pod share. */
export interface CachedPod extends Pod {
  readonly reference?: TargetRef | undefined;
}

/** Finds a pod in the cache; undefined if it is not cached. */
export type FindPod = (namespace: string, name: string) => CachedPod | undefined;

export const noPods: FindPod = () => undefined;

/** Returns the reference to a pod; the same object for as long as the pod exists. Undefined if namespace, name or uid is missing. */
export function findOrCreateReference({ metadata }: Pod, findPod: FindPod): TargetRef | undefined {
  const { namespace, name, uid } = metadata ?? {};
  if (!namespace || !name || !uid) return undefined;
  const existing = findPod(namespace, name)?.reference;
  return existing?.uid === uid ? existing : { kind: 'Pod', namespace, name, uid };
}

/** Finds the cached pod that a reference names; undefined if the cached pod has a different uid. */
export function findReferencedPod(reference: Optional<ObjectReference>, findPod: FindPod): CachedPod | undefined {
  if (reference?.kind !== 'Pod') return undefined;
  const pod = findPod(reference.namespace ?? '', reference.name ?? '');
  return pod?.metadata?.uid === reference.uid ? pod : undefined;
}

/** Returns the reference object of the pod if it has all fields of this reference; otherwise a copy of this reference. */
export function projectReference(reference: ObjectReference, table: InternTable, pod: CachedPod | undefined): ObjectReference {
  const { kind, namespace, name, uid, ...otherFields } = reference;
  if (!hasOnlyPodFields(reference))
    return { kind: table.internText(kind), namespace: table.internText(namespace), name, uid, ...otherFields };
  return pod?.reference ?? { kind: table.internText(kind), namespace: table.internText(namespace), name, uid };
}

/** Returns the pod's own string if it equals the IP, so that memory holds one copy. */
export function projectIP<T extends Optional<string>>(ip: T, pod: CachedPod | undefined): T {
  const podIP = pod?.status?.podIP;
  return podIP === ip ? (podIP as T) : ip;
}

/** Whether a reference has only the fields that controllers write for a pod. */
function hasOnlyPodFields(reference: ObjectReference): boolean {
  for (const field in reference) if (!podReferenceFields.has(field)) return false;
  return true;
}

const podReferenceFields: ReadonlySet<string> = new Set(['kind', 'namespace', 'name', 'uid']);
