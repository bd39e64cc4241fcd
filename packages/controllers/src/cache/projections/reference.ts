import type { ObjectReference, Optional, Pod, TargetRef } from 'kube-endpoints/types';
import type { InternTable } from './intern.ts';

/** A pod with its reference: one object for all addresses that refer to it, with the pod's own strings. */
export interface KnownPod extends Pod {
  readonly reference?: TargetRef | undefined;
}

/** Finds the cached pod of a name; undefined if there is none. */
export type PodOf = (namespace: string, name: string) => KnownPod | undefined;

export const noPods: PodOf = () => undefined;

/** The reference to a pod; the same object for as long as the pod exists. Undefined if namespace, name or uid is missing. */
export function referenceTo({ metadata }: Pod, podOf: PodOf): TargetRef | undefined {
  const { namespace, name, uid } = metadata ?? {};
  if (!namespace || !name || !uid) return undefined;
  const known = podOf(namespace, name)?.reference;
  return known?.uid === uid ? known : { kind: 'Pod', namespace, name, uid };
}

/** The cached pod that an address refers to, if it has the same uid. */
export function podBehind(reference: Optional<ObjectReference>, podOf: PodOf): KnownPod | undefined {
  if (reference?.kind !== 'Pod') return undefined;
  const known = podOf(reference.namespace ?? '', reference.name ?? '');
  return known?.metadata?.uid === reference.uid ? known : undefined;
}

/** The targetRef of an address, shared with the pod if possible. */
export function projectReference(reference: ObjectReference, table: InternTable, known: KnownPod | undefined): ObjectReference {
  const { kind, namespace, name, uid, ...more } = reference;
  if (!isPlain(reference)) return { kind: table.text(kind), namespace: table.text(namespace), name, uid, ...more };
  return known?.reference ?? { kind: table.text(kind), namespace: table.text(namespace), name, uid };
}

/** The string of an IP: the pod's own one if they are equal. */
export function projectIP<T extends Optional<string>>(ip: T, known: KnownPod | undefined): T {
  const podIP = known?.status?.podIP;
  return podIP === ip ? (podIP as T) : ip;
}

/** Whether a reference has only the fields that controllers write for a pod. */
function isPlain(reference: ObjectReference): boolean {
  for (const field in reference) if (!plainFields.has(field)) return false;
  return true;
}

const plainFields: ReadonlySet<string> = new Set(['kind', 'namespace', 'name', 'uid']);
