import { getOwn, isMap, type JsonMap, put } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import { childSet, createMutableSet, type FieldSet, insert, isEmpty, type MutableFieldSet } from '../field-set.ts';
import { createFieldElement, type Path, type PathElement } from '../path-element.ts';
import { asList, asMap, deduce, handle, identify, typeAt, type Value } from './atom.ts';

/** Collects every field that a value sets. The value must be valid. Mirrors `TypedValue.ToFieldSet`. */
export function fieldsOf(value: Value, type: TypeRef): FieldSet {
  const set = createMutableSet();
  collect(value, type, [], set);
  return set;
}

function collect(value: Value, type: TypeRef, path: Path, set: MutableFieldSet): void {
  handle(deduce(type.resolve(), value), {
    scalar: () => insert(set, path),
    list: (list) => (list.atomic ? insert(set, path) : collectItems(asList(value) ?? [], list, path, set)),
    map(map) {
      if (map.atomic) {
        insert(set, path);
        return;
      }
      const fields = asMap(value) ?? {};
      for (const key of Object.keys(fields)) {
        const inner = getOwn(fields, key);
        const type = typeAt(map, key);
        const innerPath = [...path, createFieldElement(key)];
        if (type !== undefined) {
          collect(inner, type, innerPath, set);
        }
        if (inner === null || (isMap(inner) && Object.keys(inner).length === 0) || !map.fields.has(key)) {
          insert(set, innerPath);
        }
      }
    },
  });
}

/** Adds each item to the set, and the fields of each item whose key or value is unique in the list. */
function collectItems(items: readonly unknown[], list: ListAtom, path: Path, set: MutableFieldSet): void {
  const identities = items.map((item) => identify(list, item));
  const counts = new Map<PathElement, number>();
  for (const identity of identities) {
    if ('element' in identity) {
      counts.set(identity.element, (counts.get(identity.element) ?? 0) + 1);
    }
  }
  for (const [index, identity] of identities.entries()) {
    if ('element' in identity) {
      insert(set, [...path, identity.element]);
      if (counts.get(identity.element) === 1) {
        collect(items[index], list.element, [...path, identity.element], set);
      }
    }
  }
}

/**
 * Removes fields and items from a value. Atomic containers, and containers that become empty, become null. Nested values without fields in
 * the set are not changed, and are shared with the result. Mirrors `TypedValue.RemoveItems`.
 */
export function removeFields(value: Value, fields: FieldSet, type: TypeRef | undefined): Value {
  if (type === undefined) return value;
  return handle<Value>(deduce(type.resolve(), value), {
    scalar: () => value,
    list: (list) => (list.atomic ? null : withoutItems(asList(value) ?? [], fields, list)),
    map: (map) => (map.atomic ? null : withoutFields(asMap(value) ?? {}, fields, map)),
  });
}

function withoutItems(items: readonly unknown[], fields: FieldSet, list: ListAtom): unknown[] | null {
  const remainingItems: unknown[] = [];
  for (const item of items) {
    const identity = identify(list, item);
    const element = 'element' in identity ? identity.element : '';
    if (!fields.members.has(element)) {
      const inner = childSet(fields, element);
      remainingItems.push(isEmpty(inner) ? item : removeFields(item, inner, list.element));
    }
  }
  return remainingItems.length > 0 ? remainingItems : null;
}

function withoutFields(value: JsonMap, fields: FieldSet, map: MapAtom): JsonMap | null {
  const remainingFields: JsonMap = {};
  for (const key of Object.keys(value)) {
    const element = createFieldElement(key);
    if (!fields.members.has(element)) {
      const inner = childSet(fields, element);
      put(remainingFields, key, isEmpty(inner) ? getOwn(value, key) : removeFields(getOwn(value, key), inner, typeAt(map, key)));
    }
  }
  return Object.keys(remainingFields).length > 0 ? remainingFields : null;
}
