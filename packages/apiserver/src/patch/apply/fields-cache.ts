import { share } from '../../store/shared.ts';
import { isMap, type JsonMap } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { descend, type FieldSet, type GrowingSet, growingSet, isEmpty, sorted } from './field-set.ts';
import { parseElement } from './path-element.ts';
import { compare, traceOf } from './typed/compare.ts';
import type { Comparison } from './typed/difference-visitor.ts';
import { reconcile } from './typed/reconcile.ts';

/**
 * Caches field sets and their serialized form by object identity, because most writes leave most managers' fields unchanged. Entries are
 * released with those objects.
 *
 * Writes to objects of one kind tend to differ in the same fields, so comparisons are cached too, up to a limit; equal comparisons then
 * share one set.
 */
export interface FieldsCache {
  /** @throws SyntaxError if `fields` is not a field set */
  parse(fields: unknown): FieldSet;
  /** Cached `compare`. */
  compare: typeof compare;
  /** Cached difference for a constant `less`. */
  without(set: FieldSet, less: FieldSet, make: (set: FieldSet, less: FieldSet) => FieldSet): FieldSet;
  /** Cached result of `make` by text. */
  text<T>(text: string, make: () => T): T;
  /**
   * The result is shared and must not be modified.
   * @param final the set matches its type, which never changes
   */
  format(set: FieldSet, final: boolean): JsonMap;
  reconcile(set: FieldSet, type: TypeRef): FieldSet;
  /** Cached result of `make` by a frozen entry of managed fields. */
  entry<T extends object>(entry: object, make: () => T): T;
}

export const createFieldsCache = (): FieldsCache => ({
  ...createFormCache(),
  ...createEntryCache(),
  ...createComparisonCache(),
  text: createBounded(1000).of,
});

function createFormCache(): Pick<FieldsCache, 'parse' | 'format' | 'reconcile'> {
  const sets = new WeakMap<object, FieldSet>();
  const formatted = new WeakMap<FieldSet, JsonMap>();
  const reconciled = new WeakMap<FieldSet, { readonly type: TypeRef; readonly set: FieldSet }>();
  const right = new WeakSet<FieldSet>();
  const formatAnew = (set: FieldSet, final: boolean): JsonMap => {
    const fields = share(formatFields(set));
    formatted.set(set, fields);
    sets.set(fields, set);
    if (final) {
      right.add(set);
    }
    return fields;
  };
  const reconcileAnew = (set: FieldSet, type: TypeRef): FieldSet => {
    const made = reconcile(set, type);
    reconciled.set(set, { type, set: made });
    return made;
  };
  return {
    parse(fields) {
      const known = isMap(fields) ? sets.get(fields) : undefined;
      const set = known ?? parseFields(fields);
      if (isMap(fields) && Object.isFrozen(fields)) {
        sets.set(fields, set);
      }
      return set;
    },
    format: (set, final) => formatted.get(set) ?? formatAnew(set, final),
    reconcile(set, type) {
      const known = reconciled.get(set);
      return right.has(set) ? set : known?.type === type ? known.set : reconcileAnew(set, type);
    },
  };
}

function createEntryCache(): Pick<FieldsCache, 'entry'> {
  const entries = new WeakMap<object, object>();
  return {
    entry(entry, make) {
      const known = entries.get(entry) as ReturnType<typeof make> | undefined;
      const made = known ?? make();
      if (!known && Object.isFrozen(entry)) {
        entries.set(entry, made);
      }
      return made;
    },
  };
}

function createComparisonCache(): Pick<FieldsCache, 'compare' | 'without'> {
  const comparisons = createBounded<Comparison>(1000);
  const rests = new WeakMap<FieldSet, WeakMap<FieldSet, FieldSet>>();
  return {
    compare(left, right, type, strict = false) {
      const trace = traceOf(left, right, type, strict);
      const make = (): Comparison => compare(left, right, type, strict);
      // The key includes `strict`, so that final sets are not shared with sets whose type may change.
      return trace.length > maxTraceCharacters ? make() : comparisons.of(`${strict} ${trace}`, make);
    },
    without(set, less, make) {
      const known = rests.get(less) ?? new WeakMap<FieldSet, FieldSet>();
      rests.set(less, known);
      const rest = known.get(set) ?? make(set, less);
      known.set(set, rest);
      return rest;
    },
  };
}

/** Longer comparison traces, in characters, are not cached, because they rarely repeat. */
const maxTraceCharacters = 4096;

/** A cache of at most `most` texts; it is cleared when full. */
function createBounded<T>(maxEntries: number): { of<Made extends T>(text: string, make: () => Made): Made } {
  const all = new Map<string, T>();
  return {
    of<Made extends T>(text: string, make: () => Made): Made {
      const known = all.get(text) as Made | undefined;
      if (known !== undefined) {
        return known;
      }
      const made = make();
      if (all.size >= maxEntries) {
        all.clear();
      }
      all.set(text, made);
      return made;
    },
  };
}

/** Parses the field set of an object (`metav1.FieldsV1`). @throws SyntaxError if it is invalid */
export function parseFields(fields: unknown): FieldSet {
  return read(fields).set;
}

/** Serializes a field set in key order (`metav1.FieldsV1`). */
export function formatFields(set: FieldSet): JsonMap {
  const fields: JsonMap = {};
  addFields(set, fields);
  return fields;
}

function addFields(set: FieldSet, fields: JsonMap): void {
  const { members, children } = set;
  for (const element of sorted(children.size === 0 ? members : new Set([...members, ...children.keys()]))) {
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

/** An element is a member if it has no children, or the child ".". */
function read(fields: unknown): { readonly set: GrowingSet; readonly isMember: boolean } {
  if (!isMap(fields ?? {})) {
    throw new SyntaxError('expect { or n in fields');
  }
  const set = growingSet();
  for (const [text, inner] of Object.entries(fields ?? {})) {
    const element = text === '.' ? undefined : parseElement(text);
    if (element !== undefined) {
      const child = read(inner);
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

/** Two spellings may denote the same element. */
function merge(into: GrowingSet, from: GrowingSet): void {
  for (const element of from.members) {
    into.members.add(element);
  }
  for (const [element, child] of from.children) {
    merge(descend(into, element), child);
  }
}
