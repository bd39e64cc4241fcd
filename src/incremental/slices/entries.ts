import { compareTargets, haveSameKey, sortAddresses } from '../../spec/slices/endpoint.ts';
import type { Endpoint, EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';

/** A desired endpoint of a pod. */
export interface Entry {
  readonly endpoint: Endpoint;
  /** The next entry with the same first address. */
  next: Entry | undefined;
  /** The number of the last sync in which a slice used the entry. */
  lastSync: number;
  /** The unchanged slice in which it was last found. */
  unchangedSlice: UnchangedSlice | undefined;
}

/** A slice that was found to need no change. This holds until one of its endpoints is added or removed in the entries. */
export interface UnchangedSlice {
  readonly resourceVersion: unknown;
  readonly endpoints: EndpointSliceInput['endpoints'];
  /** The entries that were found in the slice. An entry may have moved to a different slice since. */
  readonly entries: readonly Entry[];
  isInvalid: boolean;
  /** Whether `find` may now return a different entry for one of the slice's endpoints. */
  needsLookup: boolean;
  /** The number of the sync in which the slice was last left unchanged. */
  lastSync: number;
}

/** A set of entries with an index. */
export interface Entries {
  /** Entries that are in no unchanged slice. The caller maintains this set. */
  readonly entriesOutsideUnchanged: Set<Entry>;
  add(endpoint: Endpoint): Entry;
  remove(entry: Entry): void;
  /** The entry with the key of an endpoint. If several have that key, the last one sorted by target; upstream uses one at random. */
  find(endpoint: EndpointInput): Entry | undefined;
  /** Whether `find` would return this entry for its own key; always true while there is no index. */
  isPreferred(entry: Entry): boolean;
}

/**
 * Creates an empty set. Entries are indexed by their first address; the rest of the key is compared only if several share that
 * address, so that no key strings are built. The index is created on the first lookup.
 */
export function createEntries(profile: Profile): Entries {
  const entriesOutsideUnchanged = new Set<Entry>();
  let index: Map<string, Entry> | undefined;
  const link = (entry: Entry, byAddress: Map<string, Entry>): void => {
    const first = firstAddress(entry.endpoint);
    entry.next = byAddress.get(first);
    for (let other = entry.next; other; other = other.next) {
      if (!other.unchangedSlice || !haveSameKey(other.endpoint, entry.endpoint, profile)) continue;
      other.unchangedSlice.isInvalid = true;
      other.unchangedSlice.needsLookup = true;
    }
    byAddress.set(first, entry);
  };
  const getIndex = (): Map<string, Entry> => {
    if (index) return index;
    index = new Map();
    // Slices are marked as unchanged after calls of `find`, which creates the index. Until then, all entries are outside of them.
    for (const entry of entriesOutsideUnchanged) link(entry, index);
    return index;
  };
  const findPreferred = (endpoint: EndpointInput): Entry | undefined => {
    let preferred: Entry | undefined;
    for (let entry = getIndex().get(firstAddress(endpoint)); entry; entry = entry.next) {
      if (haveSameKey(entry.endpoint, endpoint, profile) && (!preferred || compareTargets(entry.endpoint, preferred.endpoint) > 0))
        preferred = entry;
    }
    return preferred;
  };
  return {
    entriesOutsideUnchanged,
    add(endpoint) {
      const entry: Entry = { endpoint, next: undefined, lastSync: neverSynced, unchangedSlice: undefined };
      entriesOutsideUnchanged.add(entry);
      if (index) link(entry, index);
      return entry;
    },
    remove(entry) {
      if (entry.unchangedSlice) entry.unchangedSlice.isInvalid = true;
      entry.unchangedSlice = undefined;
      entriesOutsideUnchanged.delete(entry);
      if (index) unlink(index, entry);
    },
    find(endpoint) {
      const addresses = sortAddresses(endpoint);
      return findPreferred(addresses === endpoint.addresses ? endpoint : { ...endpoint, addresses });
    },
    isPreferred: (entry) => !index || findPreferred(entry.endpoint) === entry,
  };
}

const neverSynced = -1;

const firstAddress = ({ addresses }: EndpointInput): string => addresses?.[0] ?? '';

function unlink(index: Map<string, Entry>, entry: Entry): void {
  const first = firstAddress(entry.endpoint);
  const head = index.get(first);
  if (head !== entry) {
    for (let previous = head; previous; previous = previous.next) if (previous.next === entry) previous.next = entry.next;
  } else if (entry.next) index.set(first, entry.next);
  else index.delete(first);
}
