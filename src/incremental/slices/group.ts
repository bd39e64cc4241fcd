import { areEqualBeyondKey } from '../../spec/slices/endpoint.ts';
import { type DesiredGroup, sortEndpoints } from '../../spec/slices/group.ts';
import type { PortGroup } from '../../spec/slices/ports.ts';
import type { AddressType, Endpoint, EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { createEntries, type Entries, type Entry, type UnchangedSlice } from './entries.ts';

/** A group that is reused across syncs. Its methods return copies of its endpoints. */
export interface CachedGroup extends DesiredGroup {
  /** Starts a sync: marks all endpoints as not taken. */
  beginSync(): void;
  add(endpoint: Endpoint): Entry;
  remove(entry: Entry): void;
}

/** Creates an empty group for many syncs. */
export function createCachedGroup({ key, ports }: PortGroup, addressType: AddressType, profile: Profile): CachedGroup {
  const entries = createEntries(profile);
  const assignments = createAssignments(entries);
  return {
    key,
    ports,
    addressType,
    beginSync: assignments.beginSync,
    add: entries.add,
    remove: entries.remove,
    takeEndpointsOf(slice) {
      if (assignments.skipUnchanged(slice)) return undefined;
      const unchangedSlice = assignments.unchangedSliceOf(slice);
      const endpoints = slice.endpoints ?? [];
      const matchedEntries: Entry[] = [];
      let hasChanged = false;
      for (let i = 0; i < endpoints.length; i++) {
        const endpoint = endpoints[i] as EndpointInput;
        const knownEntry = unchangedSlice?.entries[i];
        const isSameEntry = knownEntry !== undefined && knownEntry.unchangedSlice === unchangedSlice;
        const entry = isSameEntry ? knownEntry : entries.find(endpoint);
        if (!entry || !assignments.take(entry)) continue;
        matchedEntries.push(entry);
        hasChanged ||= !isSameEntry && !areEqualBeyondKey(entry.endpoint, endpoint, profile);
      }
      if (hasChanged || matchedEntries.length !== endpoints.length) return matchedEntries.map(({ endpoint }) => copyEndpoint(endpoint));
      assignments.recordUnchanged(slice, matchedEntries);
      return undefined;
    },
    takeRemaining() {
      const availableEntries = assignments.listAvailable();
      for (const entry of availableEntries) assignments.take(entry);
      const preferred = availableEntries.filter((entry) => entries.isPreferred(entry)).map(({ endpoint }) => endpoint);
      return sortEndpoints(preferred, profile).map(copyEndpoint);
    },
  };
}

/** Copies an endpoint as deeply as endpoints of pods require. */
function copyEndpoint(endpoint: Endpoint): Endpoint {
  const copy = { ...endpoint };
  copy.addresses = copy.addresses.slice();
  copy.conditions = { ...copy.conditions };
  if (copy.topology) copy.topology = { ...copy.topology };
  if (copy.targetRef) copy.targetRef = { ...copy.targetRef };
  return copy;
}

/** Which entries are taken in the current sync, and which slices can be skipped. */
interface Assignments {
  beginSync(): void;
  /** The entries that are not taken after all slices were matched. */
  listAvailable(): Entry[];
  /** Marks an entry as taken; false if it already is. */
  take(entry: Entry): boolean;
  /** Marks the entries of a slice as taken and returns true, if the slice was left unchanged before and is still the same. */
  skipUnchanged(slice: EndpointSliceInput): boolean;
  /**
   * The record of a slice that is still the same; undefined if absent, or if its endpoints need a lookup. Entries that still refer to the
   * record need no lookup and no comparison.
   */
  unchangedSliceOf(slice: EndpointSliceInput): UnchangedSlice | undefined;
  /** Records a slice that needs no change. */
  recordUnchanged(slice: EndpointSliceInput, entries: readonly Entry[]): void;
}

/** Entries of unchanged slices are not visited, so the cost of a sync depends on the other entries only. */
function createAssignments({ entriesOutsideUnchanged }: Entries): Assignments {
  const unchangedSlices = new Map<EndpointSliceInput, UnchangedSlice>();
  let sync = 0;
  const isAvailable = (entry: Entry): boolean => entry.lastSync !== sync && entry.unchangedSlice?.lastSync !== sync;
  const recordOf = (slice: EndpointSliceInput): UnchangedSlice | undefined => {
    const unchangedSlice = unchangedSlices.get(slice);
    // a slice that is passed twice counts once
    return unchangedSlice && unchangedSlice.lastSync !== sync && isSameVersion(unchangedSlice, slice) ? unchangedSlice : undefined;
  };
  return {
    beginSync: () => void sync++,
    listAvailable() {
      const availableEntries = [...entriesOutsideUnchanged].filter(isAvailable);
      for (const [slice, unchangedSlice] of unchangedSlices) {
        if (unchangedSlice.lastSync === sync) continue;
        const remaining = unchangedSlice.entries.filter((entry) => entry.unchangedSlice === unchangedSlice);
        if (remaining.length === 0) unchangedSlices.delete(slice);
        for (const entry of remaining) if (isAvailable(entry)) availableEntries.push(entry);
      }
      return availableEntries;
    },
    take(entry) {
      if (!isAvailable(entry)) return false;
      if (entry.unchangedSlice) entry.unchangedSlice.isInvalid = true;
      entry.lastSync = sync;
      return true;
    },
    skipUnchanged(slice) {
      const unchangedSlice = recordOf(slice);
      if (!unchangedSlice || unchangedSlice.isInvalid) return false;
      unchangedSlice.lastSync = sync;
      return true;
    },
    unchangedSliceOf: (slice) => {
      const unchangedSlice = recordOf(slice);
      return unchangedSlice?.needsLookup ? undefined : unchangedSlice;
    },
    recordUnchanged(slice, entries) {
      const previousSlice = unchangedSlices.get(slice);
      const unchangedSlice = createUnchangedSlice(slice, entries, sync);
      unchangedSlices.set(slice, unchangedSlice);
      for (const entry of entries) {
        if (!entry.unchangedSlice) entriesOutsideUnchanged.delete(entry);
        entry.unchangedSlice = unchangedSlice;
      }
      for (const entry of previousSlice?.entries ?? []) {
        if (entry.unchangedSlice !== previousSlice) continue;
        entry.unchangedSlice = undefined;
        entriesOutsideUnchanged.add(entry);
      }
    },
  };
}

const createUnchangedSlice = ({ metadata, endpoints }: EndpointSliceInput, entries: readonly Entry[], sync: number): UnchangedSlice => ({
  resourceVersion: metadata?.resourceVersion,
  endpoints,
  entries,
  isInvalid: false,
  needsLookup: false,
  lastSync: sync,
});

const isSameVersion = (unchangedSlice: UnchangedSlice, { metadata, endpoints }: EndpointSliceInput): boolean =>
  unchangedSlice.endpoints === endpoints && unchangedSlice.resourceVersion === metadata?.resourceVersion;
