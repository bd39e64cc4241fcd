import { type Found, nothing } from './found.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

/** The configuration and the objects that queries are answered from. */
export interface World {
  readonly settings: Settings;
  readonly store: Store;
}

/** The result of looking up a name. */
export interface Lookup {
  /** False means NXDOMAIN. True with nothing found means NODATA. */
  readonly exists: boolean;
  readonly found: Found;
  readonly reason: DnsReason;
}

export const missing = (reason: DnsReason): Lookup => ({ exists: false, found: nothing, reason });

export const empty = (reason: DnsReason): Lookup => ({ exists: true, found: nothing, reason });

/** Why names in a namespace have no answers; undefined if they have. Mirrors namespaceExposed (CoreDNS 1.14). */
export function hiddenNamespace({ settings: { namespaces }, store }: World, namespace: string): DnsReason | undefined {
  if (namespaces && !namespaces.has(namespace)) {
    return reasonOf('NamespaceNotVisible', { namespace, namespaces: [...namespaces].join(', ') });
  }
  return store.hasNamespace(namespace) ? undefined : reasonOf('NamespaceNotFound', { namespace });
}
