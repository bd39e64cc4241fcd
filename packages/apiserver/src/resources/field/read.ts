import { type Fields, isFields } from '../../store/fields.ts';

/** An object that has been decoded: what is zero is not there. */
export { type Fields, isFields };

/** An object that is the writer's own. */
export type Draft = Record<string, unknown>;

const nothing: Fields = Object.freeze({});

/** Whether a field is held, be it by a pointer and zero. */
export const has = (object: Fields, name: string): boolean => object[name] !== undefined && object[name] !== null;

/** Empty where there is none, as in Go. */
export const text = (object: Fields, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

export const number = (object: Fields, name: string): number => {
  const value = object[name];
  return typeof value === 'number' ? value : 0;
};

export const flag = (object: Fields, name: string): boolean => object[name] === true;

export const child = (object: Fields, name: string): Fields => {
  const value = object[name];
  return isFields(value) ? value : nothing;
};

export const list = (object: Fields, name: string): readonly Fields[] => {
  const value = object[name];
  if (!Array.isArray(value)) return none;
  return value.every(isFields) ? value : value.map((each) => (isFields(each) ? each : nothing));
};

export const texts = (object: Fields, name: string): readonly string[] => {
  const value = object[name];
  if (!Array.isArray(value)) return none;
  return value.every(isText) ? value : value.map((each) => (isText(each) ? each : ''));
};

const none: readonly never[] = Object.freeze([]);

const isText = (value: unknown): value is string => typeof value === 'string';

/** The entries of a map of texts. */
export function entries(object: Fields, name: string): readonly (readonly [key: string, value: string])[] {
  const map = object[name];
  if (!isFields(map)) return none;
  return Object.keys(map).map((key) => [key, text(map, key)]);
}

/** A struct of a draft, made where there is none. Only for what a write is about to put something in. */
export function draftOf(draft: Draft, name: string): Draft {
  const value = draft[name];
  if (isFields(value)) return value as Draft;
  const made: Draft = {};
  draft[name] = made;
  return made;
}

export const draftsOf = (draft: Draft, name: string): readonly Draft[] => list(draft, name) as readonly Draft[];

/** A copy of JSON-shaped data that shares nothing with the original. */
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
