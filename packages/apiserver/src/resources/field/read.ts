import { type Fields, isFields } from '../../store/fields.ts';

/** A decoded object; zero values are absent. */
export { type Fields, isFields };

/** A mutable object that the caller owns. */
export type Draft = Record<string, unknown>;

const emptyObject: Fields = Object.freeze({});

/** True if the field is set, including a pointer field with a zero value. */
export const has = (object: Fields, name: string): boolean => object[name] !== undefined && object[name] !== null;

/** Returns "" if the field is absent or not a string, like Go's zero value. */
export const text = (object: Fields, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

/** Returns 0 if the field is absent or not a number. */
export const number = (object: Fields, name: string): number => {
  const value = object[name];
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
};

/** True only if the field is true. */
export const flag = (object: Fields, name: string): boolean => object[name] === true;

/** Returns the nested object; an empty object if it is absent. */
export const child = (object: Fields, name: string): Fields => {
  const value = object[name];
  return isFields(value) ? value : emptyObject;
};

/** Returns a list of objects; empty if it is absent. Other items are replaced by empty objects. */
export const list = (object: Fields, name: string): readonly Fields[] => {
  const value = object[name];
  if (!Array.isArray(value)) return emptyList;
  return value.every(isFields) ? value : value.map((each) => (isFields(each) ? each : emptyObject));
};

/** Returns a list of strings; empty if it is absent. Other items are replaced by "". */
export const texts = (object: Fields, name: string): readonly string[] => {
  const value = object[name];
  if (!Array.isArray(value)) return emptyList;
  return value.every(isText) ? value : value.map((each) => (isText(each) ? each : ''));
};

const emptyList: readonly never[] = Object.freeze([]);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the keys and values of a map of strings; empty if the map is absent. */
export function entries(object: Fields, name: string): readonly (readonly [key: string, value: string])[] {
  const map = object[name];
  if (!isFields(map)) return emptyList;
  return Object.keys(map).map((key) => [key, text(map, key)]);
}

/** Returns the nested object, creating it if absent. Call it only to write to it. */
export function ensureChild(draft: Draft, name: string): Draft {
  const value = draft[name];
  if (isFields(value)) return value as Draft;
  const created: Draft = {};
  draft[name] = created;
  return created;
}

/** The objects of a list, for writing to them. Empty if the list is absent. */
export const draftList = (draft: Draft, name: string): readonly Draft[] => list(draft, name) as readonly Draft[];

/** Whether a value nests deeper than `levels`. Protects recursive functions from stack overflow. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const each of Object.values(value)) if (typeof each === 'object' && isDeeper(each, levels - 1)) return true;
  return false;
}

/** A deep copy of JSON-shaped data. */
export function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (!isFields(value)) return value;
  const copy: Draft = {};
  for (const [key, each] of Object.entries(value)) {
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: copyOf(each), writable: true, enumerable: true, configurable: true });
    else copy[key] = copyOf(each);
  }
  return copy as T;
}

/** Semantic equality of decoded values; the order of keys does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => sameValue(each, b[i]));
  }
  if (!isFields(a) || !isFields(b)) return (a ?? undefined) === (b ?? undefined);
  for (const key of Object.keys(a)) if (!sameValue(a[key], b[key])) return false;
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && has(b, key)) return false;
  return true;
}
