import { type Fields, isFields } from '../../resources/field/read.ts';
import { additionalPropertiesOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';

/**
 * Removes fields that the schema does not specify, except where it preserves unknown fields. Mirrors PruneWithOptions
 * (apiextensions-apiserver/pkg/apiserver/schema/pruning, 1.36).
 * @param isRoot whether the value is a whole object, which keeps kind, apiVersion and metadata
 * @returns the pruned value, or the same instance if nothing changes; adds the paths of removed fields to `unknownPaths`
 */
export function prune(value: unknown, schema: Schema | undefined, isRoot: boolean, unknownPaths: string[] = []): unknown {
  const rootSchema: Schema =
    isRoot && !schema?.['x-kubernetes-embedded-resource'] ? { ...schema, 'x-kubernetes-embedded-resource': true } : (schema ?? {});
  return pruneValue(value, rootSchema, '', unknownPaths);
}

const preservesUnknownFields = (schema: Schema | undefined): boolean => schema?.['x-kubernetes-preserve-unknown-fields'] === true;

function pruneValue(value: unknown, schema: Schema | undefined, path: string, unknownPaths: string[]): unknown {
  if (Array.isArray(value)) {
    const items = schema && itemsOf(schema);
    // Items of a list that preserves unknown fields preserve them too.
    const pruneItem = preservesUnknownFields(schema) ? prunePreservingUnknown : pruneValue;
    return mapItems(value, (item, i) => pruneItem(item, items, `${path}[${i}]`, unknownPaths));
  }
  return isFields(value) ? pruneFields(value, schema, path, unknownPaths) : value;
}

function prunePreservingUnknown(value: unknown, schema: Schema | undefined, path: string, unknownPaths: string[]): unknown {
  return schema === undefined ? value : pruneValue(value, { ...schema, 'x-kubernetes-preserve-unknown-fields': true }, path, unknownPaths);
}

function pruneFields(value: Fields, schema: Schema | undefined, path: string, unknownPaths: string[]): Fields {
  return mapFields(value, (field, name) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const property = schema && propertyOf(schema, name);
    const isMeta = metaFields.has(name);
    if (schema?.['x-kubernetes-embedded-resource'] && isMeta) return field;
    if (property) return pruneValue(field, property, fieldPath, unknownPaths);
    if (schema?.additionalProperties !== undefined) return pruneValue(field, additionalPropertiesOf(schema), fieldPath, unknownPaths);
    if (preservesUnknownFields(schema)) return field;
    if (!isMeta || path !== '') unknownPaths.push(fieldPath);
    return removedField;
  });
}

export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Like Array.map, but returns the same instance if nothing changes. */
export function mapItems(list: readonly unknown[], change: (item: unknown, index: number) => unknown): readonly unknown[] {
  let changedList: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const newValue = change(list[i], i);
    if (newValue !== list[i]) changedList ??= [...list];
    if (changedList) changedList[i] = newValue;
  }
  return changedList ?? list;
}

export const removedField: unique symbol = Symbol('removed');

/** Like mapItems for the fields of an object; `removedField` instead of a value removes the field. */
export function mapFields(value: Fields, change: (field: unknown, name: string) => unknown): Fields {
  const mappedFields: Record<string, unknown> = {};
  let changed = false;
  for (const name of Object.keys(value)) {
    const newField = change(value[name], name);
    if (newField !== value[name]) changed = true;
    if (newField !== removedField) setField(mappedFields, name, newField);
  }
  return changed ? mappedFields : value;
}

/** Sets a field, even __proto__, without changing the prototype. */
export function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

/** Copies an object with a different value of one field; undefined removes the field. */
export function withField<T extends object>(object: T, name: string, value: unknown): T {
  const copy = { ...object } as Record<string, unknown>;
  delete copy[name];
  if (value !== undefined) setField(copy, name, value);
  return copy as T;
}
