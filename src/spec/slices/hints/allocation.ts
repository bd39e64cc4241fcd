/** Why the ready endpoints of a Service cannot be allocated to the zones. */
export type AllocationCode = 'InsufficientNodeInfo' | 'InsufficientNumberOfEndpoints' | 'MinAllocationExceedsOverloadThreshold';

/** The number of endpoints that a zone should get. */
export interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

/** The maximum overload of an endpoint: a zone needs at least its desired number of endpoints divided by 1.2. */
const overloadThreshold = 0.2;

/** The minimum number of endpoints for a zone with this desired number. */
const minimumFor = (desired: number): number => Math.ceil(desired * (1 / (1 + overloadThreshold)));

/**
 * Computes the number of ready endpoints to allocate to each zone, or returns why they cannot be allocated.
 * Mirrors getAllocations (1.36, staging/src/k8s.io/endpointslice/topologycache/topologycache.go).
 */
export function allocate(shares: ReadonlyMap<string, number>, readyCount: number): ReadonlyMap<string, Allocation> | AllocationCode {
  if (shares.size > readyCount) return 'InsufficientNumberOfEndpoints';
  const desiredCounts = [...shares].map(([zone, share]) => ({
    zone,
    desired: share * readyCount,
    minimum: minimumFor(share * readyCount),
  }));
  const unallocatedCount = desiredCounts.reduce((count, { minimum }) => count - minimum, readyCount);
  if (unallocatedCount < 0) return 'MinAllocationExceedsOverloadThreshold';
  return new Map(
    desiredCounts.map((each) => [
      each.zone,
      { minimum: each.minimum, maximum: each.minimum + unallocatedCount, desired: Math.max(each.desired, each.minimum) },
    ]),
  );
}

/**
 * Whether a zone has too few endpoints for its share, so that hints must be recomputed. `zoneCounts` is the number of endpoints
 * that have a hint for each zone.
 * Mirrors serviceOverloaded (1.36, staging/src/k8s.io/endpointslice/topologycache/utils.go).
 */
export function isOverloaded(zoneCounts: ReadonlyMap<string, number>, shares: ReadonlyMap<string, number> | undefined): boolean {
  if (zoneCounts.size === 0) return false;
  if (!shares || shares.size === 0) return true;
  let total = 0;
  for (const count of zoneCounts.values()) total += count;
  return [...shares].some(([zone, share]) => (zoneCounts.get(zone) ?? -1) < minimumFor(total * share));
}

/** How many endpoints each zone gives to and receives from other zones. The maps list zones in the order of their first exchange. */
export interface Exchange {
  readonly givingZones: Map<string, number>;
  readonly receivingZones: Map<string, number>;
}

/**
 * Calculates how many endpoints each zone gives away or receives. `zoneCounts` is the current number of endpoints of each zone.
 * Mirrors getGivingAndReceivingZones (1.36, staging/src/k8s.io/endpointslice/topologycache/utils.go).
 */
export function calculateExchange(allocations: ReadonlyMap<string, Allocation>, zoneCounts: ReadonlyMap<string, number>): Exchange {
  const surplus = new Map<string, number>();
  const deficit = new Map<string, number>();
  for (const [zone, { desired }] of allocations) {
    const current = zoneCounts.get(zone) ?? 0;
    if (current > desired) surplus.set(zone, current - desired);
    else if (current < desired) deficit.set(zone, desired - current);
  }
  const exchange: Exchange = { givingZones: new Map(), receivingZones: new Map() };
  for (;;) {
    const giver = findHighest(surplus);
    const receiver = findHighest(deficit);
    if (!giver || !receiver || (giver.count < 1 && receiver.count < 1) || giver.count < 0.5 || receiver.count < 0.5) return exchange;
    exchange.givingZones.set(giver.zone, (exchange.givingZones.get(giver.zone) ?? 0) + 1);
    exchange.receivingZones.set(receiver.zone, (exchange.receivingZones.get(receiver.zone) ?? 0) + 1);
    surplus.set(giver.zone, giver.count - 1);
    deficit.set(receiver.zone, receiver.count - 1);
  }
}

/** Finds the zone with the highest positive count, or the first of several equal ones. Undefined if no count is positive. */
function findHighest(counts: ReadonlyMap<string, number>): { readonly zone: string; readonly count: number } | undefined {
  let highest: { zone: string; count: number } | undefined;
  for (const [zone, count] of counts) if (count > (highest?.count ?? 0)) highest = { zone, count };
  return highest;
}
