import { badRequest } from '../store/errors.ts';
import { type FieldValidation, formatUnmarshalError, type PatchedDocument } from './errors.ts';
import { clone, getOwn, getSortedKeys, isMap, type JsonMap, put, withSortedKeys } from './json.ts';

/**
 * Applies a JSON Merge Patch (RFC 7386) as the API server does: a list replaces the old value, and nulls inside the objects of a list are
 * dropped, unless the list replaces an object. With fieldValidation Ignore, a patch that is a list replaces the document.
 * @throws ApiError BadRequest for any other patch that is not an object
 */
export function applyMergePatch(object: JsonMap, patch: unknown, fieldValidation: FieldValidation = 'Warn'): PatchedDocument {
  if (!isMap(patch)) {
    if (patch === null || patch === undefined || (fieldValidation === 'Ignore' && !Array.isArray(patch))) {
      throw badRequest('Invalid JSON Patch');
    }
    if (fieldValidation !== 'Ignore') {
      throw badRequest(`error decoding patch: ${formatUnmarshalError(patch, 'value of type map[string]interface {}')}`);
    }
    return { value: withoutNulls(clone(patch)), strictErrors: [] };
  }
  return { value: mergeMaps(clone(object), clone(patch)), strictErrors: [] };
}

/** Modifies its arguments, which are copies. Sorts the keys of traversed maps, as a round trip through a Go map does. */
function mergeMaps(target: JsonMap, patch: JsonMap): JsonMap {
  for (const key of Object.keys(patch)) {
    const value = getOwn(patch, key);
    const current = getOwn(target, key) ?? null;
    if (value === null) {
      delete target[key];
    } else if (isMap(current)) {
      put(target, key, isMap(value) ? mergeMaps(current, value) : value);
    } else {
      put(target, key, withoutNulls(value));
    }
  }
  return withSortedKeys(target);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const result: JsonMap = {};
  for (const key of getSortedKeys(value)) {
    const inner = getOwn(value, key);
    if (inner !== null) {
      put(result, key, withoutNulls(inner));
    }
  }
  return result;
}
