import { unclassified } from '../../store/errors.ts';
import { badType, noMergeKey } from '../errors.ts';
import { isMap, own } from '../json.ts';
import { comparable } from './slice.ts';

/**
 * Orders the items of a merged list: `normalizeElementOrder` (1.36, apimachinery/pkg/util/strategicpatch/patch.go). Items of the patch
 * follow the patch, other items keep their order, and both are interleaved by their previous positions.
 */
export function inOrder(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  liveOrder: readonly unknown[],
  mergeKey: string,
  ofMaps: boolean,
): unknown[] {
  const isNamed = finder(patchOrder, mergeKey);
  const fromPatch = merged.filter((item) => isNamed(partitionKey(item, mergeKey)));
  const others = merged.filter((item) => !isNamed(partitionKey(item, mergeKey)));
  const live = positions(liveOrder, mergeKey, ofMaps);
  return interleave(
    sorted(others, liveOrder, live, mergeKey, ofMaps),
    sorted(fromPatch, patchOrder, positions(patchOrder, mergeKey, ofMaps), mergeKey, ofMaps),
    (item) => live.get(keyedBy(item, mergeKey, ofMaps)) ?? -1,
  );
}

function sorted(
  list: readonly unknown[],
  order: readonly unknown[],
  places: ReadonlyMap<unknown, number>,
  mergeKey: string,
  ofMaps: boolean,
): unknown[] {
  if (!ofMaps) {
    return sortByPlace(list, places, mergeKey, ofMaps);
  }
  for (const item of [...list, ...order]) {
    if (!isMap(item)) {
      throw badType({}, item);
    }
    if (own(item, mergeKey) === undefined) {
      throw noMergeKey(item, mergeKey);
    }
  }
  const isDeletion = (item: unknown) => isMap(item) && own(item, '$patch') === 'delete';
  return [
    ...sortByPlace(
      list.filter((item) => !isDeletion(item)),
      places,
      mergeKey,
      ofMaps,
    ),
    ...list.filter(isDeletion),
  ];
}

/**
 * Go's comparison is inconsistent for items without a position: in lists short enough for an insertion sort, each moves before all its
 * predecessors.
 */
function sortByPlace(list: readonly unknown[], places: ReadonlyMap<unknown, number>, mergeKey: string, ofMaps: boolean): unknown[] {
  const placed = list.map((item) => ({ item, place: places.get(keyedBy(item, mergeKey, ofMaps)) }));
  const precedes = (left: number | undefined, right: number | undefined) => left === undefined || right === undefined || left < right;
  if (placed.every(({ place }) => place !== undefined) || placed.length > longestInsertionSort) {
    placed.sort((left, right) => (left.place ?? -1) - (right.place ?? -1));
  } else {
    for (let end = 1; end < placed.length; end++) {
      for (let index = end; index > 0 && precedes(placed[index]?.place, placed[index - 1]?.place); index--) {
        placed.splice(index - 1, 2, ...placed.slice(index - 1, index + 1).reverse());
      }
    }
  }
  return placed.map(({ item }) => item);
}

function interleave(left: readonly unknown[], right: readonly unknown[], place: (item: unknown) => number): unknown[] {
  const result: unknown[] = [];
  let taken = 0;
  for (const item of right) {
    const limit = place(item);
    while (taken < left.length && place(left[taken]) >= 0 && place(left[taken]) < limit) {
      result.push(left[taken]);
      taken += 1;
    }
    result.push(item);
  }
  return [...result, ...left.slice(taken)];
}

function positions(list: readonly unknown[], mergeKey: string, ofMaps: boolean): ReadonlyMap<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [index, item] of list.entries()) {
    const value = keyedBy(item, mergeKey, ofMaps);
    if (!places.has(value)) {
      places.set(value, index);
    }
  }
  return places;
}

const keyedBy = (item: unknown, mergeKey: string, ofMaps: boolean): unknown =>
  ofMaps ? comparable(isMap(item) ? own(item, mergeKey) : null) : comparable(item);

/** Searches keys in the ordering list. The search ends at the first item that is not an object, which is an error if it is reached. */
function finder(order: readonly unknown[], mergeKey: string): (key: unknown) => boolean {
  const end = mergeKey === '' ? -1 : order.findIndex((item) => !isMap(item));
  const searched = end === -1 ? order : order.slice(0, end);
  const keyOf = (item: unknown) => (isMap(item) && mergeKey !== '' ? own(item, mergeKey) : item);
  const keys = new Set(searched.map((item) => (keyOf(item) === undefined ? noKey : comparable(keyOf(item)))));
  return (key) => {
    if (end !== -1 && !keys.has(key)) {
      throw unclassified(`value for key ${end} is not a map`);
    }
    return keys.has(key);
  };
}

function partitionKey(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') {
    return comparable(item);
  }
  if (!isMap(item)) {
    throw badType({}, item);
  }
  if (own(item, mergeKey) === undefined) {
    throw noMergeKey(item, mergeKey);
  }
  return comparable(own(item, mergeKey));
}

const noKey = Symbol('no merge key');

/** Up to this length Go's stable sort is an insertion sort. */
const longestInsertionSort = 20;
