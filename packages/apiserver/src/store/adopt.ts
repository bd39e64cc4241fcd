import type { ApiObject } from 'kube-endpoints/port';
import { isFields } from './fields.ts';
import { containerSize, intern, sizeOf, sizeOfRemoved, type Tally } from './intern.ts';
import { sizeOfShared } from './shared.ts';

type MutableFields = Record<string, unknown>;

/**
 * Freezes an object that the store owns in place, and shares unchanged values with the earlier object. Like `intern`, but without a copy.
 * @returns undefined if only the resourceVersion differs
 */
export function adopt(earlier: ApiObject | undefined, object: ApiObject, resourceVersion: string, tally: Tally): ApiObject | undefined {
  const fields = object as unknown as MutableFields;
  const metadata = object.metadata as MutableFields;
  const previous = earlier?.metadata as MutableFields | undefined;
  metadata['resourceVersion'] = previous?.['resourceVersion'] ?? '0';
  const isSame = adoptFields(previous, metadata, tally);
  const isRestSame = adoptFields(earlier as MutableFields | undefined, fields, tally, 'metadata');
  if (isSame && isRestSame) return undefined;
  metadata['resourceVersion'] = resourceVersion;
  Object.freeze(metadata);
  return Object.freeze(object);
}

function adoptValue(previous: unknown, value: unknown, tally: Tally): unknown {
  if (value === previous) return previous;
  if (typeof value !== 'object' || value === null) {
    tally.fresh += sizeOf(value);
    tally.replaced += sizeOf(previous);
    return value;
  }
  // A value that is already frozen may be used elsewhere.
  if (Object.isFrozen(value)) return adoptFrozen(previous, value, tally);
  if (Array.isArray(value)) return adoptItems(previous, value, tally);
  const old = isFields(previous) ? (previous as MutableFields) : undefined;
  if (!old) tally.replaced += sizeOf(previous);
  return adoptFields(old, value as MutableFields, tally) ? previous : Object.freeze(value);
}

/** Reuses values marked by `share`, which are frozen at every depth. Copies others, because their contents may still change. */
function adoptFrozen(previous: unknown, value: object, tally: Tally): unknown {
  const size = sizeOfShared(value);
  if (size === undefined) return intern(previous, value, tally);
  if (previous !== undefined && intern(previous, value, { fresh: 0, replaced: 0 }) === previous) return previous;
  tally.fresh += size;
  tally.replaced += sizeOf(previous);
  return value;
}

function adoptItems(previous: unknown, value: unknown[], tally: Tally): unknown {
  const old = Array.isArray(previous) ? (previous as readonly unknown[]) : undefined;
  if (!old) tally.replaced += sizeOf(previous);
  let isSame = old?.length === value.length;
  for (let i = 0; i < value.length; i++) {
    const adopted = adoptValue(old?.[i], value[i], tally);
    if (adopted !== old?.[i]) isSame = false;
    value[i] = adopted;
  }
  if (isSame) return previous;
  tally.fresh += containerSize(value.length);
  if (old) {
    for (let i = value.length; i < old.length; i++) tally.replaced += sizeOf(old[i]);
    tally.replaced += containerSize(old.length);
  }
  return Object.freeze(value);
}

/** True if all fields except `excludedKey` are unchanged. */
function adoptFields(old: MutableFields | undefined, value: MutableFields, tally: Tally, excludedKey?: string): boolean {
  const keys = Object.keys(value);
  let isSame = old !== undefined;
  for (const key of keys) {
    if (key === excludedKey) continue;
    const each = value[key];
    const previous = old && fieldOf(old, key);
    const adopted = adoptValue(previous, each, tally);
    if (adopted !== previous) isSame = false;
    if (adopted !== each) value[key] = adopted;
  }
  const oldKeys = old === undefined ? [] : Object.keys(old);
  if (isSame && oldKeys.length === keys.length) return true;
  tally.fresh += containerSize(keys.length);
  if (old) tally.replaced += containerSize(oldKeys.length) + sizeOfRemoved(old, oldKeys, value);
  return false;
}

/** JSON has no functions, so a function is inherited from the prototype. */
function fieldOf(object: MutableFields, key: string): unknown {
  const value = object[key];
  if (value === undefined || typeof value === 'function') return undefined;
  return key === '__proto__' && !Object.hasOwn(object, key) ? undefined : value;
}
