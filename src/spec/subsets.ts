import { compareText } from '../apimachinery/compare.ts';
import { rankOfIPv4 } from '../apimachinery/ip.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, EndpointSubsetInput } from '../types/index.ts';
import { type Profile, profileFor, type ReleaseOptions } from '../versions/index.ts';
import { normalizeSubset } from './equal.ts';
import { isSameAddress, type RankedAddress, sortByAddress } from './order/addresses.ts';
import { sortPorts, sortSubsets } from './order/hashed.ts';

export type RepackOptions = ReleaseOptions;

/**
 * Brings subsets into the canonical form of a release: each address once (by IP and target UID) per set of ports, not ready if
 * any of its duplicates is not ready, everything in the release's order.
 * @throws RangeError for an unknown version
 *
 * Mirrors RepackSubsets (pkg/api/v1/endpoints/util.go).
 */
export const repackSubsets = (subsets: readonly EndpointSubsetInput[], options: RepackOptions = {}): EndpointSubset[] =>
  repack(subsets, profileFor(options.version, options.featureGates));

/** `repackSubsets` with a resolved profile. */
export function repack(subsets: readonly EndpointSubsetInput[], profile: Profile): EndpointSubset[] {
  const ports = createPortSet();
  const offers: Offer[] = [];
  for (const input of subsets) {
    const subset = normalizeSubset(input, profile);
    // appProtocol is a pointer in Go: ports that set it are equal only if they share the same field of one object
    const portIndexes = subset.ports
      ? subset.ports.map((port) => ports.add(port, port.appProtocol === undefined ? '' : String(ports.size)))
      : profile.portlessSubsetsKept
        ? [ports.noPorts]
        : [];
    for (const address of subset.addresses ?? []) offers.push({ address, rank: rankOfIPv4(address.ip), ready: true, ports: portIndexes });
    for (const address of subset.notReadyAddresses ?? [])
      offers.push({ address, rank: rankOfIPv4(address.ip), ready: false, ports: portIndexes });
  }
  return pack(offers, ports.list, profile);
}

/** An address that offers some ports. `ports` are indexes into a list of distinct ports. */
export interface Offer extends RankedAddress {
  readonly ready: boolean;
  readonly ports: readonly number[];
}

/** A growing list of distinct ports. `noPorts` is the index that represents an empty list of ports. */
export interface PortSet {
  readonly list: readonly EndpointPort[];
  readonly size: number;
  readonly noPorts: number;
  /** Returns the index of a port. Ports with equal fields and identity share one. */
  add(port: EndpointPort, identity: string): number;
}

/** Represents an empty list of ports among ports. */
const portless: EndpointPort = { port: -1 };

/** @param noPorts the port of a subset without ports; a port without a number is not listed */
export function createPortSet(noPorts: EndpointPort = portless): PortSet {
  const list: EndpointPort[] = [noPorts];
  const indexes = new Map<string, number>();
  return {
    list,
    noPorts: 0,
    get size() {
      return list.length;
    },
    add(port, identity) {
      const key = JSON.stringify([port.name, port.port, port.protocol, identity]);
      const index = indexes.get(key);
      if (index !== undefined) return index;
      indexes.set(key, list.length);
      return list.push(port) - 1;
    },
  };
}

/**
 * Packs offers into subsets.
 *
 * 1. Sorts offers by IP and UID. Neighbours with the same key are one address; `choose` picks which of the offers represents the address.
 * 2. If no two offers have the same address and all have the same ports, as in most Services, the result is one subset. Otherwise:
 * 3. Records for each port its members: the indexes of its addresses, each with its readiness there. Not ready wins over ready.
 * 4. Ports with the same members share a subset. A port without a number contributes its addresses but is not listed.
 * 5. Sorts ports and subsets in the release's order.
 */
export function pack(
  offers: readonly Offer[],
  ports: readonly EndpointPort[],
  profile: Profile,
  choose: Choice = chooseFirst,
): EndpointSubset[] {
  const sortedOffers = sortByAddress(offers);
  if (isPerPod(sortedOffers[0]?.ports, ports, profile)) {
    return sortedOffers.map(({ address, ready, ports: indexes }) =>
      createSubset(ready ? [address] : [], ready ? [] : [address], indexes, ports, profile),
    );
  }
  const singleSubset = createUniformSubset(sortedOffers, ports, profile);
  if (singleSubset) return [singleSubset];
  const addresses: EndpointAddress[] = [];
  const members: number[][] = ports.map(() => []);
  let previousOffer: Offer | undefined;
  for (const offer of sortedOffers) {
    if (!previousOffer || !isSameAddress(previousOffer, offer)) addresses.push(offer.address);
    else addresses.push(choose(addresses.pop() as EndpointAddress, offer.address));
    previousOffer = offer;
    for (const index of offer.ports) recordMember(members[index] as number[], addresses.length - 1, offer.ready);
  }
  const subsets = groupByMembers(members).map((group) => createGroupSubset(group, members, addresses, ports, profile));
  return sortSubsets(subsets, profile);
}

/** Whether every pod has its own subset, in any order: that of a headless Service without ports, before `portlessSubsetsKept`. */
export const isPerPod = (indexes: readonly number[] | undefined, ports: readonly EndpointPort[], profile: Profile): boolean =>
  !profile.portlessSubsetsKept && ports[indexes?.[0] ?? -1]?.port === portless.port;

/** Creates the single subset of sorted offers that share one array of ports and have distinct addresses; undefined for other offers. */
function createUniformSubset(sorted: readonly Offer[], ports: readonly EndpointPort[], profile: Profile): EndpointSubset | undefined {
  const ready: EndpointAddress[] = [];
  const notReady: EndpointAddress[] = [];
  let previousOffer: Offer | undefined;
  for (const offer of sorted) {
    if (previousOffer && (offer.ports !== previousOffer.ports || isSameAddress(previousOffer, offer))) return undefined;
    (offer.ready ? ready : notReady).push(offer.address);
    previousOffer = offer;
  }
  return previousOffer && createSubset(ready, notReady, [...new Set(previousOffer.ports)], ports, profile);
}

/** Picks which of two equal addresses represents both. */
export type Choice = (one: EndpointAddress, other: EndpointAddress) => EndpointAddress;

const chooseFirst: Choice = (one) => one;

/** Chooses the address that is first as JSON text, independent of input order. Upstream's choice is random. */
export const chooseLesser: Choice = (one, other) => (compareText(JSON.stringify(one), JSON.stringify(other)) <= 0 ? one : other);

/** Adds an address to a port's members, encoded as twice its index, plus one if ready. If already added, not ready wins. */
function recordMember(members: number[], index: number, ready: boolean): void {
  const last = members[members.length - 1];
  if (last === undefined || last >> 1 !== index) members.push(index * 2 + Number(ready));
  else if (!ready) members[members.length - 1] = index * 2;
}

/** Groups the indexes of ports that have equal members. Ports without members are left out. */
function groupByMembers(members: readonly (readonly number[])[]): number[][] {
  const buckets = new Map<number, number[][]>();
  const groups: number[][] = [];
  for (const [port, list] of members.entries()) {
    if (list.length === 0) continue;
    const digest = computeDigest(list);
    const bucket = buckets.get(digest) ?? [];
    buckets.set(digest, bucket);
    const group = bucket.find(([first]) => sameNumbers(members[first as number] as readonly number[], list));
    if (group) {
      group.push(port);
      continue;
    }
    const newGroup = [port];
    groups.push(newGroup);
    bucket.push(newGroup);
  }
  return groups;
}

function computeDigest(list: readonly number[]): number {
  let digest = list.length;
  for (const value of list) digest = (Math.imul(digest, 31) + value) | 0;
  return digest;
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((value, i) => value === b[i]);

function createGroupSubset(
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
  return createSubset(ready, notReady, group, ports, profile);
}

/** Creates a subset of these sorted addresses with the ports at these indexes, except ports without a number. */
export function createSubset(
  ready: EndpointAddress[],
  notReady: EndpointAddress[],
  indexes: readonly number[],
  ports: readonly EndpointPort[],
  profile: Profile,
): EndpointSubset {
  const lowestNumber = profile.portlessSubsetsKept ? 1 : 0;
  const numberedPorts = indexes.map((index) => ports[index] as EndpointPort).filter(({ port }) => port >= lowestNumber);
  return {
    ...(ready.length && { addresses: ready }),
    ...(notReady.length && { notReadyAddresses: notReady }),
    ...(numberedPorts.length && { ports: sortPorts(numberedPorts, profile) }),
  };
}

/** Deeply copies subsets, so that the caller may change the result. */
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
