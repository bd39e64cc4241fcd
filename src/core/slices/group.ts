import type { AddressType, Endpoint, EndpointInput, EndpointSliceInput, SlicePort } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { rankOfIPv4 } from '../ip.ts';
import { sortByRanks } from '../order/addresses.ts';
import { haveSameKey, sameBeyondKey } from './endpoint.ts';
import { compareEndpoints, createEntries, type Entries, type Entry, firstAddress, type Home } from './entries.ts';

/** A set of ports that pods resolve to, with its `slicePortsKey`. */
export interface PortGroup {
  readonly key: string;
  readonly ports: readonly SlicePort[];
}

/** The endpoints of one address type that share their ports: a set, from which endpoints are taken as they find their place. */
export interface DesiredGroup extends PortGroup {
  readonly addressType: AddressType;
  /**
   * The desired versions of the endpoints of a slice that is there, which all have their place from now on; undefined where
   * nothing about the slice changes.
   */
  match(slice: EndpointSliceInput): Endpoint[] | undefined;
  /** Those that have no place yet, in the order of their addresses; they all have one from now on. */
  takeRest(): Endpoint[];
}

/** A group that is kept from sync to sync. What it hands out are copies. */
export interface LastingGroup extends DesiredGroup {
  /** Starts a sync: no endpoint has a place. */
  begin(): void;
  add(endpoint: Endpoint): Entry;
  remove(entry: Entry): void;
}

/** Makes an empty set for many syncs. */
export function createGroup({ key, ports }: PortGroup, addressType: AddressType, profile: Profile): LastingGroup {
  const entries = createEntries(profile);
  const places = createPlaces(entries);
  const take = (endpoint: EndpointInput): Entry | undefined => {
    const entry = entries.find(endpoint);
    return entry && places.take(entry) ? entry : undefined;
  };
  return {
    key,
    ports,
    addressType,
    begin: places.begin,
    add: entries.add,
    remove: entries.remove,
    match(slice) {
      if (places.keep(slice)) return undefined;
      const kept: Entry[] = [];
      let changed = false;
      for (const endpoint of slice.endpoints ?? []) {
        const entry = take(endpoint);
        if (!entry) continue;
        kept.push(entry);
        changed ||= !sameBeyondKey(entry.endpoint, endpoint, profile);
      }
      if (changed || kept.length !== (slice.endpoints?.length ?? 0)) return kept.map(copyOf);
      places.settle(slice, kept);
      return undefined;
    },
    takeRest() {
      const rest = inOrder(places.free());
      const handedOut: Endpoint[] = [];
      for (let i = 0; i < rest.length; i++) {
        const entry = rest[i] as Entry;
        places.take(entry);
        if (!isFollowedByTwin(entry, rest[i + 1], profile) && entries.isFirstChoice(entry)) handedOut.push(copyOf(entry));
      }
      return handedOut;
    },
  };
}

const inOrder = (entries: readonly Entry[]): Entry[] =>
  sortByRanks(
    entries,
    entries.map(({ endpoint }) => rankOfIPv4(firstAddress(endpoint))),
    (a, b) => compareEndpoints(a.endpoint, b.endpoint),
  );

/** The endpoint of an entry, as deep as endpoints made of pods are. */
const copyOf = ({ endpoint }: Entry): Endpoint => ({
  ...endpoint,
  addresses: endpoint.addresses.slice(),
  conditions: { ...endpoint.conditions },
  ...(endpoint.targetRef && { targetRef: { ...endpoint.targetRef } }),
});

/** Whether the entry that follows in order is of the same key, and so preferred. */
const isFollowedByTwin = (entry: Entry, next: Entry | undefined, profile: Profile): boolean =>
  next !== undefined && haveSameKey(entry.endpoint, next.endpoint, profile);

/** Which entries have found their place in the sync under way, and which slices need not be looked into to know. */
interface Places {
  begin(): void;
  /** The entries without a place, when every slice has been met. */
  free(): Entry[];
  /** Gives an entry its place; false where it has one. */
  take(entry: Entry): boolean;
  /** Whether a slice is one that was left alone and still is as it was; its entries then have their places. */
  keep(slice: EndpointSliceInput): boolean;
  /** Remembers a slice that needs no change. */
  settle(slice: EndpointSliceInput, entries: readonly Entry[]): void;
}

/** Entries whose slice is left alone are not gone through: what a sync costs depends on the others. */
function createPlaces({ loose }: Entries): Places {
  const homes = new Map<EndpointSliceInput, Home>();
  let sync = 0;
  const isFree = (entry: Entry): boolean => entry.placed !== sync && entry.home?.placed !== sync;
  const leave = (slice: EndpointSliceInput, home: Home): void => {
    homes.delete(slice);
    for (const entry of home.entries) {
      if (entry.home !== home) continue;
      entry.home = undefined;
      loose.add(entry);
    }
  };
  return {
    begin() {
      sync++;
    },
    free() {
      for (const [slice, home] of homes) if (home.placed !== sync) leave(slice, home);
      return loose.size === 0 ? [] : [...loose].filter(isFree);
    },
    take(entry) {
      if (!isFree(entry)) return false;
      if (entry.home) entry.home.spoilt = true;
      entry.placed = sync;
      return true;
    },
    keep(slice) {
      const home = homes.get(slice);
      // a slice that is handed in twice has its places but once
      if (!home || home.placed === sync) return false;
      if (home.spoilt || home.endpoints !== slice.endpoints || home.resourceVersion !== slice.metadata?.resourceVersion) {
        leave(slice, home);
        return false;
      }
      home.placed = sync;
      return true;
    },
    settle(slice, entries) {
      const { metadata, endpoints } = slice;
      const home: Home = { resourceVersion: metadata?.resourceVersion, endpoints, entries, spoilt: false, placed: sync };
      homes.set(slice, home);
      for (const entry of entries) {
        entry.home = home;
        loose.delete(entry);
      }
    },
  };
}
