import { isMap, type JsonMap, own, put } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import { below, type FieldSet, type GrowingSet, growingSet, insert, isEmpty } from '../field-set.ts';
import { fieldElement, type Path, type PathElement } from '../path-element.ts';
import { deduce, handle, identify, listIn, mapIn, typeAt, type Value } from './atom.ts';

/** Every field that a value sets: `TypedValue.ToFieldSet`. The value must be valid. */
export function fieldsOf(value: Value, type: TypeRef): FieldSet {
  const set = growingSet();
  collect(value, type, [], set);
  return set;
}

function collect(value: Value, type: TypeRef, path: Path, set: GrowingSet): void {
  handle(deduce(type.resolve(), value), {
    scalar: () => insert(set, path),
    list: (list) => (list.atomic ? insert(set, path) : collectItems(listIn(value) ?? [], list, path, set)),
    map(map) {
      if (map.atomic) {
        insert(set, path);
        return;
      }
      const fields = mapIn(value) ?? {};
      for (const key of Object.keys(fields)) {
        const inner = own(fields, key);
        const type = typeAt(map, key);
        const innerPath = [...path, fieldElement(key)];
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

/** Duplicate items are members, but their fields are not tracked. */
function collectItems(items: readonly unknown[], list: ListAtom, path: Path, set: GrowingSet): void {
  const identified = items.map((item) => identify(list, item));
  const counts = new Map<PathElement, number>();
  for (const found of identified) {
    if ('element' in found) {
      counts.set(found.element, (counts.get(found.element) ?? 0) + 1);
    }
  }
  for (const [index, found] of identified.entries()) {
    if ('element' in found) {
      insert(set, [...path, found.element]);
      if (counts.get(found.element) === 1) {
        collect(items[index], list.element, [...path, found.element], set);
      }
    }
  }
}

/**
 * Removes fields and items from a value: `TypedValue.RemoveItems`. Containers that become empty, and atomic ones with fields in the set,
 * become null. The result shares unchanged parts with the value.
 */
export function removeFields(value: Value, fields: FieldSet, type: TypeRef | undefined): Value {
  if (type === undefined) {
    return value;
  }
  return handle<Value>(deduce(type.resolve(), value), {
    scalar: () => value,
    list: (list) => (list.atomic ? null : withoutItems(listIn(value) ?? [], fields, list)),
    map: (map) => (map.atomic ? null : withoutFields(mapIn(value) ?? {}, fields, map)),
  });
}

function withoutItems(items: readonly unknown[], fields: FieldSet, list: ListAtom): unknown[] | null {
  const kept: unknown[] = [];
  for (const item of items) {
    const identified = identify(list, item);
    const element = 'element' in identified ? identified.element : '';
    if (!fields.members.has(element)) {
      const inner = below(fields, element);
      kept.push(isEmpty(inner) ? item : removeFields(item, inner, list.element));
    }
  }
  return kept.length > 0 ? kept : null;
}

function withoutFields(value: JsonMap, fields: FieldSet, map: MapAtom): JsonMap | null {
  const kept: JsonMap = {};
  for (const key of Object.keys(value)) {
    const element = fieldElement(key);
    if (!fields.members.has(element)) {
      const inner = below(fields, element);
      put(kept, key, isEmpty(inner) ? own(value, key) : removeFields(own(value, key), inner, typeAt(map, key)));
    }
  }
  return Object.keys(kept).length > 0 ? kept : null;
}
