import { isFields, sameValue } from '../../resources/field/read.ts';
import { writeJson } from '../../store/json.ts';
import { additionalPropertiesOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';

/**
 * A value and the corresponding value of the old object. Updates may keep invalid values that they do not change.
 *
 * Mirrors CorrelatedObject (apiserver/pkg/cel/common, 1.36).
 */
export interface Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: Schema;
  /** The old items of a list of type map by their keys; created on first use. */
  oldItemsByKey?: ReadonlyMap<string, unknown>;
}

export function correlateProperty({ value, old, schema }: Correlation, name: string): Correlation | undefined {
  if (!isFields(value) || !isFields(old) || !Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
  const propertySchema = propertyOf(schema, name) ?? additionalPropertiesOf(schema);
  return propertySchema && { value: value[name], old: old[name], schema: propertySchema };
}

/** The correlation of a list item; undefined unless the list has type map and an old item has the same keys. */
export function correlateItem(correlation: Correlation, index: number): Correlation | undefined {
  const { value, old, schema } = correlation;
  const items = itemsOf(schema);
  if (schema['x-kubernetes-list-type'] !== 'map' || !items || !Array.isArray(value) || !Array.isArray(old)) return undefined;
  const item: unknown = value[index];
  if (!isFields(item)) return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  correlation.oldItemsByKey ??= indexByKey(old, keys);
  const oldItem = correlation.oldItemsByKey.get(keyOf(item, keys));
  return oldItem === undefined ? undefined : { value: item, old: oldItem, schema: items };
}

/** Of several items with the same keys, keeps the first. */
function indexByKey(list: readonly unknown[], keys: readonly string[]): ReadonlyMap<string, unknown> {
  const entries = list.filter(isFields).map((item) => [keyOf(item, keys), item] as const);
  return new Map(entries.reverse());
}

const keyOf = (item: Readonly<Record<string, unknown>>, keys: readonly string[]): string => writeJson(keys.map((key) => item[key]));

export function isUnchanged(correlation: Correlation): boolean {
  const { value, old, schema } = correlation;
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    if (schema['x-kubernetes-list-type'] !== 'map') return sameValue(value, old);
    return value.every((_, i) => isUnchangedIfCorrelated(correlateItem(correlation, i)));
  }
  if (!isFields(value) || !isFields(old)) return sameValue(value, old);
  const names = Object.keys(value);
  return names.length === Object.keys(old).length && names.every((name) => isUnchangedIfCorrelated(correlateProperty(correlation, name)));
}

const isUnchangedIfCorrelated = (correlation: Correlation | undefined): boolean => correlation !== undefined && isUnchanged(correlation);
