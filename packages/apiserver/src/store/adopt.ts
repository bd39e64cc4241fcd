import type { ApiObject } from 'kube-endpoints/port';
import { isFields } from './fields.ts';
import { intern, lost, shellOf, sizeOf, type Tally } from './intern.ts';
import { sizeOfShared } from './shared.ts';

type Draft = Record<string, unknown>;

/**
 * Makes what is stored of an object that nobody else has any part of: what `intern` does, without the copy. The object is frozen where it
 * stands, and shares with the earlier one what is the same in both.
 * @returns nothing where the earlier object is the same, but for the resourceVersion
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
  // What is frozen already, somebody else has too.
  if (Object.isFrozen(value)) return takeFrozen(before, value, tally);
  if (Array.isArray(value)) return takeItems(before, value, tally);
  const old = isFields(before) ? (before as Draft) : undefined;
  if (!old) tally.replaced += sizeOf(before);
  return takeFields(old, value as Draft, tally) ? before : Object.freeze(value);
}

/** Nobody can change what is shared, at whatever depth; all else is copied, as who has it may change what it holds. */
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

/** Whether all fields but one are the same as before. */
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

/** Objects of JSON have no functions: what is one, comes from the prototype. */
function fieldOf(object: Draft, key: string): unknown {
  const value = object[key];
  if (value === undefined || typeof value === 'function') return undefined;
  return key === '__proto__' && !Object.hasOwn(object, key) ? undefined : value;
}
