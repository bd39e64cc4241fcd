import { compareTargets, haveSameKey, sortedAddresses } from '../../spec/slices/endpoint.ts';
import type { Endpoint, EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';

/** An endpoint that some pod is to have. */
export interface Entry {
  readonly endpoint: Endpoint;
  /** The next of those whose first address is the same. */
  next: Entry | undefined;
  /** The sync in which it last found a place. */
  placed: number;
  /** The slice in which it was found as it is to be. */
  home: Home | undefined;
}

/** A slice that was found to need no change. It still needs none as long as none of its endpoints is added or removed here. */
export interface Home {
  readonly resourceVersion: unknown;
  readonly endpoints: EndpointSliceInput['endpoints'];
  /** Those that were found in it; one may have moved to another slice since. */
  readonly entries: readonly Entry[];
  spoilt: boolean;
  /** Whether another entry may be found now for an endpoint. */
  doubtful: boolean;
  /** The sync in which it was last left alone. */
  placed: number;
}

/** A set of entries with an index. */
export interface Entries {
  /** Those that have no home, which a caller sees to. */
  readonly loose: Set<Entry>;
  add(endpoint: Endpoint): Entry;
  remove(entry: Entry): void;
  /** The entry of an endpoint's key: of several, the last by target, where upstream takes the last in a random order. */
  find(endpoint: EndpointInput): Entry | undefined;
  /** Whether an entry is the one that stands for its key, as far as an index tells. */
  isFirstChoice(entry: Entry): boolean;
}

/**
 * Makes an empty set. Entries are found by their first address, a text that is at hand, and told apart by the rest of their
 * key only where several share it, so that no key needs to be made; where nothing is looked for, there is no index.
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
    // an entry comes to a home by being found
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
