import type { ApiObjectMeta } from 'kube-endpoints/port';

/** The key of an object: "namespace/name", or "name" where it is in no namespace. */
export function keyOf({ namespace, name = '' }: Pick<ApiObjectMeta, 'namespace' | 'name'>): string {
  // Joined, not added up: a sum of strings is kept as a tree of its parts, and there is a key of every object.
  return namespace ? [namespace, name].join('/') : name;
}
