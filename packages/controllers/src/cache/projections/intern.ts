import type { StringMap } from 'kube-endpoints/internal';
import type { ApiObjectMeta } from 'kube-endpoints/port';
import type { ObjectMeta } from 'kube-endpoints/types';

/** Lets objects share what is the same in many of them. What is shared must not be written to. */
export interface InternTable {
  /** The one instance of a text. */
  text<T extends string | null | undefined>(text: T): T;
  /** The one instance of a value of JSON, frozen; `value` itself need not be. */
  value<T extends object>(value: T): T;
  /** The one instance of what has this key among others made alike; `make` is asked where there is none. */
  made<T extends object>(key: string, make: () => T): T;
}

/** Shares nothing. */
export const noInterning: InternTable = { text: (text) => text, value: (value) => value, made: (_, make) => make() };

/**
 * Makes an empty table. It remembers what it was asked for lately: at least the last `size` texts and values, at most twice as
 * many. What is forgotten stays shared by those who have it.
 */
export function createInternTable({ size = 8192 }: { readonly size?: number } = {}): InternTable {
  const texts = createMemory<string>(size);
  const values = createMemory<object>(size);
  return {
    text<T extends string | null | undefined>(text: T): T {
      // Long texts are seldom the same, and would make the table's size say little of its memory.
      if (typeof text !== 'string' || text.length === 0 || text.length > longestText) return text;
      return texts.get(text, keep) as T;
    },
    value<T extends object>(value: T): T {
      const json = JSON.stringify(value);
      return json.length > longestValue ? value : (values.get(json, parseFrozen) as T);
    },
    made<T extends object>(key: string, make: () => T): T {
      return values.get(key, make) as T;
    },
  };
}

const longestText = 128;
const longestValue = 2048;

const keep = (text: string): string => text;

/** Read from its text, so that equal values have equal shapes, and any text is a key. */
function parseFrozen(json: string): object {
  return freeze(JSON.parse(json) as object);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) freeze(each);
  return Object.freeze(value);
}

/** Remembers in two halves: when the younger one is full it becomes the older one, and what nobody asked for since is gone. */
function createMemory<T>(size: number): { get(key: string, make: (key: string) => T): T } {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return {
    get(key, make) {
      const known = young.get(key);
      if (known !== undefined) return known;
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

/** What every projection keeps of an object's metadata. Labels are kept whole where any of them may count. */
export function projectMetadata(metadata: ApiObjectMeta, labels: StringMap | undefined, table: InternTable): Kept {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  const kept: Kept = { name, namespace: table.text(namespace), uid, resourceVersion, labels: shared(labels, table) };
  // Made in one go for by far the most objects: they then have one shape, with no room for more.
  if (deletionTimestamp !== undefined) kept.deletionTimestamp = deletionTimestamp;
  return kept;
}

/** `ObjectMeta` on its way. */
export type Kept = { -readonly [Field in keyof ObjectMeta]: ObjectMeta[Field] };

/** Labels that many objects have, pods of one Deployment for instance, are one object. */
export const shared = (map: StringMap | undefined, table: InternTable): StringMap | undefined =>
  map && !isEmpty(map) ? table.value(map) : undefined;

/** The entries of a map that have one of these keys; undefined where there are none. */
export function only(map: StringMap | undefined, keys: readonly string[]): StringMap | undefined {
  if (!map) return undefined;
  const found = keys.filter((key) => Object.hasOwn(map, key));
  return found.length > 0 ? Object.fromEntries(found.map((key) => [key, map[key] as string])) : undefined;
}

/** Metadata that a write has to send back: all but what the server keeps itself. */
export function writableMetadata(metadata: ApiObjectMeta, table: InternTable): ApiObjectMeta {
  const { managedFields: _, namespace, labels, ...rest } = metadata;
  return {
    ...rest,
    ...(namespace !== undefined && { namespace: table.text(namespace) }),
    ...(labels !== undefined && { labels: table.value(labels) }),
  };
}

function isEmpty(map: object): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false;
  return true;
}
