import { status500 } from '../../store/errors.ts';
import { createBadTypeError, createMissingMergeKeyError } from '../errors.ts';
import { getOwn, isMap } from '../json.ts';
import { toComparable } from './slice.ts';

/**
 * Orders the items of a merged list. Items of the patch follow the patch, other items keep their order, and both groups are interleaved by
 * their previous positions. Mirrors `normalizeElementOrder` (1.36, apimachinery/pkg/util/strategicpatch/patch.go).
 */
export function orderMergedItems(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  liveOrder: readonly unknown[],
  mergeKey: string,
  isListOfMaps: boolean,
): unknown[] {
  const isInPatchOrder = createOrderLookup(patchOrder, mergeKey);
  const patchItems = merged.filter((item) => isInPatchOrder(partitionKey(item, mergeKey)));
  const otherItems = merged.filter((item) => !isInPatchOrder(partitionKey(item, mergeKey)));
  const livePositions = positionsByKey(liveOrder, mergeKey, isListOfMaps);
  return interleave(
    sortItems(otherItems, liveOrder, livePositions, mergeKey, isListOfMaps),
    sortItems(patchItems, patchOrder, positionsByKey(patchOrder, mergeKey, isListOfMaps), mergeKey, isListOfMaps),
    (item) => livePositions.get(orderKey(item, mergeKey, isListOfMaps)) ?? -1,
  );
}

function sortItems(
  list: readonly unknown[],
  order: readonly unknown[],
  positionByKey: ReadonlyMap<unknown, number>,
  mergeKey: string,
  isListOfMaps: boolean,
): unknown[] {
  if (!isListOfMaps) return sortByPosition(list, positionByKey, mergeKey, isListOfMaps);
  for (const item of [...list, ...order]) {
    if (!isMap(item)) throw createBadTypeError({}, item);
    if (getOwn(item, mergeKey) === undefined) throw createMissingMergeKeyError(item, mergeKey);
  }
  const isDeletion = (item: unknown) => isMap(item) && getOwn(item, '$patch') === 'delete';
  return [
    ...sortByPosition(
      list.filter((item) => !isDeletion(item)),
      positionByKey,
      mergeKey,
      isListOfMaps,
    ),
    ...list.filter(isDeletion),
  ];
}

/**
 * Go's comparison is inconsistent for items without a position, so the result depends on its algorithm: an insertion sort, in short lists,
 * moves each of these items before all its predecessors.
 */
function sortByPosition(
  list: readonly unknown[],
  positionByKey: ReadonlyMap<unknown, number>,
  mergeKey: string,
  isListOfMaps: boolean,
): unknown[] {
  const positioned = list.map((item) => ({ item, position: positionByKey.get(orderKey(item, mergeKey, isListOfMaps)) }));
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

function interleave(left: readonly unknown[], right: readonly unknown[], positionOf: (item: unknown) => number): unknown[] {
  const result: unknown[] = [];
  let leftIndex = 0;
  for (const item of right) {
    const limit = positionOf(item);
    while (leftIndex < left.length && positionOf(left[leftIndex]) >= 0 && positionOf(left[leftIndex]) < limit) {
      result.push(left[leftIndex]);
      leftIndex += 1;
    }
    result.push(item);
  }
  return [...result, ...left.slice(leftIndex)];
}

function positionsByKey(list: readonly unknown[], mergeKey: string, isListOfMaps: boolean): ReadonlyMap<unknown, number> {
  const positionByKey = new Map<unknown, number>();
  for (const [index, item] of list.entries()) {
    const value = orderKey(item, mergeKey, isListOfMaps);
    if (!positionByKey.has(value)) {
      positionByKey.set(value, index);
    }
  }
  return positionByKey;
}

const orderKey = (item: unknown, mergeKey: string, isListOfMaps: boolean): unknown =>
  isListOfMaps ? toComparable(isMap(item) ? getOwn(item, mergeKey) : null) : toComparable(item);

/** Searches keys in the ordering list. The search ends at the first item that is not an object, which is an error if it is reached. */
function createOrderLookup(order: readonly unknown[], mergeKey: string): (key: unknown) => boolean {
  const end = mergeKey === '' ? -1 : order.findIndex((item) => !isMap(item));
  const searchedItems = end === -1 ? order : order.slice(0, end);
  const keyOf = (item: unknown) => (isMap(item) && mergeKey !== '' ? getOwn(item, mergeKey) : item);
  const keys = new Set(searchedItems.map((item) => (keyOf(item) === undefined ? noKey : toComparable(keyOf(item)))));
  return (key) => {
    if (end !== -1 && !keys.has(key)) throw status500(`value for key ${end} is not a map`);
    return keys.has(key);
  };
}

function partitionKey(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') return toComparable(item);
  if (!isMap(item)) throw createBadTypeError({}, item);
  if (getOwn(item, mergeKey) === undefined) throw createMissingMergeKeyError(item, mergeKey);
  return toComparable(getOwn(item, mergeKey));
}

const noKey = Symbol('no merge key');

/** Up to this length Go's stable sort is an insertion sort. */
const maxInsertionSortLength = 20;
