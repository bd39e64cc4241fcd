import type { ApiObject } from 'kube-endpoints/port';
import { type Fields, isFields } from './fields.ts';

/** The approximate change in memory that a write causes, in bytes. Added up while the object is copied or frozen. */
export interface WriteSize {
  /** Size of new values that are not shared with the old version. */
  addedBytes: number;
  /** Size of old values that the new version does not share. */
  replacedBytes: number;
}

/**
 * Copies a JSON value, frozen at every depth, and shares unchanged parts with an earlier copy.
 *
 * Returns the earlier copy itself if nothing differs. Drops undefined fields, as JSON does.
 * @throws TypeError if a value has no JSON form
 */
export function intern(earlier: unknown, value: unknown, size: WriteSize): unknown {
  if (value === earlier) return earlier;
  const json = toJson(value);
  if (Array.isArray(json)) return internArray(earlier, json, size);
  if (json !== null && typeof json === 'object') return internFields(earlier, json as Fields, size);
  if (json === earlier) return earlier;
  size.addedBytes += sizeOf(json);
  size.replacedBytes += sizeOf(earlier);
  return json;
}

/** Returns a frozen copy that shares unchanged parts with `earlier`. */
export const freezeLike = (earlier: ApiObject, object: ApiObject): ApiObject =>
  intern(earlier, object, { addedBytes: 0, replacedBytes: 0 }) as ApiObject;

/** Approximate memory of a JSON value, in bytes. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length;
  if (value === null || typeof value !== 'object') return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), containerSize(value.length));
  let size = containerSize(0);
  for (const key of Object.keys(value)) size += 8 + sizeOf((value as Fields)[key]);
  return size;
}

/** Approximate bytes of an array or object without its values. */
export const containerSize = (valueCount: number): number => 32 + 8 * valueCount;

function internArray(earlier: unknown, value: readonly unknown[], size: WriteSize): unknown {
  const old = Array.isArray(earlier) ? (earlier as readonly unknown[]) : undefined;
  if (!old) size.replacedBytes += sizeOf(earlier);
  const copy = new Array<unknown>(value.length);
  let isSame = old?.length === value.length;
  for (let i = 0; i < value.length; i++) {
    copy[i] = intern(old?.[i], value[i] === undefined ? null : value[i], size);
    if (copy[i] !== old?.[i]) isSame = false;
  }
  if (isSame) return earlier;
  if (old) for (let i = value.length; i < old.length; i++) size.replacedBytes += sizeOf(old[i]);
  size.addedBytes += containerSize(value.length);
  if (old) size.replacedBytes += containerSize(old.length);
  return Object.freeze(copy);
}

function internFields(earlier: unknown, value: Fields, size: WriteSize): unknown {
  const old = isFields(earlier) ? earlier : undefined;
  if (!old) size.replacedBytes += sizeOf(earlier);
  const copy: Record<string, unknown> = {};
  let count = 0;
  let isSame = old !== undefined;
  for (const key of Object.keys(value)) {
    const each = value[key];
    if (each === undefined) continue;
    const previous = old !== undefined && Object.hasOwn(old, key) ? old[key] : undefined;
    const interned = intern(previous, each, size);
    if (interned !== previous) isSame = false;
    count += 1;
    setField(copy, key, interned);
  }
  const keys = old === undefined ? [] : Object.keys(old);
  if (isSame && keys.length === count) return earlier;
  size.addedBytes += containerSize(count);
  if (old) size.replacedBytes += containerSize(keys.length) + sizeOfRemovedFields(old, keys, value);
  return Object.freeze(copy);
}

export function sizeOfRemovedFields(old: Fields, keys: readonly string[], value: Fields): number {
  let size = 0;
  for (const key of keys) if (!Object.hasOwn(value, key) || value[key] === undefined) size += sizeOf(old[key]);
  return size;
}

/** Defines a field named __proto__ as a plain field, so that it does not set the prototype. */
function setField(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  else copy[key] = value;
}

/** Converts a value as JSON.stringify does, one level deep. */
function toJson(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'object': {
      const { toJSON } = (value ?? {}) as { readonly toJSON?: unknown };
      return typeof toJSON === 'function' ? (toJSON as () => unknown).call(value) : value;
    }
    default:
      throw new TypeError(`a ${typeof value} cannot be stored`);
  }
}
