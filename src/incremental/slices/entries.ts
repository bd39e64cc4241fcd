import { compareTargets, haveSameKey, sortedAddresses } from '../../spec/slices/endpoint.ts';
import type { Endpoint, EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';

/** A desired endpoint of a pod. */
export interface Entry {
  readonly endpoint: Endpoint;
  /** The next entry with the same first address. */
  next: Entry | undefined;
  /** The number of the sync in which a slice last took it. */
  placed: number;
  /** The unchanged slice in which it was last found. */
  home: Home | undefined;
}

/** A slice that was found to need no change. This holds until one of its endpoints is added or removed in the entries. */
export interface Home {
  readonly resourceVersion: unknown;
  readonly endpoints: EndpointSliceInput['endpoints'];
  /** The entries that were found in it. One may have moved to another slice since. */
  readonly entries: readonly Entry[];
  spoilt: boolean;
  /** Whether `find` may now return another entry for one of its endpoints. */
  doubtful: boolean;
  /** The number of the sync in which it was last left unchanged. */
  placed: number;
}

/** A set of entries with an index. */
export interface Entries {
  /** Entries without a home. The caller maintains this set. */
  readonly loose: Set<Entry>;
  add(endpoint: Endpoint): Entry;
  remove(entry: Entry): void;
  /** The entry with the key of an endpoint. Of several, the last by target; upstream takes the last in a random order. */
  find(endpoint: EndpointInput): Entry | undefined;
  /** Whether `find` would return this entry for its own key; always true while there is no index. */
  isFirstChoice(entry: Entry): boolean;
}

/**
 * Creates an empty set. Entries are indexed by their first address; the rest of the key is compared only if several share that
 * address, so that no key strings are built. The index is created on the first lookup.
 */
export function createEntries(profile: Profile): Entries {
  const loose = new Set<Entry>();
  let index: Map<string, Entry> | undefined;
  const link = (entry: Entry, into: Map<string, Entry>): void => {
    const first = firstAddress(entry.endpoint);
    entry.next = into.get(first);
    for (let other = entry.next; other; other = other.next) {
      if (!other.home || !haveSameKey(other.endpoint, entry.endpoint, profile)) continue;
      other.home.spoilt = true;
      other.home.doubtful = true;
    }
    into.set(first, entry);
  };
  const indexed = (): Map<string, Entry> => {
    if (index) return index;
    index = new Map();
    // only entries that were found have a home, so without an index all are loose
    for (const entry of loose) link(entry, index);
    return index;
  };
  const choose = (endpoint: EndpointInput): Entry | undefined => {
    let found: Entry | undefined;
    for (let entry = indexed().get(firstAddress(endpoint)); entry; entry = entry.next) {
      if (haveSameKey(entry.endpoint, endpoint, profile) && (!found || compareTargets(entry.endpoint, found.endpoint) > 0)) found = entry;
    }
    return found;
  };
  return {
    loose,
    add(endpoint) {
      const entry: Entry = { endpoint, next: undefined, placed: never, home: undefined };
      loose.add(entry);
      if (index) link(entry, index);
      return entry;
    },
    remove(entry) {
      if (entry.home) entry.home.spoilt = true;
      entry.home = undefined;
      loose.delete(entry);
      if (index) unlink(index, entry);
    },
    find(endpoint) {
      const addresses = sortedAddresses(endpoint);
      return choose(addresses === endpoint.addresses ? endpoint : { ...endpoint, addresses });
    },
    isFirstChoice: (entry) => !index || choose(entry.endpoint) === entry,
  };
}

const never = -1;

const firstAddress = ({ addresses }: EndpointInput): string => addresses?.[0] ?? '';

function unlink(index: Map<string, Entry>, entry: Entry): void {
  const first = firstAddress(entry.endpoint);
  const head = index.get(first);
  if (head !== entry) {
    for (let before = head; before; before = before.next) if (before.next === entry) before.next = entry.next;
  } else if (entry.next) index.set(first, entry.next);
  else index.delete(first);
}
