import { badRequest, status500 } from '../../store/errors.ts';
import {
  createBadTypeError,
  createMissingMergeKeyError,
  createPrimitiveListError,
  createRetainKeysError,
  createSetElementOrderError,
  createUnknownDirectiveError,
  formatUnmarshalError,
} from '../errors.ts';
import { format, kindOf } from '../go-format.ts';
import { clone, getOwn, getSortedKeys, isMap, type JsonMap, put } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { commonKindOf, type MergeMaps, mergeLists } from './list.ts';
import { lookupList, lookupMap } from './lookup.ts';
import { orderMergedItems } from './order.ts';
import { toComparable } from './slice.ts';

/**
 * Applies a strategic merge patch to an object of a built-in kind: `StrategicMergeMapPatch` (1.36,
 * apimachinery/pkg/util/strategicpatch/patch.go). If upstream's result depends on map iteration order, sorted order is used.
 * Custom resources do not support these patches (415).
 */
export function applyStrategicMergePatch(object: JsonMap, patch: unknown, type: TypeRef): JsonMap {
  if (!isMap(patch ?? {})) throw badRequest(formatUnmarshalError(patch, 'value of type map[string]interface {}'));
  return mergeMaps(clone(object), clone((patch ?? {}) as JsonMap), type);
}

/** Formats a patch as Go prints it after applying it, which removes its directives. */
export function formatStrategicPatch(object: JsonMap, patch: unknown, type: TypeRef): string {
  const remainingPatch = clone((patch ?? {}) as JsonMap);
  mergeMaps(clone(object), remainingPatch, type);
  return format(remainingPatch);
}

/** Modifies both arguments, which are copies. */
function mergeMaps(original: JsonMap, patch: JsonMap, type: TypeRef): JsonMap {
  const directive = getOwn(patch, '$patch');
  if (directive !== undefined) return followDirective(directive, patch);
  retainKeys(original, patch);
  mergeOrderedLists(original, patch, type, mergeMaps);
  for (const key of getSortedKeys(patch)) {
    mergeField(original, key, getOwn(patch, key), type);
  }
  return original;
}

function followDirective(directive: unknown, patch: JsonMap): JsonMap {
  if (directive === 'replace') {
    delete patch['$patch'];
    return patch;
  }
  if (directive === 'delete') return {};
  throw createUnknownDirectiveError(directive, patch);
}

/** `applyRetainKeysDirective`: removes the fields that are not in the list. The patch must not set such a field. */
function retainKeys(original: JsonMap, patch: JsonMap): void {
  const retainedKeys = getOwn(patch, '$retainKeys');
  if (retainedKeys === undefined) return;
  delete patch['$retainKeys'];
  if (!Array.isArray(retainedKeys)) throw createRetainKeysError();
  const names = new Set(retainedKeys.map(toComparable));
  for (const key of Object.keys(patch)) {
    if (getOwn(patch, key) !== null && !key.startsWith(deletionPrefix) && !key.startsWith(orderPrefix) && !names.has(key)) {
      throw createRetainKeysError();
    }
  }
  for (const key of Object.keys(original).filter((name) => !names.has(name))) {
    delete original[key];
  }
}

function mergeField(original: JsonMap, patchKey: string, value: unknown, type: TypeRef): void {
  const isDeletionList = patchKey.startsWith(deletionPrefix);
  const key = (isDeletionList && listNameIn(patchKey, deletionPrefix)) || patchKey;
  if (value === null) {
    delete original[key];
    return;
  }
  const current = getOwn(original, key);
  if (current === undefined || kindOf(current) !== kindOf(value)) {
    if (!isDeletionList) {
      setWithoutDirectives(original, key, withoutNulls(value));
    }
  } else if (isMap(current)) {
    const meta = lookupMap(type, key);
    put(original, key, meta.strategy === 'replace' ? value : mergeMaps(current, value as JsonMap, meta.type));
  } else if (Array.isArray(current)) {
    put(original, key, mergeLists(current, value as unknown[], lookupList(type, key), isDeletionList, mergeMaps));
  } else {
    setWithoutDirectives(original, key, value);
  }
}

const deletionPrefix = '$deleteFromPrimitiveList';
const orderPrefix = '$setElementOrder';

/**
 * Returns the part of a key after the slash, as in "$setElementOrder/ports".
 * @throws ApiError BadRequest if the part before it is not the prefix
 */
export function listNameIn(key: string, prefix: string): string {
  const slash = key.indexOf('/');
  if (slash === -1 || key.slice(0, slash) !== prefix)
    throw prefix === deletionPrefix ? createPrimitiveListError() : createSetElementOrderError();
  return key.slice(slash + 1);
}

/** Sets a value of the patch without its directives. */
export function setWithoutDirectives(original: JsonMap, key: string, value: unknown): void {
  const cleanValue = withoutDirectives(value);
  if (cleanValue === undefined) {
    delete original[key];
  } else {
    put(original, key, cleanValue);
  }
}

/** Removes directives from a value in place; undefined if the value is a directive itself. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  if (getOwn(value, '$patch') !== undefined) return undefined;
  for (const key of Object.keys(value)) {
    setWithoutDirectives(value, key, getOwn(value, key));
  }
  return value;
}

/** Removes null fields from a value in place. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    value.forEach(withoutNulls);
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      if (getOwn(value, key) === null) {
        delete value[key];
      } else {
        withoutNulls(getOwn(value, key));
      }
    }
  }
  return value;
}

/**
 * Merges lists for which the patch sets an order, and removes them from the patch: `mergePatchIntoOriginal` (1.36,
 * apimachinery/pkg/util/strategicpatch/patch.go).
 */
function mergeOrderedLists(original: JsonMap, patch: JsonMap, type: TypeRef, mergeMaps: MergeMaps): void {
  for (const directive of getSortedKeys(patch).filter((key) => key.startsWith(orderPrefix))) {
    const order = requireList(getOwn(patch, directive));
    delete patch[directive];
    const key = listNameIn(directive, orderPrefix);
    const live = getOwn(original, key) === undefined ? undefined : requireList(getOwn(original, key));
    const changes = getOwn(patch, key) === undefined ? undefined : requireList(getOwn(patch, key));
    const meta = lookupList(type, key);
    assertOrderFits(changes ?? [], order, meta.mergeKey);
    // Merging also changes this array, as it changes the backing array in Go, which affects the resulting order.
    const memory = live ?? [];
    const merged = live && changes ? mergeLists(memory, changes, meta, false, mergeMaps) : (live ?? addedItems(changes));
    if (merged !== undefined) {
      const isListOfMaps = commonKindOf(memory, changes ?? []) === 'map';
      put(original, key, orderMergedItems(merged, order, memory, meta.mergeKey, isListOfMaps));
      delete patch[key];
    }
  }
}

const addedItems = (changes: unknown[] | undefined): unknown[] | undefined =>
  changes === undefined ? undefined : (withoutDirectives(changes) as unknown[]);

function requireList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw createBadTypeError([], value);
  return value;
}

/** `validatePatchWithSetOrderList`: the order must contain all items that the patch adds or changes, in the patch's order. */
function assertOrderFits(changes: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (changes.length === 0 || order.length === 0) return;
  const keptChanges = mergeKey === '' ? changes : changes.filter((item) => getOwn(requireMap(item), '$patch') !== 'delete');
  let nextInOrder = 0;
  let index = 0;
  while (index < keptChanges.length && nextInOrder < order.length) {
    const item = keptChanges[index];
    if (isMap(item) && getOwn(item, '$patch') !== undefined) {
      index += 1;
      continue;
    }
    index += keyOf(item, mergeKey) === keyOf(order[nextInOrder], mergeKey) ? 1 : 0;
    nextInOrder += 1;
  }
  if (index < keptChanges.length) {
    throw status500(`The order in patch list:\n${format(changes)}\n doesn't match $setElementOrder list:\n${format(order)}\n`);
  }
}

function requireMap(item: unknown): JsonMap {
  if (!isMap(item)) throw createBadTypeError({}, item);
  return item;
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') return toComparable(item);
  const key = getOwn(requireMap(item), mergeKey);
  if (key === undefined) throw createMissingMergeKeyError(requireMap(item), mergeKey);
  return toComparable(key);
}
