import { unclassified } from '../../store/errors.ts';
import { badType, noMergeKey } from '../errors.ts';
import { isMap, own } from '../json.ts';
import { comparable } from './slice.ts';

/**
 * Orders the items of a merged list: `normalizeElementOrder` (1.36, apimachinery/pkg/util/strategicpatch/patch.go). Items of the patch
 * follow the patch, other items keep their order, and both are interleaved by their previous positions.
 */
export function mergeOrder(
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
  positionByKey: ReadonlyMap<unknown, number>,
  mergeKey: string,
  ofMaps: boolean,
): unknown[] {
  if (!ofMaps) {
    return sortByPosition(list, positionByKey, mergeKey, ofMaps);
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
    ...sortByPosition(
      list.filter((item) => !isDeletion(item)),
      positionByKey,
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
function sortByPosition(
  list: readonly unknown[],
  positionByKey: ReadonlyMap<unknown, number>,
  mergeKey: string,
  ofMaps: boolean,
): unknown[] {
  const positioned = list.map((item) => ({ item, position: positionByKey.get(keyedBy(item, mergeKey, ofMaps)) }));
  const precedes = (left: number | undefined, right: number | undefined) => left === undefined || right === undefined || left < right;
  if (positioned.every(({ position }) => position !== undefined) || positioned.length > maxInsertionSortLength) {
    positioned.sort((left, right) => (left.position ?? -1) - (right.position ?? -1));
  } else {
    for (let end = 1; end < positioned.length; end++) {
      for (let index = end; index > 0 && precedes(positioned[index]?.position, positioned[index - 1]?.position); index--) {
        positioned.splice(index - 1, 2, ...positioned.slice(index - 1, index + 1).reverse());
      }
    }
  }
  return positioned.map(({ item }) => item);
}

function interleave(left: readonly unknown[], right: readonly unknown[], position: (item: unknown) => number): unknown[] {
  const result: unknown[] = [];
  let taken = 0;
  for (const item of right) {
    const limit = position(item);
    while (taken < left.length && position(left[taken]) >= 0 && position(left[taken]) < limit) {
      result.push(left[taken]);
      taken += 1;
    }
    result.push(item);
  }
  return [...result, ...left.slice(taken)];
}

function positions(list: readonly unknown[], mergeKey: string, ofMaps: boolean): ReadonlyMap<unknown, number> {
  const positionByKey = new Map<unknown, number>();
  for (const [index, item] of list.entries()) {
    const value = keyedBy(item, mergeKey, ofMaps);
    if (!positionByKey.has(value)) {
      positionByKey.set(value, index);
    }
  }
  return positionByKey;
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
const maxInsertionSortLength = 20;
