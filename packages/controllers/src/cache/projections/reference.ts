import type { ObjectReference, Optional, Pod, TargetRef } from 'kube-endpoints/types';
import type { InternTable } from './intern.ts';

/** A pod with what addresses refer to it by: one object for all that do, whose texts are the pod's own. */
export interface KnownPod extends Pod {
  readonly reference?: TargetRef | undefined;
}

/** The pod of a name as it is known; undefined where none is. */
export type PodOf = (namespace: string, name: string) => KnownPod | undefined;

export const noPods: PodOf = () => undefined;

/** What addresses refer to a pod by, which stays the same for as long as the pod does. */
export function referenceTo({ metadata }: Pod, podOf: PodOf): TargetRef | undefined {
  const { namespace, name, uid } = metadata ?? {};
  if (!namespace || !name || !uid) return undefined;
  const known = podOf(namespace, name)?.reference;
  return known?.uid === uid ? known : { kind: 'Pod', namespace, name, uid };
}

/** The pod behind an address, where it is known. */
export function podBehind(reference: Optional<ObjectReference>, podOf: PodOf): KnownPod | undefined {
  if (reference?.kind !== 'Pod') return undefined;
  const known = podOf(reference.namespace ?? '', reference.name ?? '');
  return known?.metadata?.uid === reference.uid ? known : undefined;
}

/** The object behind an address. */
export function projectReference(reference: ObjectReference, table: InternTable, known: KnownPod | undefined): ObjectReference {
  const { kind, namespace, name, uid, ...more } = reference;
  if (!isPlain(reference)) return { kind: table.text(kind), namespace: table.text(namespace), name, uid, ...more };
  return known?.reference ?? { kind: table.text(kind), namespace: table.text(namespace), name, uid };
}

/** The text of an IP: the pod's own where it is that. */
export function projectIP<T extends Optional<string>>(ip: T, known: KnownPod | undefined): T {
  const podIP = known?.status?.podIP;
  return podIP === ip ? (podIP as T) : ip;
}

/** What controllers write for a pod: these four fields. */
function isPlain(reference: ObjectReference): boolean {
  for (const field in reference) if (!usual.has(field)) return false;
  return true;
}

const usual: ReadonlySet<string> = new Set(['kind', 'namespace', 'name', 'uid']);
