import type { FieldCause } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { additionalOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';
import { printValue } from '../validation/problem.ts';

/**
 * Reports duplicates in lists of type set or map. Mirrors ValidateListSetsAndMaps (apiextensions-apiserver/pkg/apiserver/schema/listtype,
 * 1.36).
 */
export function causesOfLists(value: unknown, schema: Schema | undefined, path = ''): readonly FieldCause[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) return causesOfList(value, schema, path);
  if (!isFields(value)) return [];
  const additional = additionalOf(schema);
  return Object.keys(value).flatMap((name) => {
    const own = propertyOf(schema, name);
    const inMap = additional ? causesOfLists(value[name], additional, `${path}[${name}]`) : [];
    return own ? [...inMap, ...causesOfLists(value[name], own, path === '' ? name : `${path}.${name}`)] : inMap;
  });
}

function causesOfList(list: readonly unknown[], schema: Schema, path: string): readonly FieldCause[] {
  const type = schema['x-kubernetes-list-type'];
  const own = type === 'set' ? duplicates(list, path) : type === 'map' ? causesOfMap(list, schema, path) : [];
  const items = itemsOf(schema);
  return items ? [...own, ...list.flatMap((item, i) => causesOfLists(item, items, `${path}[${i}]`))] : own;
}

function causesOfMap(list: readonly unknown[], schema: Schema, path: string): readonly FieldCause[] {
  const firstInvalid = list.findIndex((item) => item !== null && !isFields(item));
  if (firstInvalid >= 0) {
    const message = `Invalid value: ${printValue(list[firstInvalid])}: must be an object for an array of list-type map`;
    return [{ reason: 'FieldValueInvalid', field: `${path}[${firstInvalid}]`, message }];
  }
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keys = list.map((item) => keyOf(item, names));
  return duplicates(keys, path);
}

const keyOf = (item: unknown, names: readonly string[]): unknown =>
  isFields(item) ? Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]])) : {};

/** Reports the second occurrence of each value. */
function duplicates(list: readonly unknown[], path: string): readonly FieldCause[] {
  const times = new Map<string, number>();
  const causes: FieldCause[] = [];
  for (const [i, item] of list.entries()) {
    const key = printValue(item);
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    if (count === 2) {
      causes.push({ reason: 'FieldValueDuplicate', field: `${path}[${i}]`, message: `Duplicate value: ${key}` });
    }
  }
  return causes;
}
