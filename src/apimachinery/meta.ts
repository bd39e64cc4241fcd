import { compareText } from './compare.ts';

/** An object with a name. */
export interface Named {
  readonly metadata?: ObjectName | null | undefined;
}

/** The part of metadata that names an object. */
export interface ObjectName {
  readonly name?: string | null | undefined;
  readonly namespace?: string | null | undefined;
}

/** The name of an object; empty if absent. */
export const nameOf = ({ metadata }: Named): string => metadata?.name ?? '';

/** The namespace of an object; empty if absent. */
export const namespaceOf = ({ metadata }: Named): string => metadata?.namespace ?? '';

/** "namespace/name", even if one of them is empty. Mirrors NamespacedName.String (apimachinery/pkg/types). */
export const namespacedName = (namespace: string | null | undefined, name: string | null | undefined): string =>
  `${namespace ?? ''}/${name ?? ''}`;

/** The `namespacedName` of an object. */
export const objectKey = ({ metadata }: Named): string => namespacedName(metadata?.namespace, metadata?.name);

/** "namespace/name", or "name" without a namespace. Mirrors MetaNamespaceKeyFunc (client-go/tools/cache/store.go). */
export const metaNamespaceKey = ({ namespace, name }: ObjectName): string =>
  // Joined instead of concatenated: engines store a concatenation as a tree of its parts, and every cached object has a key.
  namespace ? [namespace, name ?? ''].join('/') : (name ?? '');

/** The inverse of `metaNamespaceKey`. Mirrors SplitMetaNamespaceKey, but accepts every key. */
export function splitMetaNamespaceKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Compares objects by namespace, then by name. */
export const compareByName = (a: Named, b: Named): number =>
  compareText(namespaceOf(a), namespaceOf(b)) || compareText(nameOf(a), nameOf(b));
