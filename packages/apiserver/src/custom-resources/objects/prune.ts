import { isFields } from '../../resources/field/read.ts';
import { additionalOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';

/**
 * Takes away what a schema does not know, and nothing from what it is told to preserve. Mirrors PruneWithOptions
 * (apiextensions-apiserver/pkg/apiserver/schema/pruning, 1.36).
 * @param isRoot whether it is a whole object: what is not told of kind, apiVersion and metadata is kept then
 * @returns what is left, the value itself where that is all; `unknown` is given the paths of the rest
 */
export function prune(value: unknown, schema: Schema | undefined, isRoot: boolean, unknown: string[] = []): unknown {
  const own: Schema =
    isRoot && !schema?.['x-kubernetes-embedded-resource'] ? { ...schema, 'x-kubernetes-embedded-resource': true } : (schema ?? {});
  return pruneValue(value, own, '', unknown);
}

const preserves = (schema: Schema | undefined): boolean => schema?.['x-kubernetes-preserve-unknown-fields'] === true;

function pruneValue(value: unknown, schema: Schema | undefined, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const items = schema && itemsOf(schema);
    // Of a list that is preserved, the items are looked at as the list was.
    const each = preserves(schema) ? preservedItems : pruneValue;
    return mapped(value, (item, i) => each(item, items, `${path}[${i}]`, unknown));
  }
  return isFields(value) ? pruneFields(value, schema, path, unknown) : value;
}

function preservedItems(value: unknown, schema: Schema | undefined, path: string, unknown: string[]): unknown {
  return schema === undefined ? value : pruneValue(value, { ...schema, 'x-kubernetes-preserve-unknown-fields': true }, path, unknown);
}

type Fields = Readonly<Record<string, unknown>>;

function pruneFields(value: Fields, schema: Schema | undefined, path: string, unknown: string[]): Fields {
  const kept: Record<string, unknown> = {};
  let changed = false;
  for (const name of Object.keys(value)) {
    const before = value[name];
    const at = path === '' ? name : `${path}.${name}`;
    const property = schema && propertyOf(schema, name);
    const isMeta = metaFields.has(name);
    let after = before;
    if (schema?.['x-kubernetes-embedded-resource'] && isMeta) after = before;
    else if (property) after = pruneValue(before, property, at, unknown);
    else if (schema?.additionalProperties !== undefined) after = pruneValue(before, additionalOf(schema), at, unknown);
    else if (!preserves(schema)) {
      if (!isMeta || path !== '') unknown.push(at);
      changed = true;
      continue;
    }
    if (after !== before) changed = true;
    setField(kept, name, after);
  }
  return changed ? kept : value;
}

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The list itself where nothing in it changes. */
export function mapped(list: readonly unknown[], change: (item: unknown, index: number) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const after = change(list[i], i);
    if (after !== list[i]) changed ??= [...list];
    if (changed) changed[i] = after;
  }
  return changed ?? list;
}

/** A field named __proto__ is one like any other, and must not become the prototype. */
export function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

/** A copy with another value of a field; undefined takes it away. */
export function withField<T extends object>(object: T, name: string, value: unknown): T {
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(object)) if (key !== name) setField(copy, key, each);
  if (value !== undefined) setField(copy, name, value);
  return copy as T;
}
