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
  if (isAscending(items)) return items.slice();
  const keys = items.length <= maxPlaces ? numericKeys(items) : undefined;
  if (!keys) return items.toSorted(compare);
  keys.sort();
  return sortNeighbours(
    items.map((_, i) => items[(keys[i] as number) & (maxPlaces - 1)] as T),
    compare,
  );
}

/** Whether items stand in order already, no two of one rank. */
function isAscending(items: readonly Ranked[]): boolean {
  let before = -1;
  for (const { rank } of items) {
    if (rank <= before) return false;
    before = rank;
  }
  return true;
}

/** A key is a rank of 32 bits with the place of its item in 20 bits below, which a number holds exactly. */
const maxPlaces = 2 ** 20;

function numericKeys(items: readonly Ranked[]): Float64Array | undefined {
  const keys = new Float64Array(items.length);
  for (let place = 0; place < items.length; place++) {
    const { rank } = items[place] as Ranked;
    if (rank < 0) return undefined;
    keys[place] = rank * maxPlaces + place;
  }
  return keys;
}

/** Puts runs of one IP into their order, in place. */
function sortNeighbours<T extends Ranked>(items: T[], compare: (a: T, b: T) => number): T[] {
  for (let start = 0, end = 1; start < items.length; start = end++) {
    const { rank } = items[start] as T;
    while (end < items.length && (items[end] as T).rank === rank) end++;
    if (end - start < 2) continue;
    const run = items.slice(start, end).sort(compare);
    for (let i = 0; i < run.length; i++) items[start + i] = run[i] as T;
  }
  return items;
}
