import { compareText } from 'kube-endpoints/internal/apimachinery';
import { badRequest } from '../store/errors.ts';
import { isFields } from '../store/fields.ts';

/** A JSON object. Keys are arbitrary and may be `__proto__`: read with `getOwn` and write with `put`. */
export type JsonMap = Record<string, unknown>;

/** Maximum nesting of a document. Protects recursive functions; real objects nest far less deeply. */
export const maxDepth = 1_000;

export const isMap: (value: unknown) => value is JsonMap = isFields;

export const has = (map: JsonMap, key: string): boolean => Object.hasOwn(map, key) && map[key] !== undefined;

export const getOwn = (map: JsonMap, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/** Returns the value at a path of keys; undefined if a key is missing. */
export const valueAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isMap(inner) ? getOwn(inner, key) : undefined), value);

export function put(map: JsonMap, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    map[key] = value;
  }
}

/** The keys with a defined value, in the order of Go's `sort.Strings`. */
export const getSortedKeys = (map: JsonMap): string[] =>
  Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort(compareText);

export const withSortedKeys = (map: JsonMap): JsonMap => Object.fromEntries(getSortedKeys(map).map((key) => [key, map[key]]));

/** A deep copy without undefined values. @throws ApiError BadRequest if nested deeper than `maxDepth` */
export function clone<T>(value: T): T {
  return copy(value, 0) as T;
}

/** Deep equality of two documents; absent and null differ. */
export function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => equal(item, right[index]));
  }
  return isMap(left) && isMap(right) && equalMaps(left, right);
}

function equalMaps(left: JsonMap, right: JsonMap): boolean {
  let count = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    if (!has(right, key) || !equal(value, right[key])) return false;
    count += 1;
  }
  for (const key of Object.keys(right)) {
    count -= right[key] === undefined ? 0 : 1;
  }
  return count === 0;
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw badRequest('exceeded max depth');
  if (Array.isArray(value)) return value.map((item) => copy(item ?? null, depth + 1));
  const result: JsonMap = {};
  for (const key of Object.keys(value)) {
    const inner = (value as JsonMap)[key];
    if (inner !== undefined) {
      put(result, key, copy(inner, depth + 1));
    }
  }
  return result;
}
