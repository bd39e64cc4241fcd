import { emptyItemSet, type ItemSet } from './answer-items.ts';
import { createReason, type DnsReason } from './reasons.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

/** The configuration and the objects that queries are answered from. */
export interface ZoneData {
  readonly settings: Settings;
  readonly store: Store;
}

/** The result of looking up a name. */
export interface LookupResult {
  /** False means NXDOMAIN. True with an empty item set means NODATA. */
  readonly exists: boolean;
  readonly itemSet: ItemSet;
  readonly reason: DnsReason;
}

export const createNxdomain = (reason: DnsReason): LookupResult => ({ exists: false, itemSet: emptyItemSet, reason });

export const createNodata = (reason: DnsReason): LookupResult => ({ exists: true, itemSet: emptyItemSet, reason });

/** Explains why names in a namespace have no answers; undefined if the names have answers. Mirrors namespaceExposed (CoreDNS 1.14). */
export function explainHiddenNamespace({ settings: { namespaces }, store }: ZoneData, namespace: string): DnsReason | undefined {
  if (namespaces && !namespaces.has(namespace)) {
    return createReason('NamespaceNotVisible', { namespace, namespaces: [...namespaces].join(', ') });
  }
  return store.hasNamespace(namespace) ? undefined : createReason('NamespaceNotFound', { namespace });
}
