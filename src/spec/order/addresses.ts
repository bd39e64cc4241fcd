import { compareText } from '../../apimachinery/compare.ts';
import type { EndpointAddress, EndpointAddressInput } from '../../types/index.ts';

export interface RankedAddress {
  readonly address: EndpointAddress;
  /** `rankOfIPv4` of the IP: negative unless the IP is a plain IPv4 address. */
  readonly rank: number;
}

/** Compares by IP as text, then by the target's UID. Mirrors LessEndpointAddress (pkg/api/v1/endpoints/util.go). */
export function compareAddresses(a: EndpointAddressInput, b: EndpointAddressInput): number {
  const [one, other] = [a.ip ?? '', b.ip ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return compareText(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
}

/** Whether the controller treats two addresses as the same: equal IP and target UID. */
export const isSameAddress = (a: RankedAddress, b: RankedAddress): boolean =>
  a.rank === b.rank && compareAddresses(a.address, b.address) === 0;

/** Sorts by address (stable). */
export const sortByAddress = <T extends RankedAddress>(items: readonly T[]): T[] =>
  sortByRank(items, (a, b) => compareAddresses(a.address, b.address));

/** An item with the `rankOfIPv4` of its IP: negative unless the IP is a plain IPv4 address. */
export interface Ranked {
  readonly rank: number;
}

/**
 * Sorts by `compare`, which must compare the IPs as text before anything else. The sort is stable.
 *
 * In text order, 10.0.0.10 comes before 10.0.0.2. Ranks of plain IPv4 addresses follow this order, and numbers sort many times
 * faster than texts, so ranks are used if all addresses are plain IPv4.
 */
export function sortByRank<T extends Ranked>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  return sortByRanks(
    items,
    items.map(({ rank }) => rank),
    compare,
  );
}

/** `sortByRank` with the ranks in a separate array, so that most items are never read. */
export function sortByRanks<T>(items: readonly T[], ranks: readonly number[], compare: (a: T, b: T) => number): T[] {
  if (isAscending(ranks)) return items.slice();
  const indexes = ranks.length < radixSortThreshold ? indexesByComparison(ranks) : indexesByRadixSort(ranks);
  if (!indexes) return items.toSorted(compare);
  const sorted = items.map((_, i) => items[indexes[i] as number] as T);
  return sortRuns(sorted, (i) => ranks[indexes[i] as number] as number, compare);
}

/** Whether ranks are strictly ascending and not negative. */
function isAscending(ranks: readonly number[]): boolean {
  let previous = -1;
  for (const rank of ranks) {
    if (rank <= previous) return false;
    previous = rank;
  }
  return true;
}

/** From this many ranks on, a radix sort is faster than a comparison sort. */
const radixSortThreshold = 2048;

/** Returns the indexes of ranks in ascending order of rank (stable); undefined if a rank is negative. */
function indexesByComparison(ranks: readonly number[]): Int32Array | undefined {
  const keys = new Float64Array(ranks.length);
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] as number;
    if (rank < 0) return undefined;
    // The index in the lowest 11 bits, the 32-bit rank above it: a double holds 43 bits exactly.
    keys[index] = rank * radixSortThreshold + index;
  }
  keys.sort();
  const indexes = new Int32Array(ranks.length);
  for (let i = 0; i < keys.length; i++) indexes[i] = (keys[i] as number) & (radixSortThreshold - 1);
  return indexes;
}

/** Like `indexesByComparison`, by radix sort from the lowest digit. Typed arrays are iterated by index, which is faster. */
function indexesByRadixSort(ranks: readonly number[]): Int32Array | undefined {
  const bits = new Int32Array(ranks.length);
  let indexes = new Int32Array(ranks.length);
  let nextIndexes = new Int32Array(ranks.length);
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] as number;
    if (rank < 0) return undefined;
    bits[index] = rank | 0;
    indexes[index] = index;
  }
  for (let shift = 0; shift < rankBits; shift += digitBits) {
    const starts = computeStarts(bits, shift);
    for (let i = 0; i < indexes.length; i++) {
      const index = indexes[i] as number;
      const digit = ((bits[index] as number) >>> shift) & maxDigit;
      const start = starts[digit] as number;
      nextIndexes[start] = index;
      starts[digit] = start + 1;
    }
    [indexes, nextIndexes] = [nextIndexes, indexes];
  }
  return indexes;
}

/** Computes the index at which each digit starts. */
function computeStarts(bits: Int32Array, shift: number): Int32Array {
  const starts = new Int32Array(maxDigit + 2);
  for (let i = 0; i < bits.length; i++) {
    const digit = ((bits[i] as number) >>> shift) & maxDigit;
    starts[digit + 1] = (starts[digit + 1] as number) + 1;
  }
  for (let digit = 0; digit < maxDigit; digit++) starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
  return starts;
}

const rankBits = 32;
const digitBits = 8;
const maxDigit = 2 ** digitBits - 1;

/** Sorts runs of equal rank with `compare`, in place. */
function sortRuns<T>(items: T[], rankAt: (index: number) => number, compare: (a: T, b: T) => number): T[] {
  for (let start = 0, end = 1; start < items.length; start = end++) {
    const rank = rankAt(start);
    while (end < items.length && rankAt(end) === rank) end++;
    if (end - start < 2) continue;
    const run = items.slice(start, end).sort(compare);
    for (let i = 0; i < run.length; i++) items[start + i] = run[i] as T;
  }
  return items;
}
