import type { ApiObject } from 'kube-endpoints/port';
import { isFields } from './fields.ts';
import { containerSize, intern, sizeOf, sizeOfRemovedFields, type WriteSize } from './intern.ts';
import { sizeOfShared } from './shared.ts';

type MutableFields = Record<string, unknown>;

/**
 * Freezes an object that the store owns in place, and shares unchanged values with the previous object. Like `intern`, but without a copy.
 * @returns undefined if only the resourceVersion differs
 */
export function freezeInPlace(
  previousObject: ApiObject | undefined,
  object: ApiObject,
  resourceVersion: string,
  size: WriteSize,
): ApiObject | undefined {
  const fields = object as unknown as MutableFields;
  const metadata = object.metadata as MutableFields;
  const previousMetadata = previousObject?.metadata as MutableFields | undefined;
  metadata['resourceVersion'] = previousMetadata?.['resourceVersion'] ?? '0';
  const isMetadataSame = freezeFields(previousMetadata, metadata, size);
  const isRestSame = freezeFields(previousObject as MutableFields | undefined, fields, size, 'metadata');
  if (isMetadataSame && isRestSame) return undefined;
  metadata['resourceVersion'] = resourceVersion;
  Object.freeze(metadata);
  return Object.freeze(object);
}

function freezeValue(previous: unknown, value: unknown, size: WriteSize): unknown {
  if (value === previous) return previous;
  if (typeof value !== 'object' || value === null) {
    size.addedBytes += sizeOf(value);
    size.replacedBytes += sizeOf(previous);
    return value;
  }
  // A value that is already frozen may be used elsewhere.
  if (Object.isFrozen(value)) return reuseFrozen(previous, value, size);
  if (Array.isArray(value)) return freezeItems(previous, value, size);
  const old = isFields(previous) ? (previous as MutableFields) : undefined;
  if (!old) size.replacedBytes += sizeOf(previous);
  return freezeFields(old, value as MutableFields, size) ? previous : Object.freeze(value);
}

/** Reuses values marked by `share`, which are frozen at every depth. Copies other values, because their contents may still change. */
function reuseFrozen(previous: unknown, value: object, size: WriteSize): unknown {
  const sharedSize = sizeOfShared(value);
  if (sharedSize === undefined) return intern(previous, value, size);
  if (previous !== undefined && intern(previous, value, { addedBytes: 0, replacedBytes: 0 }) === previous) return previous;
  size.addedBytes += sharedSize;
  size.replacedBytes += sizeOf(previous);
  return value;
}

function freezeItems(previous: unknown, value: unknown[], size: WriteSize): unknown {
  const old = Array.isArray(previous) ? (previous as readonly unknown[]) : undefined;
  if (!old) size.replacedBytes += sizeOf(previous);
  let isSame = old?.length === value.length;
  for (let i = 0; i < value.length; i++) {
    const frozen = freezeValue(old?.[i], value[i], size);
    if (frozen !== old?.[i]) isSame = false;
    value[i] = frozen;
  }
  if (isSame) return previous;
  size.addedBytes += containerSize(value.length);
  if (old) {
    for (let i = value.length; i < old.length; i++) size.replacedBytes += sizeOf(old[i]);
    size.replacedBytes += containerSize(old.length);
  }
  return Object.freeze(value);
}

/** Freezes the values of all fields except `excludedKey`, but not the container. Returns true if these fields are unchanged. */
function freezeFields(old: MutableFields | undefined, value: MutableFields, size: WriteSize, excludedKey?: string): boolean {
  const keys = Object.keys(value);
  let isSame = old !== undefined;
  for (const key of keys) {
    if (key === excludedKey) continue;
    const each = value[key];
    const previous = old && fieldOf(old, key);
    const frozen = freezeValue(previous, each, size);
    if (frozen !== previous) isSame = false;
    if (frozen !== each) value[key] = frozen;
  }
  const oldKeys = old === undefined ? [] : Object.keys(old);
  if (isSame && oldKeys.length === keys.length) return true;
  size.addedBytes += containerSize(keys.length);
  if (old) size.replacedBytes += containerSize(oldKeys.length) + sizeOfRemovedFields(old, oldKeys, value);
  return false;
}

/** Returns the value of an own field. JSON has no functions, so a function is inherited from the prototype. */
function fieldOf(object: MutableFields, key: string): unknown {
  const value = object[key];
  if (value === undefined || typeof value === 'function') return undefined;
  return key === '__proto__' && !Object.hasOwn(object, key) ? undefined : value;
}
