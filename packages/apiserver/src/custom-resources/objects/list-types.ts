import type { FieldCause } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { additionalPropertiesOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';
import { printValue } from '../validation/problem.ts';

/**
 * Reports duplicates in lists of type set or map. Mirrors ValidateListSetsAndMaps (apiextensions-apiserver/pkg/apiserver/schema/listtype,
 * 1.36).
 */
export function findListDuplicates(value: unknown, schema: Schema | undefined, path = ''): readonly FieldCause[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) return findDuplicatesInList(value, schema, path);
  if (!isFields(value)) return [];
  const additionalSchema = additionalPropertiesOf(schema);
  return Object.keys(value).flatMap((name) => {
    const property = propertyOf(schema, name);
    const mapCauses = additionalSchema ? findListDuplicates(value[name], additionalSchema, `${path}[${name}]`) : [];
    return property ? [...mapCauses, ...findListDuplicates(value[name], property, path === '' ? name : `${path}.${name}`)] : mapCauses;
  });
}

function findDuplicatesInList(list: readonly unknown[], schema: Schema, path: string): readonly FieldCause[] {
  const type = schema['x-kubernetes-list-type'];
  const ownCauses = type === 'set' ? reportDuplicates(list, path) : type === 'map' ? findDuplicateKeys(list, schema, path) : [];
  const items = itemsOf(schema);
  return items ? [...ownCauses, ...list.flatMap((item, i) => findListDuplicates(item, items, `${path}[${i}]`))] : ownCauses;
}

function findDuplicateKeys(list: readonly unknown[], schema: Schema, path: string): readonly FieldCause[] {
  const firstInvalidIndex = list.findIndex((item) => item !== null && !isFields(item));
  if (firstInvalidIndex >= 0) {
    const message = `Invalid value: ${printValue(list[firstInvalidIndex])}: must be an object for an array of list-type map`;
    return [{ reason: 'FieldValueInvalid', field: `${path}[${firstInvalidIndex}]`, message }];
  }
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keys = list.map((item) => keyOf(item, names));
  return reportDuplicates(keys, path);
}

const keyOf = (item: unknown, names: readonly string[]): unknown =>
  isFields(item) ? Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]])) : {};

/** Reports the second occurrence of each value. */
function reportDuplicates(list: readonly unknown[], path: string): readonly FieldCause[] {
  const counts = new Map<string, number>();
  const causes: FieldCause[] = [];
  for (const [i, item] of list.entries()) {
    const key = printValue(item);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count === 2) {
      causes.push({ reason: 'FieldValueDuplicate', field: `${path}[${i}]`, message: `Duplicate value: ${key}` });
    }
  }
  return causes;
}
