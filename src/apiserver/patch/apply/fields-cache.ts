import { isMap, type JsonMap } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import type { FieldSet } from './field-set.ts';
import { formatFields, parseFields } from './fields-v1.ts';
import { reconcile } from './typed/reconcile.ts';

/**
 * Remembers sets of fields in both of their forms, by the objects that they stand in: as most writes change few fields, most managers
 * have the same fields as before. What is remembered is forgotten together with those objects.
 */
export interface FieldsCache {
  /** Throws a SyntaxError over what is no set of fields. */
  parse(fields: unknown): FieldSet;
  /**
   * Not to be written to.
   * @param final The set is right for its type, which never changes.
   */
  format(set: FieldSet, final: boolean): JsonMap;
  reconcile(set: FieldSet, type: TypeRef): FieldSet;
  /** What was made of an entry of managed fields that nobody can change any more. */
  entry<T extends object>(entry: object, make: () => T): T;
}

export const createFieldsCache = (): FieldsCache => ({ ...createFormCache(), ...createEntryCache() });

function createFormCache(): Pick<FieldsCache, 'parse' | 'format' | 'reconcile'> {
  const sets = new WeakMap<object, FieldSet>();
  const formatted = new WeakMap<FieldSet, JsonMap>();
  const reconciled = new WeakMap<FieldSet, { readonly type: TypeRef; readonly set: FieldSet }>();
  const right = new WeakSet<FieldSet>();
  const formatAnew = (set: FieldSet, final: boolean): JsonMap => {
    const fields = formatFields(set);
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
