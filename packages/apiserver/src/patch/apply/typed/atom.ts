import { getOwn, isMap, type JsonMap } from '../../json.ts';
import type { Atom, ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import { createFieldElement, createKeyElement, createValueElement, type PathElement } from '../path-element.ts';

/** A JSON value; undefined means absent, null is a value. */
export type Value = unknown;

interface AtomHandler<Result> {
  map(map: MapAtom): Result;
  list(list: ListAtom): Result;
  scalar(): Result;
}

/** Narrows a type to the value's kind. Returns the whole type if the value is null, absent or of another kind. */
export function deduce(atom: Atom, value: Value): Atom {
  if (atom.scalar !== undefined && ['number', 'string', 'boolean', 'bigint'].includes(typeof value)) return { scalar: atom.scalar };
  if (atom.list !== undefined && Array.isArray(value)) return { list: atom.list };
  return atom.map !== undefined && isMap(value) ? { map: atom.map } : atom;
}

export function handle<Result>(atom: Atom, handler: AtomHandler<Result>): Result {
  if (atom.map !== undefined) return handler.map(atom.map);
  return atom.list !== undefined && atom.scalar === undefined ? handler.list(atom.list) : handler.scalar();
}

export const isEmptyMap = (value: Value): boolean => !isMap(value) || Object.keys(value).length === 0;
export const asMap = (value: Value): JsonMap | undefined => (isMap(value) ? value : undefined);
export const asList = (value: Value): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** The type of a map's value under a key. */
export const typeAt = (map: MapAtom, key: string): TypeRef | undefined => map.fields.get(key)?.type ?? map.element;

/** Determines the kind of a value within its type: `deduce` and `handle` combined. */
export function atomKindOf(atom: Atom, value: Value): 'list' | 'map' | 'scalar' {
  const kind = typeof value;
  if (atom.scalar !== undefined && (kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'bigint')) return 'scalar';
  if (atom.list !== undefined && Array.isArray(value)) return 'list';
  if (atom.map !== undefined) return 'map';
  return atom.list !== undefined && atom.scalar === undefined ? 'list' : 'scalar';
}

/** The path element of a map's value under a key. */
export const elementAt = (map: MapAtom, key: string): PathElement => map.fields.get(key)?.element ?? createFieldElement(key);

type IdentifyResult = { readonly element: PathElement } | { readonly error: string };

/** Determines the path element that identifies an item of a list; an error for atomic lists: `listItemToPathElement`. */
export function identify(list: ListAtom, item: unknown): IdentifyResult {
  if (list.atomic) return { error: 'invalid indexing of non-associative list' };
  return list.keys.length > 0 ? identifyByKeys(list, item) : identifyByValue(item);
}

function identifyByKeys(list: ListAtom, item: unknown): IdentifyResult {
  if (!isMap(item)) return { error: `associative list with keys may not have ${item === null ? 'a null element' : 'non-map elements'}` };
  const keyValues: JsonMap = {};
  const struct = list.element.resolve().map;
  for (const key of list.keys) {
    const value = getOwn(item, key) === undefined ? struct?.fields.get(key)?.default : getOwn(item, key);
    if (value !== undefined) {
      keyValues[key] = value;
    }
  }
  if (Object.keys(keyValues).length === 0) {
    const names = `[${list.keys.map((key) => JSON.stringify(key)).join(' ')}]`;
    return {
      error: `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    };
  }
  return { element: createKeyElement(keyValues) };
}

function identifyByValue(item: unknown): IdentifyResult {
  if (isMap(item)) return { error: "associative list without keys has an element that's a map type" };
  if (Array.isArray(item)) return { error: 'not supported: associative list with lists as elements' };
  return item === null
    ? { error: "associative list without keys has an element that's an explicit null" }
    : { element: createValueElement(item) };
}
