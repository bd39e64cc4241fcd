import { unclassified } from '../../store/errors.ts';
import { badType, noMergeKey } from '../errors.ts';
import { isMap, own } from '../json.ts';
import { comparable } from './slice.ts';

/**
 * Brings the items of a merged list into order: `normalizeElementOrder` (1.36, apimachinery/pkg/util/strategicpatch/patch.go). Items of
 * the patch stand as the patch says, the others as they stood, and the two are interleaved by where they stood before.
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

/** Go's order is none where an item has no place: each such item goes before all that precede it, in lists short enough for that. */
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

/** Looks for keys in the list that gives the order. What is no object stops the search, and is an error if it comes to that. */
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

/** From here on Go's stable sort no longer inserts one by one. */
const longestInsertionSort = 20;
