import { rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { AddressType, Endpoint, EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { sortByRanks } from '../order/addresses.ts';
import { compareEndpoints, compareTargets, endpointKey, equalBeyondKey, haveSameKey } from './endpoint.ts';
import type { PortGroup } from './ports.ts';

/** The endpoints of one address type with the same ports. Slices take endpoints from it until it is empty. */
export interface DesiredGroup extends PortGroup {
  readonly addressType: AddressType;
  /** Takes the endpoints of a slice from the group. Returns them in their desired state; undefined if the slice needs no change. */
  match(slice: EndpointSliceInput): Endpoint[] | undefined;
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
    match(slice) {
      // Built on demand, because a Service without slices needs no index.
      remaining ??= preferredByKey(endpoints, profile);
      return takeDesired(slice, remaining, profile);
    },
    takeRemaining() {
      const rest = remaining ? [...remaining.values()] : endpoints;
      remaining = new Map();
      return sortEndpoints(rest, profile);
    },
  };
}

/** Of several endpoints with one key, the last by target wins. Upstream picks one at random. */
function preferredByKey(endpoints: readonly Endpoint[], profile: Profile): Map<string, Endpoint> {
  const byKey = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const key = endpointKey(endpoint, profile);
    const preferred = byKey.get(key);
    if (!preferred || compareTargets(preferred, endpoint) <= 0) byKey.set(key, endpoint);
  }
  return byKey;
}

function takeDesired({ endpoints }: EndpointSliceInput, remaining: Map<string, Endpoint>, profile: Profile): Endpoint[] | undefined {
  const existing: readonly EndpointInput[] = endpoints ?? [];
  const takenEndpoints: Endpoint[] = [];
  let isChanged = false;
  for (const endpoint of existing) {
    const key = endpointKey(endpoint, profile);
    const desired = remaining.get(key);
    if (!desired) continue;
    remaining.delete(key);
    takenEndpoints.push(desired);
    isChanged ||= !equalBeyondKey(desired, endpoint, profile);
  }
  return isChanged || takenEndpoints.length !== existing.length ? takenEndpoints : undefined;
}

/** Sorts endpoints by their addresses. Of several with one key, only the preferred one remains. */
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
