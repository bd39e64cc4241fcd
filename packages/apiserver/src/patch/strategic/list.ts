import { status500 } from '../../store/errors.ts';
import { createListOfListsError, createMissingMergeKeyError, createPanicError, createUnknownDirectiveError } from '../errors.ts';
import { format, type Kind, kindOf } from '../go-format.ts';
import { getOwn, isMap, type JsonMap } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import type { FieldMeta } from './lookup.ts';
import { orderMergedItems } from './order.ts';
import { append, createSlice, items, removeOneByOne, type Slice, toComparable } from './slice.ts';

export type MergeMaps = (original: JsonMap, patch: JsonMap, type: TypeRef) => JsonMap;

/** Merges a list of the patch into the existing list. Mirrors `mergeSlice` (1.36, apimachinery/pkg/util/strategicpatch/patch.go). */
export function mergeLists(
  original: unknown[],
  patch: unknown[],
  { strategy, mergeKey, type }: FieldMeta,
  isDeletionList: boolean,
  mergeMaps: MergeMaps,
): unknown[] {
  if (strategy !== 'merge' && !isDeletionList) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  if (commonKindOf(original, patch) !== 'map') {
    return isDeletionList ? removeItems(original, patch) : mergeScalars(original, patch, mergeKey);
  }
  if (mergeKey === '') throw status500(`cannot merge lists without merge key for ${type.resolve().map ? 'struct' : 'interface'}`);
  // Models the shared arrays of Go's slices, on which some results depend.
  const slice = createSlice(original);
  const { additions, replacesList } = executeDirectives(slice, patch as JsonMap[], mergeKey);
  const previousOrder = replacesList ? additions : items(slice);
  const target = replacesList ? createSlice([...additions]) : slice;
  const merged = replacesList ? additions : mergeItems(target, additions, mergeKey, type, mergeMaps);
  return orderMergedItems(merged, replacesList ? [] : additions, previousOrder, mergeKey, true);
}

/** The common kind of all items. Mirrors `sliceElementType`. @throws ApiError if the kinds differ or there are no items */
export function commonKindOf(...lists: readonly unknown[][]): Kind {
  let commonKind: Kind | undefined;
  for (const item of lists.flat()) {
    const kind = kindOf(item);
    if (commonKind === undefined && kind === 'nil') throw createPanicError();
    if (commonKind === undefined && kind === 'slice') throw createListOfListsError();
    commonKind ??= kind;
    if (kind !== commonKind) throw status500(`list element types are not identical: ${format(lists)}`);
  }
  if (commonKind === undefined) throw status500('no elements in any of the given slices');
  return commonKind;
}

function removeItems(original: readonly unknown[], toRemove: readonly unknown[]): unknown[] {
  const removed = new Set(toRemove.map(toComparable));
  return original.filter((item) => !removed.has(toComparable(item)));
}

function mergeScalars(original: unknown[], patch: unknown[], mergeKey: string): unknown[] {
  return orderMergedItems(withoutDuplicates([...original, ...patch]), patch, original, mergeKey, false);
}

/** Replaces each later duplicate with the last item, which changes the order. Mirrors `deduplicateScalars`. */
export function withoutDuplicates(list: readonly unknown[]): unknown[] {
  const result = [...list];
  const positions = new Map<unknown, Set<number>>();
  for (const [index, item] of list.entries()) {
    positions.set(toComparable(item), (positions.get(item) ?? new Set()).add(index));
  }
  for (let index = 0; index < result.length; index++) {
    const item = result[index];
    const itemPositions = positions.get(item) ?? new Set();
    const laterPositions = [...itemPositions].filter((position) => position > index).sort((left, right) => right - left);
    for (
      let position = laterPositions.pop();
      position !== undefined && position < result.length;
      position = itemPositions.has(position) ? position : laterPositions.pop()
    ) {
      const last = result.pop();
      positions.get(last)?.delete(result.length);
      if (position < result.length) {
        itemPositions.delete(position);
        result[position] = last;
        positions.get(last)?.add(position);
      }
    }
  }
  return result;
}

/** Executes the items that are directives. Mirrors `mergeSliceWithSpecialElements`. */
function executeDirectives(slice: Slice, patch: readonly JsonMap[], mergeKey: string): { additions: JsonMap[]; replacesList: boolean } {
  const additions: JsonMap[] = [];
  const positions = Map.groupBy(items(slice).keys(), (position) => mergeKeyOf(slice.memory[position], mergeKey));
  const removals: number[] = [];
  let replacesList = false;
  for (const item of patch) {
    const directive = getOwn(item, '$patch');
    const key = getOwn(item, mergeKey);
    if (directive === undefined) {
      additions.push(item);
    } else if (directive === 'replace') {
      replacesList = true;
    } else if (directive === 'merge') {
      throw status500('merging lists cannot yet be specified in the patch');
    } else if (directive !== 'delete') {
      throw createUnknownDirectiveError(directive, item);
    } else if (key === undefined) {
      throw createMissingMergeKeyError(item, mergeKey);
    } else {
      for (const position of positions.get(key) ?? []) {
        removals.push(position);
      }
      positions.delete(key);
    }
  }
  removeOneByOne(slice, removals);
  return { additions, replacesList };
}

function mergeItems(slice: Slice, additions: readonly JsonMap[], mergeKey: string, type: TypeRef, mergeMaps: MergeMaps): unknown[] {
  const positions = new Map<unknown, number>();
  for (const [index, item] of items(slice).entries()) {
    const key = mergeKeyOf(item, mergeKey);
    if (!positions.has(key)) {
      positions.set(key, index);
    }
  }
  for (const item of additions) {
    const key = getOwn(item, mergeKey);
    if (key === undefined) throw createMissingMergeKeyError(item, mergeKey);
    // An object as merge key is rejected later, when the list is sorted.
    const position = positions.get(key);
    if (position === undefined) {
      positions.set(key, slice.length);
      append(slice, item);
    } else {
      slice.memory[position] = mergeMaps(slice.memory[position] as JsonMap, item, type);
    }
  }
  return items(slice);
}

const absentKey = Symbol('absent key');

const mergeKeyOf = (item: unknown, mergeKey: string): unknown => {
  const key = isMap(item) ? getOwn(item, mergeKey) : undefined;
  return key === undefined ? absentKey : toComparable(key);
};
