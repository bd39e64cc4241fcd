import { share } from '../../store/shared.ts';
import { isMap, type JsonMap } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { createMutableSet, descend, type FieldSet, isEmpty, type MutableFieldSet, sortElements } from './field-set.ts';
import { parseElement } from './path-element.ts';
import { compare, traceDifferences } from './typed/compare.ts';
import type { Comparison } from './typed/difference-visitor.ts';
import { reconcile } from './typed/reconcile.ts';

/**
 * Caches field sets and their serialized form by object identity, because most writes leave most managers' fields unchanged. Entries are
 * released with those objects.
 *
 * Most writes to objects of one kind change the same fields. So comparisons are cached too, up to a limit, by the list of differences:
 * writes
 * with the same differences share one set.
 */
export interface FieldsCache {
  /** @throws SyntaxError if `fields` is not a field set */
  parse(fields: unknown): FieldSet;
  /** Cached `compare`. */
  compare: typeof compare;
  /** Cached result of `make`, by the identity of both sets. */
  subtract(set: FieldSet, removedFields: FieldSet, make: (set: FieldSet, removedFields: FieldSet) => FieldSet): FieldSet;
  /** Cached result of `make` by text. */
  getByText<T>(text: string, make: () => T): T;
  /**
   * Cached `formatFields`. The result is shared and must not be modified.
   * @param final the set matches its type, and the type never changes
   */
  format(set: FieldSet, final: boolean): JsonMap;
  /** Cached `reconcile`. */
  reconcile(set: FieldSet, type: TypeRef): FieldSet;
  /** Cached result of `make` by a frozen entry of managed fields. */
  getEntry<T extends object>(entry: object, make: () => T): T;
}

export const createFieldsCache = (): FieldsCache => ({
  ...createFormCache(),
  ...createEntryCache(),
  ...createComparisonCache(),
  getByText: createBoundedCache(1000).get,
});

function createFormCache(): Pick<FieldsCache, 'parse' | 'format' | 'reconcile'> {
  const sets = new WeakMap<object, FieldSet>();
  const formattedSets = new WeakMap<FieldSet, JsonMap>();
  const reconciledSets = new WeakMap<FieldSet, { readonly type: TypeRef; readonly set: FieldSet }>();
  const finalSets = new WeakSet<FieldSet>();
  const formatUncached = (set: FieldSet, final: boolean): JsonMap => {
    const fields = share(formatFields(set));
    formattedSets.set(set, fields);
    sets.set(fields, set);
    if (final) {
      finalSets.add(set);
    }
    return fields;
  };
  const reconcileUncached = (set: FieldSet, type: TypeRef): FieldSet => {
    const result = reconcile(set, type);
    reconciledSets.set(set, { type, set: result });
    return result;
  };
  return {
    parse(fields) {
      const cached = isMap(fields) ? sets.get(fields) : undefined;
      const set = cached ?? parseFields(fields);
      if (isMap(fields) && Object.isFrozen(fields)) {
        sets.set(fields, set);
      }
      return set;
    },
    format: (set, final) => formattedSets.get(set) ?? formatUncached(set, final),
    reconcile(set, type) {
      const cached = reconciledSets.get(set);
      return finalSets.has(set) ? set : cached?.type === type ? cached.set : reconcileUncached(set, type);
    },
  };
}

function createEntryCache(): Pick<FieldsCache, 'getEntry'> {
  const entries = new WeakMap<object, object>();
  return {
    getEntry(entry, make) {
      const cached = entries.get(entry) as ReturnType<typeof make> | undefined;
      const result = cached ?? make();
      if (!cached && Object.isFrozen(entry)) {
        entries.set(entry, result);
      }
      return result;
    },
  };
}

function createComparisonCache(): Pick<FieldsCache, 'compare' | 'subtract'> {
  const comparisons = createBoundedCache<Comparison>(1000);
  const differences = new WeakMap<FieldSet, WeakMap<FieldSet, FieldSet>>();
  return {
    compare(left, right, type, strict = false) {
      const trace = traceDifferences(left, right, type, strict);
      const make = (): Comparison => compare(left, right, type, strict);
      // The key includes `strict`, so that final sets are not shared with sets whose type may change.
      return trace.length > maxTraceCharacters ? make() : comparisons.get(`${strict} ${trace}`, make);
    },
    subtract(set, removedFields, make) {
      const cached = differences.get(removedFields) ?? new WeakMap<FieldSet, FieldSet>();
      differences.set(removedFields, cached);
      const remaining = cached.get(set) ?? make(set, removedFields);
      cached.set(set, remaining);
      return remaining;
    },
  };
}

/** Longer comparison traces, in characters, are not cached, because they rarely repeat. */
const maxTraceCharacters = 4096;

/** A cache of at most `maxEntries` texts; it is cleared when full. */
function createBoundedCache<T>(maxEntries: number): { get<Made extends T>(text: string, make: () => Made): Made } {
  const entries = new Map<string, T>();
  return {
    get<Made extends T>(text: string, make: () => Made): Made {
      const cached = entries.get(text) as Made | undefined;
      if (cached !== undefined) return cached;
      const result = make();
      if (entries.size >= maxEntries) {
        entries.clear();
      }
      entries.set(text, result);
      return result;
    },
  };
}

/** Parses the field set of an object (`metav1.FieldsV1`). @throws SyntaxError if it is invalid */
export function parseFields(fields: unknown): FieldSet {
  return parseFieldSet(fields).set;
}

/** Serializes a field set in key order (`metav1.FieldsV1`). */
export function formatFields(set: FieldSet): JsonMap {
  const fields: JsonMap = {};
  addFields(set, fields);
  return fields;
}

function addFields(set: FieldSet, fields: JsonMap): void {
  const { members, children } = set;
  for (const element of sortElements(children.size === 0 ? members : new Set([...members, ...children.keys()]))) {
    const child = children.get(element);
    const inner: JsonMap = {};
    if (child !== undefined && (child.members.size > 0 || child.children.size > 0)) {
      if (members.has(element)) {
        inner['.'] = {};
      }
      addFields(child, inner);
    }
    fields[element] = inner;
  }
}

/** Parses a field set. `isMember`: the set's element is itself a member, because it has no children or has the child ".". */
function parseFieldSet(fields: unknown): { readonly set: MutableFieldSet; readonly isMember: boolean } {
  if (!isMap(fields ?? {})) throw new SyntaxError('expect { or n in fields');
  const set = createMutableSet();
  for (const [text, inner] of Object.entries(fields ?? {})) {
    const element = text === '.' ? undefined : parseElement(text);
    if (element !== undefined) {
      const child = parseFieldSet(inner);
      if (child.isMember) {
        set.members.add(element);
      }
      if (!isEmpty(child.set)) {
        merge(descend(set, element), child.set);
      }
    }
  }
  const isLeaf = set.members.size === 0 && set.children.size === 0;
  return { set, isMember: isLeaf || (isMap(fields) && Object.hasOwn(fields, '.')) };
}

/** Merges the children of an element that occurs twice, in two spellings. */
function merge(into: MutableFieldSet, from: MutableFieldSet): void {
  for (const element of from.members) {
    into.members.add(element);
  }
  for (const [element, child] of from.children) {
    merge(descend(into, element), child);
  }
}
