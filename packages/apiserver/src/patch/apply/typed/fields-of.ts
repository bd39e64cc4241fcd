import { isMap, own } from '../../json.ts';
import type { ListAtom, TypeRef } from '../../types/type.ts';
import { type FieldSet, type GrowingSet, growingSet, insert } from '../field-set.ts';
import { fieldElement, type Path, type PathElement } from '../path-element.ts';
import { deduce, handle, identify, listIn, mapIn, typeAt, type Value } from './atom.ts';

/** Every field that a value sets: `TypedValue.ToFieldSet`. The value is valid. */
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

/** Of items that are there twice, only that they are is kept. */
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
