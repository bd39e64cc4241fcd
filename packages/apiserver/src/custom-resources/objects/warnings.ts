import { quote } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { qualifiedName } from '../../formats/names.ts';

/** What is said of finalizers that an object did not have before. Mirrors validateKubeFinalizerName (apiextensions-apiserver, 1.36). */
export function finalizerWarnings(object: ApiObject, old?: ApiObject): readonly string[] {
  const before = new Set(old?.metadata.finalizers);
  const added = [...new Set(object.metadata.finalizers)].filter((finalizer) => !before.has(finalizer)).sort();
  return added.flatMap((finalizer) => {
    const at = `metadata.finalizers: ${quote(finalizer)}: `;
    const path = finalizer.includes('.') ? ' including a path (/)' : '';
    const vague = !finalizer.includes('/') && !standard.has(finalizer);
    const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    return [...qualifiedName(finalizer).map((problem) => `${at}${problem}`), ...(vague ? [`${at}${advice}`] : [])];
  });
}

const standard: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
