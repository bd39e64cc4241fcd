import type { ApiObject } from 'kube-endpoints/port';
import { isFields } from './fields.ts';
import { intern, lost, shellOf, sizeOf, type Tally } from './intern.ts';
import { sizeOfShared } from './shared.ts';

type Draft = Record<string, unknown>;

/**
 * Does the same as `intern` without the copy, for an object that the store owns: freezes it in place and shares unchanged values with the
 * earlier object.
 * @returns undefined if nothing but the resourceVersion differs
 */
export function adopt(earlier: ApiObject | undefined, object: ApiObject, resourceVersion: string, tally: Tally): ApiObject | undefined {
  const draft = object as unknown as Draft;
  const metadata = object.metadata as Draft;
  const before = earlier?.metadata as Draft | undefined;
  metadata['resourceVersion'] = before?.['resourceVersion'] ?? '0';
  const isSame = takeFields(before, metadata, tally);
  const rest = takeFields(earlier as Draft | undefined, draft, tally, 'metadata');
  if (isSame && rest) return undefined;
  metadata['resourceVersion'] = resourceVersion;
  Object.freeze(metadata);
  return Object.freeze(object);
}

function take(before: unknown, value: unknown, tally: Tally): unknown {
  if (value === before) return before;
  if (typeof value !== 'object' || value === null) {
    tally.fresh += sizeOf(value);
    tally.replaced += sizeOf(before);
    return value;
  }
  // A value that is already frozen may be used elsewhere.
  if (Object.isFrozen(value)) return takeFrozen(before, value, tally);
  if (Array.isArray(value)) return takeItems(before, value, tally);
  const old = isFields(before) ? (before as Draft) : undefined;
  if (!old) tally.replaced += sizeOf(before);
  return takeFields(old, value as Draft, tally) ? before : Object.freeze(value);
}

/** Reuses values marked by `share`, which are frozen at every depth. Copies others, because their contents may still change. */
function takeFrozen(before: unknown, value: object, tally: Tally): unknown {
  const size = sizeOfShared(value);
  if (size === undefined) return intern(before, value, tally);
  if (before !== undefined && intern(before, value, { fresh: 0, replaced: 0 }) === before) return before;
  tally.fresh += size;
  tally.replaced += sizeOf(before);
  return value;
}

function takeItems(before: unknown, value: unknown[], tally: Tally): unknown {
  const old = Array.isArray(before) ? (before as readonly unknown[]) : undefined;
  if (!old) tally.replaced += sizeOf(before);
  let isSame = old?.length === value.length;
  for (let i = 0; i < value.length; i++) {
    const kept = take(old?.[i], value[i], tally);
    if (kept !== old?.[i]) isSame = false;
    value[i] = kept;
  }
  if (isSame) return before;
  tally.fresh += shellOf(value.length);
  if (old) {
    for (let i = value.length; i < old.length; i++) tally.replaced += sizeOf(old[i]);
    tally.replaced += shellOf(old.length);
  }
  return Object.freeze(value);
}

/** True if all fields except `except` are unchanged. */
function takeFields(old: Draft | undefined, value: Draft, tally: Tally, except?: string): boolean {
  const keys = Object.keys(value);
  let isSame = old !== undefined;
  for (const key of keys) {
    if (key === except) continue;
    const each = value[key];
    const before = old && fieldOf(old, key);
    const kept = take(before, each, tally);
    if (kept !== before) isSame = false;
    if (kept !== each) value[key] = kept;
  }
  const before = old === undefined ? [] : Object.keys(old);
  if (isSame && before.length === keys.length) return true;
  tally.fresh += shellOf(keys.length);
  if (old) tally.replaced += shellOf(before.length) + lost(old, before, value);
  return false;
}

/** JSON has no functions, so a function is inherited from the prototype. */
function fieldOf(object: Draft, key: string): unknown {
  const value = object[key];
  if (value === undefined || typeof value === 'function') return undefined;
  return key === '__proto__' && !Object.hasOwn(object, key) ? undefined : value;
}
