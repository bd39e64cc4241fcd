import type { EndpointAddress } from '../../types/index.ts';
import { compareText } from '../text.ts';

export interface Addressed {
  readonly address: EndpointAddress;
  /** `rankOfIPv4` of its IP. */
  readonly rank: number;
}

/** By IP as text, then by the target's UID. Mirrors LessEndpointAddress (pkg/api/v1/endpoints/util.go). */
export function compareAddresses(a: EndpointAddress, b: EndpointAddress): number {
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1;
  return compareText(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
}

/** Whether two addresses are one to the controller: the same IP and target UID. */
export const isSameAddress = (a: Addressed, b: Addressed): boolean => a.rank === b.rank && compareAddresses(a.address, b.address) === 0;

/** Sorts what has an address by it; equal addresses keep their order. */
export const sortByAddress = <T extends Addressed>(items: readonly T[]): T[] =>
  sortByRank(items, (a, b) => compareAddresses(a.address, b.address));

/** What has a `rankOfIPv4` of its own. */
export interface Ranked {
  readonly rank: number;
}

/**
 * Sorts by IP as text, then by what `compare` says of two; equal ones keep their order. `compare` must begin with the IP.
 *
 * The order is that of texts, in which 10.0.0.10 comes before 10.0.0.2. Plain IPv4 addresses can be ranked in it, and
 * numbers sort many times faster than texts, so ranks are used where there are no other addresses.
 */
export function sortByRank<T extends Ranked>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  return sortByRanks(
    items,
    items.map(({ rank }) => rank),
    compare,
  );
}

/** `sortByRank` of items whose ranks are told beside them, so that most items are not looked into. */
export function sortByRanks<T>(items: readonly T[], ranks: readonly number[], compare: (a: T, b: T) => number): T[] {
  if (isAscending(ranks)) return items.slice();
  const keys = items.length <= maxPlaces ? numericKeys(ranks) : undefined;
  if (!keys) return items.toSorted(compare);
  keys.sort();
  const sorted = items.map((_, i) => items[(keys[i] as number) & (maxPlaces - 1)] as T);
  return sortNeighbours(sorted, keys, compare);
}

/** Whether ranks stand in order already, no two the same. */
function isAscending(ranks: readonly number[]): boolean {
  let before = -1;
  for (const rank of ranks) {
    if (rank <= before) return false;
    before = rank;
  }
  return true;
}

/** A key is a rank of 32 bits with the place of its item in 20 bits below, which a number holds exactly. */
const maxPlaces = 2 ** 20;

function numericKeys(ranks: readonly number[]): Float64Array | undefined {
  const keys = new Float64Array(ranks.length);
  for (let place = 0; place < ranks.length; place++) {
    const rank = ranks[place] as number;
    if (rank < 0) return undefined;
    keys[place] = rank * maxPlaces + place;
  }
  return keys;
}

/** Puts runs of one rank into their order, in place. */
function sortNeighbours<T>(items: T[], keys: Float64Array, compare: (a: T, b: T) => number): T[] {
  const rankAt = (at: number): number => Math.floor((keys[at] as number) / maxPlaces);
  for (let start = 0, end = 1; start < items.length; start = end++) {
    const rank = rankAt(start);
    while (end < items.length && rankAt(end) === rank) end++;
    if (end - start < 2) continue;
    const run = items.slice(start, end).sort(compare);
    for (let i = 0; i < run.length; i++) items[start + i] = run[i] as T;
  }
  return items;
}
