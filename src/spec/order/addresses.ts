import { compareText } from '../../apimachinery/compare.ts';
import type { EndpointAddress, EndpointAddressInput } from '../../types/index.ts';

export interface Addressed {
  readonly address: EndpointAddress;
  /** `rankOfIPv4` of its IP. */
  readonly rank: number;
}

/** By IP as text, then by the target's UID. Mirrors LessEndpointAddress (pkg/api/v1/endpoints/util.go). */
export function compareAddresses(a: EndpointAddressInput, b: EndpointAddressInput): number {
  const [one, other] = [a.ip ?? '', b.ip ?? ''];
  if (one !== other) return one < other ? -1 : 1;
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
  const places = ranks.length < many ? placesByComparing(ranks) : placesByCounting(ranks);
  if (!places) return items.toSorted(compare);
  const sorted = items.map((_, at) => items[places[at] as number] as T);
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

/** From so many ranks on, counting digits is faster than comparing. */
const many = 2048;

/** The places of ranks in their order; equal ones keep theirs. Undefined where one is negative. */
function placesByComparing(ranks: readonly number[]): Int32Array | undefined {
  const keys = new Float64Array(ranks.length);
  for (let place = 0; place < ranks.length; place++) {
    const rank = ranks[place] as number;
    if (rank < 0) return undefined;
    // a rank of 32 bits with its place in the bits below it, which a number holds exactly
    keys[place] = rank * many + place;
  }
  keys.sort();
  const places = new Int32Array(ranks.length);
  for (let i = 0; i < keys.length; i++) places[i] = (keys[i] as number) & (many - 1);
  return places;
}

/** The same by a radix sort: digit by digit, the lowest first. Typed arrays are faster walked through by index. */
function placesByCounting(ranks: readonly number[]): Int32Array | undefined {
  const bits = new Int32Array(ranks.length);
  let places = new Int32Array(ranks.length);
  let next = new Int32Array(ranks.length);
  for (let place = 0; place < ranks.length; place++) {
    const rank = ranks[place] as number;
    if (rank < 0) return undefined;
    bits[place] = rank | 0;
    places[place] = place;
  }
  for (let shift = 0; shift < rankBits; shift += digitBits) {
    const starts = startsOf(bits, shift);
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number;
      const digit = ((bits[place] as number) >>> shift) & lastDigit;
      const start = starts[digit] as number;
      next[start] = place;
      starts[digit] = start + 1;
    }
    [places, next] = [next, places];
  }
  return places;
}

/** Where those of each digit begin. */
function startsOf(bits: Int32Array, shift: number): Int32Array {
  const starts = new Int32Array(lastDigit + 2);
  for (let i = 0; i < bits.length; i++) {
    const digit = ((bits[i] as number) >>> shift) & lastDigit;
    starts[digit + 1] = (starts[digit + 1] as number) + 1;
  }
  for (let digit = 0; digit < lastDigit; digit++) starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
  return starts;
}

const rankBits = 32;
const digitBits = 8;
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
