import { compareText } from '../apimachinery/compare.ts';
import { rankOfIPv4 } from '../apimachinery/ip.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, EndpointSubsetInput } from '../types/index.ts';
import { type Profile, profileFor } from '../versions/index.ts';
import { readSubset } from './equal.ts';
import { type Addressed, isSameAddress, sortByAddress } from './order/addresses.ts';
import { sortPorts, sortSubsets } from './order/hashed.ts';

export interface RepackOptions {
  /** "1.17" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string;
}

/**
 * Brings subsets into the canonical form of a release: every address once (by IP and target UID) for each set of ports it
 * offers, not ready where any of its duplicates is not ready, everything in the release's order.
 * @throws RangeError for an unknown version
 *
 * Mirrors RepackSubsets (pkg/api/v1/endpoints/util.go).
 */
export const repackSubsets = (subsets: readonly EndpointSubsetInput[], options: RepackOptions = {}): EndpointSubset[] =>
  repack(subsets, profileFor(options.version));

/** `repackSubsets` under a profile that is at hand. */
export function repack(subsets: readonly EndpointSubsetInput[], profile: Profile): EndpointSubset[] {
  const ports = createPortSet();
  const offers: Offer[] = [];
  for (const input of subsets) {
    const subset = readSubset(input, profile);
    // an appProtocol is a pointer in Go: ports that have one are the same only if they are the same field of one object
    const ids = subset.ports
      ? subset.ports.map((port) => ports.add(port, port.appProtocol === undefined ? '' : String(ports.size)))
      : [ports.none];
    for (const address of subset.addresses ?? []) offers.push({ address, rank: rankOfIPv4(address.ip), ready: true, ports: ids });
    for (const address of subset.notReadyAddresses ?? []) offers.push({ address, rank: rankOfIPv4(address.ip), ready: false, ports: ids });
  }
  return pack(offers, ports.list, profile);
}

/** One address that offers some ports, which are places in a list of distinct ports. */
export interface Offer extends Addressed {
  readonly ready: boolean;
  readonly ports: readonly number[];
}

/** A list of distinct ports that grows. `none` stands for "no ports at all". */
export interface PortSet {
  readonly list: readonly EndpointPort[];
  readonly size: number;
  readonly none: number;
  /** The place of a port. Ports that look the same and have the same identity are one. */
  add(port: EndpointPort, identity: string): number;
}

export function createPortSet(): PortSet {
  const noPorts: EndpointPort = { port: -1 };
  const list: EndpointPort[] = [noPorts];
  const places = new Map<string, number>();
  return {
    list,
    none: 0,
    get size() {
      return list.length;
    },
    add(port, identity) {
      const key = JSON.stringify([port.name, port.port, port.protocol, identity]);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, list.length);
      return list.push(port) - 1;
    },
  };
}

/**
 * The subsets that offers make.
 *
 * 1. Offers are sorted by IP and UID; neighbours with the same key are one address, and one of them is chosen for it in full.
 * 2. Where no two are one and all offer the same ports, as in most Services, there is one subset. Otherwise:
 * 3. For every port, its members are noted: the places of its addresses, each with whether it is ready there. Not ready
 *    wins over ready.
 * 4. Ports with the same members share a subset. A port without a number gives the subset its addresses but is not listed.
 * 5. Ports and subsets are put into the release's order.
 */
export function pack(offers: readonly Offer[], ports: readonly EndpointPort[], profile: Profile, choose: Choice = first): EndpointSubset[] {
  const sorted = sortByAddress(offers);
  const uniform = uniformSubset(sorted, ports, profile);
  if (uniform) return [uniform];
  const addresses: EndpointAddress[] = [];
  const members: number[][] = ports.map(() => []);
  let previous: Offer | undefined;
  for (const offer of sorted) {
    if (!previous || !isSameAddress(previous, offer)) addresses.push(offer.address);
    else addresses.push(choose(addresses.pop() as EndpointAddress, offer.address));
    previous = offer;
    for (const place of offer.ports) note(members[place] as number[], addresses.length - 1, offer.ready);
  }
  const subsets = groupsOf(members).map((group) => subsetOf(group, members, addresses, ports, profile));
  return sortSubsets(subsets, profile);
}

/** The one subset of sorted offers that are all of the very same ports, no two of the same address; undefined for others. */
function uniformSubset(sorted: readonly Offer[], ports: readonly EndpointPort[], profile: Profile): EndpointSubset | undefined {
  const ready: EndpointAddress[] = [];
  const notReady: EndpointAddress[] = [];
  let previous: Offer | undefined;
  for (const offer of sorted) {
    if (previous && (offer.ports !== previous.ports || isSameAddress(previous, offer))) return undefined;
    (offer.ready ? ready : notReady).push(offer.address);
    previous = offer;
  }
  return previous && subsetWith(ready, notReady, [...new Set(previous.ports)], ports, profile);
}

/** Which of two addresses that are one to the controller stands for both. */
export type Choice = (one: EndpointAddress, other: EndpointAddress) => EndpointAddress;

const first: Choice = (one) => one;

/** Where upstream's choice is random: the same one in whatever order they come. */
export const lesser: Choice = (one, other) => (compareText(JSON.stringify(one), JSON.stringify(other)) <= 0 ? one : other);

/** Members are written as twice the place of the address, plus one where it is ready. */
function note(members: number[], place: number, ready: boolean): void {
  const last = members[members.length - 1];
  if (last === undefined || last >> 1 !== place) members.push(place * 2 + Number(ready));
  else if (!ready) members[members.length - 1] = place * 2;
}

/** The places of ports, grouped by equal members; ports without any are left out. */
function groupsOf(members: readonly (readonly number[])[]): number[][] {
  const buckets = new Map<number, number[][]>();
  const groups: number[][] = [];
  for (const [port, list] of members.entries()) {
    if (list.length === 0) continue;
    const digest = digestOf(list);
    const bucket = buckets.get(digest) ?? [];
    buckets.set(digest, bucket);
    const group = bucket.find(([first]) => sameNumbers(members[first as number] as readonly number[], list));
    if (group) {
      group.push(port);
      continue;
    }
    const fresh = [port];
    groups.push(fresh);
    bucket.push(fresh);
  }
  return groups;
}

function digestOf(list: readonly number[]): number {
  let digest = list.length;
  for (const value of list) digest = (Math.imul(digest, 31) + value) | 0;
  return digest;
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((value, i) => value === b[i]);

function subsetOf(
  group: readonly number[],
  members: readonly (readonly number[])[],
  addresses: readonly EndpointAddress[],
  ports: readonly EndpointPort[],
  profile: Profile,
): EndpointSubset {
  const ready: EndpointAddress[] = [];
  const notReady: EndpointAddress[] = [];
  for (const member of members[group[0] as number] as readonly number[]) {
    (member & 1 ? ready : notReady).push(addresses[member >> 1] as EndpointAddress);
  }
  return subsetWith(ready, notReady, group, ports, profile);
}

/** A subset of these addresses, in order already, under the ports at these places. */
export function subsetWith(
  ready: EndpointAddress[],
  notReady: EndpointAddress[],
  places: readonly number[],
  ports: readonly EndpointPort[],
  profile: Profile,
): EndpointSubset {
  const listed = places.map((place) => ports[place] as EndpointPort).filter(({ port }) => port > 0);
  return {
    ...(ready.length && { addresses: ready }),
    ...(notReady.length && { notReadyAddresses: notReady }),
    ...(listed.length && { ports: sortPorts(listed, profile) }),
  };
}

/** Copies that a caller may change. */
export const copySubsets = (subsets: readonly EndpointSubset[]): EndpointSubset[] =>
  subsets.map(({ addresses, notReadyAddresses, ports }) => ({
    ...(addresses && { addresses: addresses.map(copyAddress) }),
    ...(notReadyAddresses && { notReadyAddresses: notReadyAddresses.map(copyAddress) }),
    ...(ports && { ports: ports.map((port) => ({ ...port })) }),
  }));

function copyAddress(address: EndpointAddress): EndpointAddress {
  const copy = { ...address };
  if (copy.targetRef) copy.targetRef = { ...copy.targetRef };
  return copy;
}
