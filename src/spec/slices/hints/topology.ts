import type { AddressType, Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput } from '../../../types/index.ts';
import { type Profile, profileFor } from '../../../versions/index.ts';
import type { SliceEvent } from '../plan.ts';
import type { ParsedSlice } from '../reading.ts';
import { type Allocation, type AllocationCode, allocate, calculateExchange, type Exchange } from './allocation.ts';
import { isReady, moveToUpdate, revertHints, type SliceSet } from './slice-set.ts';
import type { ZoneShares } from './zones.ts';

/** The result of topology-aware routing for one address type of a Service. */
export type TopologyOutcome =
  | {
      /** The number of endpoints with a hint for each zone. */
      readonly zoneCounts: ReadonlyMap<string, number>;
    }
  | {
      readonly zoneCounts?: undefined;
      /** Why there are no hints. */
      readonly code: AllocationCode | 'EndpointWithoutZone';
      /** The message of the Event, without the address type. */
      readonly message: string;
    };

/**
 * Allocates the ready endpoints to the zones, in proportion to each zone's share of the cluster's CPU:
 *
 * Before `hintsForReadyOnly`, all endpoints take part, not only the ready ones.
 *
 * 1. The shares and the number of ready endpoints give the number of endpoints per zone, or the reason to use no hints.
 * 2. A slice that needs no other write keeps its hints if they fit the maximum of its zones; otherwise it is updated too.
 * 3. In the slices to write, every ready endpoint first gets the hint of its own zone.
 * 4. Zones with too many endpoints then give some to zones with too few.
 *
 * Mirrors AddHints (1.36, staging/src/k8s.io/endpointslice/topologycache/topologycache.go). Upstream picks the zones that give
 * and receive at random; here they are processed by name.
 */
export function addTopologyHints(set: SliceSet, zones: ZoneShares, profile: Profile = profileFor()): TopologyOutcome {
  if (!zones.shares) return abandonHints(set, 'InsufficientNodeInfo', eventMessages.InsufficientNodeInfo);
  const { hintsForReadyOnly } = profile;
  const getsHint = (endpoint: EndpointInput): boolean => !hintsForReadyOnly || isReady(endpoint);
  const countIn = (slice: EndpointSliceInput): number => (hintsForReadyOnly ? set.read(slice).readyCount : (slice.endpoints?.length ?? 0));
  const countOf = (slices: readonly EndpointSlice[]): number =>
    slices.reduce((sum, { endpoints }) => sum + endpoints.filter(getsHint).length, 0);
  const count = countOf(set.create) + countOf(set.update) + set.unchanged.reduce((sum, slice) => sum + countIn(slice), 0);
  const allocations = allocate(zones.shares, count);
  if (typeof allocations === 'string') {
    return abandonHints(set, allocations, `${eventMessages[allocations]} (${count} endpoints, ${zones.shares.size} zones)`);
  }
  const zoneCounts = new Map<string, number>();
  moveToUpdate(set, (reading, slice) =>
    profile.zoneHintsKept ? !tryKeepHints(reading, zoneCounts, allocations) : !hasOnlyOtherZones(slice, allocations),
  );
  const slicesToWrite = [...set.create, ...set.update];
  for (const { endpoints } of slicesToWrite) {
    for (const endpoint of endpoints) {
      if (!getsHint(endpoint)) continue;
      if (!endpoint.zone) return abandonHints(set, 'EndpointWithoutZone', eventMessages.EndpointWithoutZone);
      zoneCounts.set(endpoint.zone, (zoneCounts.get(endpoint.zone) ?? 0) + 1);
      endpoint.hints = { forZones: [{ name: endpoint.zone }] };
    }
  }
  redistribute(slicesToWrite, calculateExchange(allocations, zoneCounts), zoneCounts, getsHint);
  return { zoneCounts };
}

/** The messages of the controller's Events. */
export const eventMessages = {
  InsufficientNodeInfo: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
  InsufficientNumberOfEndpoints: 'Insufficient number of endpoints',
  MinAllocationExceedsOverloadThreshold: 'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold',
  EndpointWithoutZone: 'One or more endpoints do not have a zone specified',
  HintsEnabled: 'Topology Aware Hints has been enabled',
  HintsDisabled: 'Topology Aware Hints has been disabled',
} as const;

/** Creates the Event about one address type. */
export const createHintsEvent = (enabled: boolean, message: string, addressType: AddressType): SliceEvent => ({
  type: enabled ? 'Normal' : 'Warning',
  reason: enabled ? 'TopologyAwareHintsEnabled' : 'TopologyAwareHintsDisabled',
  message: `${message}, addressType: ${addressType}`,
});

function abandonHints(set: SliceSet, code: AllocationCode | 'EndpointWithoutZone', message: string): TopologyOutcome {
  revertHints(set);
  return { code, message };
}

/**
 * Counts the hints of an unchanged slice in `zoneCounts`. Returns false without counting if a ready endpoint has no hint, a hint is for
 * a zone without allocation, or a zone would exceed its maximum.
 */
function tryKeepHints(
  { hintsByZone }: ParsedSlice,
  zoneCounts: Map<string, number>,
  allocations: ReadonlyMap<string, Allocation>,
): boolean {
  if (!hintsByZone) return false;
  for (const [zone, count] of hintsByZone) {
    if (count + (zoneCounts.get(zone) ?? 0) > (allocations.get(zone)?.maximum ?? 0)) return false;
  }
  for (const [zone, count] of hintsByZone) zoneCounts.set(zone, (zoneCounts.get(zone) ?? 0) + count);
  return true;
}

/** Whether all endpoints of an unchanged slice have hints for zones without allocation, the condition before `zoneHintsKept`. */
const hasOnlyOtherZones = ({ endpoints }: EndpointSliceInput, allocations: ReadonlyMap<string, Allocation>): boolean =>
  (endpoints ?? []).every(({ hints }) => {
    const zone = hints?.forZones?.[0]?.name;
    return zone !== undefined && zone !== null && !allocations.has(zone);
  });

/** Moves hints from giving to receiving zones until either is exhausted. Mirrors redistributeHints. */
function redistribute(
  slices: readonly EndpointSlice[],
  { givingZones, receivingZones }: Exchange,
  zoneCounts: Map<string, number>,
  getsHint: (endpoint: Endpoint) => boolean,
): void {
  for (const { endpoints } of slices) {
    for (const endpoint of endpoints) {
      const [toZone] = receivingZones.keys();
      if (givingZones.size === 0 || toZone === undefined) return;
      const fromZone = endpoint.zone ?? '';
      if (!getsHint(endpoint) || !givingZones.has(fromZone)) continue;
      endpoint.hints = { forZones: [{ name: toZone }] };
      decrement(givingZones, fromZone);
      decrement(receivingZones, toZone);
      zoneCounts.set(fromZone, (zoneCounts.get(fromZone) ?? 0) - 1);
      zoneCounts.set(toZone, (zoneCounts.get(toZone) ?? 0) + 1);
    }
  }
}

function decrement(counts: Map<string, number>, zone: string): void {
  const remaining = (counts.get(zone) ?? 0) - 1;
  if (remaining > 0) counts.set(zone, remaining);
  else counts.delete(zone);
}
