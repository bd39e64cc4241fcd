import { rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { AddressType, Endpoint, EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { sortByRanks } from '../order/addresses.ts';
import { areEqualBeyondKey, compareEndpoints, compareTargets, endpointKey, haveSameKey } from './endpoint.ts';
import type { PortGroup } from './ports.ts';

/** The endpoints of one address type with the same ports. Each slice takes its endpoints from the group; the rest go into other slices. */
export interface DesiredGroup extends PortGroup {
  readonly addressType: AddressType;
  /** Takes the endpoints of a slice from the group. Returns them in their desired state; undefined if the slice needs no change. */
  takeEndpointsOf(slice: EndpointSliceInput): Endpoint[] | undefined;
  /** Takes the endpoints that no slice has taken, sorted by address. */
  takeRemaining(): Endpoint[];
}

/** A group for one sync, filled by `add`. */
export interface EndpointGroup extends DesiredGroup {
  add(endpoint: Endpoint): void;
}

export function createGroup({ key, ports }: PortGroup, addressType: AddressType, profile: Profile): EndpointGroup {
  const endpoints: Endpoint[] = [];
  let remaining: Map<string, Endpoint> | undefined;
  return {
    key,
    ports,
    addressType,
    add: (endpoint) => void endpoints.push(endpoint),
    takeEndpointsOf(slice) {
      // Built on demand, because a Service without slices needs no index.
      remaining ??= indexPreferred(endpoints, profile);
      return takeDesired(slice, remaining, profile);
    },
    takeRemaining() {
      const remainingEndpoints = remaining ? [...remaining.values()] : endpoints;
      remaining = new Map();
      return sortEndpoints(remainingEndpoints, profile);
    },
  };
}

/** Indexes endpoints by key. Of several endpoints with one key, the last by target wins. Upstream picks one at random. */
function indexPreferred(endpoints: readonly Endpoint[], profile: Profile): Map<string, Endpoint> {
  const byKey = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const key = endpointKey(endpoint, profile);
    const preferredEndpoint = byKey.get(key);
    if (!preferredEndpoint || compareTargets(preferredEndpoint, endpoint) <= 0) byKey.set(key, endpoint);
  }
  return byKey;
}

function takeDesired({ endpoints }: EndpointSliceInput, remaining: Map<string, Endpoint>, profile: Profile): Endpoint[] | undefined {
  const sliceEndpoints: readonly EndpointInput[] = endpoints ?? [];
  const takenEndpoints: Endpoint[] = [];
  let isChanged = false;
  for (const endpoint of sliceEndpoints) {
    const key = endpointKey(endpoint, profile);
    const desired = remaining.get(key);
    if (!desired) continue;
    remaining.delete(key);
    takenEndpoints.push(desired);
    isChanged ||= !areEqualBeyondKey(desired, endpoint, profile);
  }
  return isChanged || takenEndpoints.length !== sliceEndpoints.length ? takenEndpoints : undefined;
}

/** Sorts endpoints by their addresses. Of several endpoints with one key, only the preferred one remains. */
export function sortEndpoints(endpoints: readonly Endpoint[], profile: Profile): Endpoint[] {
  let mayHaveDuplicates = false;
  const ranks = endpoints.map(({ addresses }) => rankOfIPv4(addresses[0] ?? ''));
  // The comparison runs only if first addresses are equal or not canonical IPv4.
  const sorted = sortByRanks(endpoints, ranks, (a, b) => {
    mayHaveDuplicates = true;
    return compareEndpoints(a, b);
  });
  return mayHaveDuplicates ? sorted.filter((endpoint, i) => !isFollowedByDuplicate(endpoint, sorted[i + 1], profile)) : sorted;
}

const isFollowedByDuplicate = (endpoint: Endpoint, next: Endpoint | undefined, profile: Profile): boolean =>
  next !== undefined && haveSameKey(endpoint, next, profile);
