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
  if (ranks.some((rank) => rank < 0)) return items.toSorted(compare);
  const places = placesInOrder(Uint32Array.from(ranks));
  const sorted: T[] = [];
  for (const place of places) sorted.push(items[place] as T);
  return sortNeighbours(sorted, (at) => ranks[places[at] as number] as number, compare);
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

/** The places of ranks in their order; equal ones keep theirs. A radix sort: digit by digit, the lowest first. */
function placesInOrder(ranks: Uint32Array): Uint32Array {
  let places = Uint32Array.from(ranks.keys());
  let next = new Uint32Array(ranks.length);
  for (let shift = 0; shift < rankBits; shift += digitBits) {
    const starts = startsOf(ranks, shift);
    for (const place of places) {
      const digit = ((ranks[place] as number) >>> shift) & lastDigit;
      const start = starts[digit] as number;
      next[start] = place;
      starts[digit] = start + 1;
    }
    [places, next] = [next, places];
  }
  return places;
}

/** Where those of each digit begin. */
function startsOf(ranks: Uint32Array, shift: number): Uint32Array {
  const starts = new Uint32Array(lastDigit + 2);
  for (const rank of ranks) {
    const digit = (rank >>> shift) & lastDigit;
    starts[digit + 1] = (starts[digit + 1] as number) + 1;
  }
  for (let digit = 0; digit < lastDigit; digit++) starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
  return starts;
}

const rankBits = 32;
const digitBits = 11;
const lastDigit = 2 ** digitBits - 1;

/** Puts runs of one rank into their order, in place. */
function sortNeighbours<T>(items: T[], rankAt: (at: number) => number, compare: (a: T, b: T) => number): T[] {
  for (let start = 0, end = 1; start < items.length; start = end++) {
    const rank = rankAt(start);
    while (end < items.length && rankAt(end) === rank) end++;
    if (end - start < 2) continue;
    const run = items.slice(start, end).sort(compare);
    for (let i = 0; i < run.length; i++) items[start + i] = run[i] as T;
  }
  return items;
}
