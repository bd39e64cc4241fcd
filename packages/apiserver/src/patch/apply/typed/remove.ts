import { type JsonMap, own, put } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import { below, type FieldSet, isEmpty } from '../field-set.ts';
import { fieldElement } from '../path-element.ts';
import { deduce, handle, identify, listIn, mapIn, typeAt, type Value } from './atom.ts';

/**
 * Takes fields and items out of a value: `TypedValue.RemoveItems`. Null is left of what was emptied, and of what is atomic and has
 * fields in the set. The result shares what it can with the value.
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
