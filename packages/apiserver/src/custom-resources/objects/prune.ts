import { isFields } from '../../resources/field/read.ts';
import { additionalOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';

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
    // A list that preserves unknown fields passes that on to its items.
    const pruneItem = preservesUnknownFields(schema) ? prunePreservingUnknown : pruneValue;
    return mapItems(value, (item, i) => pruneItem(item, items, `${path}[${i}]`, unknownPaths));
  }
  return isFields(value) ? pruneFields(value, schema, path, unknownPaths) : value;
}

function prunePreservingUnknown(value: unknown, schema: Schema | undefined, path: string, unknownPaths: string[]): unknown {
  return schema === undefined ? value : pruneValue(value, { ...schema, 'x-kubernetes-preserve-unknown-fields': true }, path, unknownPaths);
}

type Fields = Readonly<Record<string, unknown>>;

function pruneFields(value: Fields, schema: Schema | undefined, path: string, unknownPaths: string[]): Fields {
  const result: Record<string, unknown> = {};
  let changed = false;
  for (const name of Object.keys(value)) {
    const oldValue = value[name];
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const property = schema && propertyOf(schema, name);
    const isMeta = metaFields.has(name);
    let newValue = oldValue;
    if (schema?.['x-kubernetes-embedded-resource'] && isMeta) newValue = oldValue;
    else if (property) newValue = pruneValue(oldValue, property, fieldPath, unknownPaths);
    else if (schema?.additionalProperties !== undefined) newValue = pruneValue(oldValue, additionalOf(schema), fieldPath, unknownPaths);
    else if (!preservesUnknownFields(schema)) {
      if (!isMeta || path !== '') unknownPaths.push(fieldPath);
      changed = true;
      continue;
    }
    if (newValue !== oldValue) changed = true;
    setField(result, name, newValue);
  }
  return changed ? result : value;
}

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Like Array.map, but returns the same instance if nothing changes. */
export function mapItems(list: readonly unknown[], change: (item: unknown, index: number) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const newValue = change(list[i], i);
    if (newValue !== list[i]) changed ??= [...list];
    if (changed) changed[i] = newValue;
  }
  return changed ?? list;
}

/** Sets a field, even __proto__, without changing the prototype. */
export function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

/** Copies an object with another value of one field; undefined removes the field. */
export function withField<T extends object>(object: T, name: string, value: unknown): T {
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(object)) if (key !== name) setField(copy, key, each);
  if (value !== undefined) setField(copy, name, value);
  return copy as T;
}
