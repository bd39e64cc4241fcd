import { type Found, nothing } from './found.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

/** What names are looked up in. */
export interface World {
  readonly settings: Settings;
  readonly store: Store;
}

/** What a name leads to. */
export interface Lookup {
  /** False: NXDOMAIN. True with nothing found: NODATA. */
  readonly exists: boolean;
  readonly found: Found;
  readonly reason: DnsReason;
}

export const missing = (reason: DnsReason): Lookup => ({ exists: false, found: nothing, reason });

export const empty = (reason: DnsReason): Lookup => ({ exists: true, found: nothing, reason });

/** Why names of a namespace are not answered; undefined where they are. Mirrors namespaceExposed (CoreDNS 1.14). */
export function hiddenNamespace({ settings: { namespaces }, store }: World, namespace: string): DnsReason | undefined {
  if (namespaces && !namespaces.has(namespace)) {
    return reasonOf('NamespaceNotVisible', { namespace, namespaces: [...namespaces].join(', ') });
  }
  return store.hasNamespace(namespace) ? undefined : reasonOf('NamespaceNotFound', { namespace });
}
