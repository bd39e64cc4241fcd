import type { StringMap } from 'kube-endpoints/internal';
import type { ApiObjectMeta } from 'kube-endpoints/port';
import type { ObjectMeta } from 'kube-endpoints/types';

/** Lets objects share equal strings and values. Shared values must not be modified. */
export interface InternTable {
  /** Returns the shared instance of a string. */
  internText<T extends string | null | undefined>(text: T): T;
  /** Returns the shared, frozen copy of a JSON value; `value` itself, not frozen, if its JSON has more than 2,048 characters. */
  internValue<T extends object>(value: T): T;
  /** Returns the shared instance for a key, which must differ from other callers' keys; calls `make` if the key is not remembered. */
  getOrCreate<T extends object>(key: string, make: () => T): T;
}

/** Shares nothing. */
export const noInterning: InternTable = { internText: (text) => text, internValue: (value) => value, getOrCreate: (_, make) => make() };

/**
 * Creates an empty table. It remembers at least the last `size` strings and values that were requested, and at most twice as many.
 * Forgotten instances remain shared by the objects that have them.
 */
export function createInternTable({ size = 8192 }: { readonly size?: number } = {}): InternTable {
  const texts = createGenerationalCache<string>(size);
  const values = createGenerationalCache<object>(size);
  return {
    internText<T extends string | null | undefined>(text: T): T {
      // Long strings rarely repeat, and would make the table's memory depend on more than its size.
      if (typeof text !== 'string' || text.length === 0 || text.length > maxTextLength) return text;
      return texts.get(text, identity) as T;
    },
    internValue<T extends object>(value: T): T {
      const json = JSON.stringify(value);
      return json.length > maxValueLength ? value : (values.get(json, parseFrozen) as T);
    },
    getOrCreate<T extends object>(key: string, make: () => T): T {
      return values.get(key, make) as T;
    },
  };
}

const maxTextLength = 128;
const maxValueLength = 2048;

const identity = (text: string): string => text;

/** Creates a frozen copy from JSON, so that equal values have the same shape, and any string can be a key. */
function parseFrozen(json: string): object {
  return freeze(JSON.parse(json) as object);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const child of Object.values(value)) freeze(child);
  return Object.freeze(value);
}

/** Keeps two generations. When the young one is full, it replaces the old one, whose remaining entries are dropped. */
function createGenerationalCache<T>(size: number): { get(key: string, make: (key: string) => T): T } {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return {
    get(key, make) {
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const value = old.get(key) ?? make(key);
      if (young.size >= size) {
        old = young;
        young = new Map();
      }
      young.set(key, value);
      return value;
    },
  };
}

/** Projects the metadata of an object that is only read. `labels`: all labels, or only those that the controllers read. */
export function projectMetadata(metadata: ApiObjectMeta, labels: StringMap | undefined, table: InternTable): MutableMetadata {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  const projected: MutableMetadata = {
    name,
    namespace: table.internText(namespace),
    uid,
    resourceVersion,
    labels: internMap(labels, table),
  };
  // Objects that are not being deleted all come from the literal above, so they share one V8 hidden class without spare fields.
  if (deletionTimestamp !== undefined) projected.deletionTimestamp = deletionTimestamp;
  return projected;
}

/** A mutable `ObjectMeta`, while it is built. */
export type MutableMetadata = { -readonly [Field in keyof ObjectMeta]: ObjectMeta[Field] };

/** Shares equal label maps, for instance those of the pods of a Deployment. Undefined if empty. */
export const internMap = (map: StringMap | undefined, table: InternTable): StringMap | undefined =>
  map && !isEmpty(map) ? table.internValue(map) : undefined;

/** Returns the entries of a map with these keys; undefined if the map has none of the keys. */
export function pick(map: StringMap | undefined, keys: readonly string[]): StringMap | undefined {
  if (!map) return undefined;
  const presentKeys = keys.filter((key) => Object.hasOwn(map, key));
  return presentKeys.length > 0 ? Object.fromEntries(presentKeys.map((key) => [key, map[key] as string])) : undefined;
}

/** Projects the metadata of an object that is updated: keeps everything but managedFields. */
export function projectWritableMetadata(metadata: ApiObjectMeta, table: InternTable): ApiObjectMeta {
  const { managedFields: _, namespace, labels, ...rest } = metadata;
  return {
    ...rest,
    ...(namespace !== undefined && { namespace: table.internText(namespace) }),
    ...(labels !== undefined && { labels: table.internValue(labels) }),
  };
}

function isEmpty(map: object): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false;
  return true;
}
