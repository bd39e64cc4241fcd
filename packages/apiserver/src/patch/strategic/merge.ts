import { badRequest } from '../../store/errors.ts';
import { cannotUnmarshal } from '../field-validation.ts';
import { format, kindOf } from '../go-format.ts';
import { clone, isMap, type JsonMap, own, put, sortedKeys } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { deletionPrefix, listNamedBy, orderPrefix, take, withoutNulls } from './directives.ts';
import { badRetainKeys, unknownDirective } from './errors.ts';
import { mergeLists } from './list.ts';
import { lookupList, lookupMap } from './lookup.ts';
import { mergeOrderedLists } from './set-element-order.ts';
import { comparable } from './slice.ts';

/**
 * Applies a strategic merge patch to an object of a built-in kind: `StrategicMergeMapPatch` (1.36,
 * apimachinery/pkg/util/strategicpatch/patch.go). Where Go's answer depends on the order in which it happens to walk a map, keys are
 * taken sorted. Custom resources have no such patches: their paths answer 415.
 */
export function applyStrategicMergePatch(object: JsonMap, patch: unknown, type: TypeRef): JsonMap {
  if (!isMap(patch ?? {})) {
    throw badRequest(cannotUnmarshal(patch, 'value of type map[string]interface {}'));
  }
  return mergeMaps(clone(object), clone((patch ?? {}) as JsonMap), type);
}

/** A patch that applies as Go prints it afterwards, when it has lost what applying it takes out of it. */
export function strategicPatchText(object: JsonMap, patch: unknown, type: TypeRef): string {
  const left = clone((patch ?? {}) as JsonMap);
  mergeMaps(clone(object), left, type);
  return format(left);
}

/** Both are copies of our own, and both are written to. */
function mergeMaps(original: JsonMap, patch: JsonMap, type: TypeRef): JsonMap {
  const directive = own(patch, '$patch');
  if (directive !== undefined) {
    return followDirective(directive, patch);
  }
  retainKeys(original, patch);
  mergeOrderedLists(original, patch, type, mergeMaps);
  for (const key of sortedKeys(patch)) {
    mergeField(original, key, own(patch, key), type);
  }
  return original;
}

function followDirective(directive: unknown, patch: JsonMap): JsonMap {
  if (directive === 'replace') {
    delete patch['$patch'];
    return patch;
  }
  if (directive === 'delete') {
    return {};
  }
  throw unknownDirective(directive, patch);
}

/** `applyRetainKeysDirective`: what the list does not name goes, and the patch may say nothing about it. */
function retainKeys(original: JsonMap, patch: JsonMap): void {
  const retained = own(patch, '$retainKeys');
  if (retained === undefined) {
    return;
  }
  delete patch['$retainKeys'];
  if (!Array.isArray(retained)) {
    throw badRetainKeys();
  }
  const names = new Set(retained.map(comparable));
  for (const key of Object.keys(patch)) {
    if (own(patch, key) !== null && !key.startsWith(deletionPrefix) && !key.startsWith(orderPrefix) && !names.has(key)) {
      throw badRetainKeys();
    }
  }
  for (const key of Object.keys(original).filter((name) => !names.has(name))) {
    delete original[key];
  }
}

function mergeField(original: JsonMap, patchKey: string, value: unknown, type: TypeRef): void {
  const isDeletionList = patchKey.startsWith(deletionPrefix);
  const key = (isDeletionList && listNamedBy(patchKey, deletionPrefix)) || patchKey;
  if (value === null) {
    delete original[key];
    return;
  }
  const current = own(original, key);
  if (current === undefined || kindOf(current) !== kindOf(value)) {
    if (!isDeletionList) {
      take(original, key, withoutNulls(value));
    }
  } else if (isMap(current)) {
    const meta = lookupMap(type, key);
    put(original, key, meta.strategy === 'replace' ? value : mergeMaps(current, value as JsonMap, meta.type));
  } else if (Array.isArray(current)) {
    put(original, key, mergeLists(current, value as unknown[], lookupList(type, key), isDeletionList, mergeMaps));
  } else {
    take(original, key, value);
  }
}
