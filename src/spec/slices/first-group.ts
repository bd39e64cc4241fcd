import { rankOfIPv4 } from '../../apimachinery/ip.ts';
import { compareEndpoints } from '../../incremental/slices/entries.ts';
import type { DesiredGroup, PortGroup } from '../../incremental/slices/group.ts';
import type { AddressType, Endpoint } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { sortByRanks } from '../order/addresses.ts';
import { haveSameKey } from './endpoint.ts';

/** The group of a Service that has no slices yet: nothing is ever looked for in it, and it hands out what it was given. */
export interface FirstGroup extends DesiredGroup {
  add(endpoint: Endpoint): void;
}

/** Makes an empty set for one sync over no slices. */
export function createFirstGroup({ key, ports }: PortGroup, addressType: AddressType, profile: Profile): FirstGroup {
  let endpoints: Endpoint[] = [];
  let ranks: number[] = [];
  return {
    key,
    ports,
    addressType,
    add(endpoint) {
      endpoints.push(endpoint);
      ranks.push(rankOfIPv4(endpoint.addresses[0] ?? ''));
    },
    match: () => [],
    takeRest() {
      let mayHaveTwins = false;
      // endpoints are compared only where their first addresses are one, or are no plain IPv4
      const sorted = sortByRanks(endpoints, ranks, (a, b) => {
        mayHaveTwins = true;
        return compareEndpoints(a, b);
      });
      endpoints = [];
      ranks = [];
      return mayHaveTwins ? sorted.filter((endpoint, i) => !isFollowedByTwin(endpoint, sorted[i + 1], profile)) : sorted;
    },
  };
}

/** Whether the endpoint that follows in order is of the same key, and so preferred. */
const isFollowedByTwin = (endpoint: Endpoint, next: Endpoint | undefined, profile: Profile): boolean =>
  next !== undefined && haveSameKey(endpoint, next, profile);
