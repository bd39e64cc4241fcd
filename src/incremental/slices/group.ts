import { sameBeyondKey } from '../../spec/slices/endpoint.ts';
import { type DesiredGroup, inAddressOrder } from '../../spec/slices/group.ts';
import type { PortGroup } from '../../spec/slices/ports.ts';
import type { AddressType, Endpoint, EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { createEntries, type Entries, type Entry, type Home } from './entries.ts';

/** A group that is reused across syncs. It hands out copies. */
export interface LastingGroup extends DesiredGroup {
  /** Starts a sync: no endpoint is taken. */
  begin(): void;
  add(endpoint: Endpoint): Entry;
  remove(entry: Entry): void;
}

/** Creates an empty group for many syncs. */
export function createLastingGroup({ key, ports }: PortGroup, addressType: AddressType, profile: Profile): LastingGroup {
  const entries = createEntries(profile);
  const places = createPlaces(entries);
  return {
    key,
    ports,
    addressType,
    begin: places.begin,
    add: entries.add,
    remove: entries.remove,
    match(slice) {
      if (places.keep(slice)) return undefined;
      const known = places.homeOf(slice);
      const endpoints = slice.endpoints ?? [];
      const kept: Entry[] = [];
      let changed = false;
      for (let i = 0; i < endpoints.length; i++) {
        const endpoint = endpoints[i] as EndpointInput;
        const before = known?.entries[i];
        const isAsBefore = before !== undefined && before.home === known;
        const entry = isAsBefore ? before : entries.find(endpoint);
        if (!entry || !places.take(entry)) continue;
        kept.push(entry);
        changed ||= !isAsBefore && !sameBeyondKey(entry.endpoint, endpoint, profile);
      }
      if (changed || kept.length !== endpoints.length) return kept.map(({ endpoint }) => copyOf(endpoint));
      places.settle(slice, kept);
      return undefined;
    },
    takeRest() {
      const rest = places.free();
      for (const entry of rest) places.take(entry);
      const preferred = rest.filter((entry) => entries.isFirstChoice(entry)).map(({ endpoint }) => endpoint);
      return inAddressOrder(preferred, profile).map(copyOf);
    },
  };
}

/** A copy as deep as endpoints of pods need. */
function copyOf(endpoint: Endpoint): Endpoint {
  const copy = { ...endpoint };
  copy.addresses = copy.addresses.slice();
  copy.conditions = { ...copy.conditions };
  if (copy.targetRef) copy.targetRef = { ...copy.targetRef };
  return copy;
}

/** Which entries are taken in the current sync, and which slices can be skipped. */
interface Places {
  begin(): void;
  /** The entries that are not taken after all slices were matched. */
  free(): Entry[];
  /** Marks an entry as taken; false if it already is. */
  take(entry: Entry): boolean;
  /** Whether a slice was left unchanged before and still is the same; its entries then count as taken. */
  keep(slice: EndpointSliceInput): boolean;
  /** The home of a slice that is still the same. Entries whose `home` it still is need no lookup and no comparison. */
  homeOf(slice: EndpointSliceInput): Home | undefined;
  /** Records a slice that needs no change. */
  settle(slice: EndpointSliceInput, entries: readonly Entry[]): void;
}

/** Entries of unchanged slices are not visited, so the cost of a sync depends on the others only. */
function createPlaces({ loose }: Entries): Places {
  const homes = new Map<EndpointSliceInput, Home>();
  let sync = 0;
  const isFree = (entry: Entry): boolean => entry.placed !== sync && entry.home?.placed !== sync;
  const homeOf = (slice: EndpointSliceInput): Home | undefined => {
    const home = homes.get(slice);
    // a slice that is passed twice counts once
    return home && home.placed !== sync && isAsItWas(home, slice) ? home : undefined;
  };
  return {
    begin: () => void sync++,
    free() {
      const free = [...loose].filter(isFree);
      for (const [slice, home] of homes) {
        if (home.placed === sync) continue;
        const left = home.entries.filter((entry) => entry.home === home);
        if (left.length === 0) homes.delete(slice);
        for (const entry of left) if (isFree(entry)) free.push(entry);
      }
      return free;
    },
    take(entry) {
      if (!isFree(entry)) return false;
      if (entry.home) entry.home.spoilt = true;
      entry.placed = sync;
      return true;
    },
    keep(slice) {
      const home = homeOf(slice);
      if (!home || home.spoilt) return false;
      home.placed = sync;
      return true;
    },
    homeOf: (slice) => {
      const home = homeOf(slice);
      return home?.doubtful ? undefined : home;
    },
    settle(slice, entries) {
      const before = homes.get(slice);
      const home = makeHome(slice, entries, sync);
      homes.set(slice, home);
      for (const entry of entries) {
        if (!entry.home) loose.delete(entry);
        entry.home = home;
      }
      for (const entry of before?.entries ?? []) {
        if (entry.home !== before) continue;
        entry.home = undefined;
        loose.add(entry);
      }
    },
  };
}

const makeHome = ({ metadata, endpoints }: EndpointSliceInput, entries: readonly Entry[], sync: number): Home => ({
  resourceVersion: metadata?.resourceVersion,
  endpoints,
  entries,
  spoilt: false,
  doubtful: false,
  placed: sync,
});

const isAsItWas = (home: Home, { metadata, endpoints }: EndpointSliceInput): boolean =>
  home.endpoints === endpoints && home.resourceVersion === metadata?.resourceVersion;
