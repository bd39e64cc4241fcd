import { quote } from 'kube-endpoints/internal/apimachinery';
import { status500 } from '../../store/errors.ts';
import type { Field, TypeRef } from '../types/type.ts';

/** Metadata of a field for strategic merge patches: `PatchMeta` (1.36, apimachinery/pkg/util/strategicpatch/meta.go). */
export interface FieldMeta {
  readonly type: TypeRef;
  /** "merge", "replace" or "", which means replace. "retainKeys" only concerns creators of patches. */
  readonly strategy: string;
  readonly mergeKey: string;
}

/** Finds the metadata of a field of a struct. @throws ApiError 500 if the type is not a struct or has no such field */
export function lookupMap(type: TypeRef, key: string): FieldMeta {
  const { fields } = requireStruct(type);
  const field = fields.get(key) ?? [...fields].find(([name]) => foldCase(name) === foldCase(key))?.[1];
  if (field === undefined) throw status500(`unable to find api field in struct ${structName(type)} for the json field ${quote(key)}`);
  return toFieldMeta(field, field.type);
}

/**
 * Finds the metadata of a list field, with the type of its items.
 * @throws ApiError 500 as `lookupMap` does, or if the field is neither list nor pointer
 */
export function lookupList(type: TypeRef, key: string): FieldMeta {
  const fieldMeta = lookupMap(type, key);
  const { list } = fieldMeta.type.resolve();
  const field = requireStruct(type).fields.get(key);
  if (list === undefined && field?.pointer !== true) throw status500('expected slice or array type, but got: struct');
  return list === undefined ? fieldMeta : { ...fieldMeta, type: list.element };
}

function requireStruct(type: TypeRef): { readonly fields: ReadonlyMap<string, Field> } {
  const { map, list, scalar } = type.resolve();
  if (map === undefined || (map.element !== undefined && type.name === undefined)) {
    const kind = map ? 'map' : list ? 'slice' : (scalarKinds[scalar ?? 'untyped'] ?? 'struct');
    throw status500(`merging an object in json but data type is not struct, instead is: ${kind}`);
  }
  return map;
}

const toFieldMeta = ({ strategies = [], mergeKey = '' }: Field, type: TypeRef): FieldMeta => ({
  type,
  strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
  mergeKey,
});

const structName = (type: TypeRef): string => type.name?.replace(/^.*\./, '') ?? '';

/** Go's decoder ignores case, and treats U+017F like s and U+212A like k. */
const foldCase = (name: string): string => name.toUpperCase().toLowerCase();

const scalarKinds: Readonly<Record<string, string>> = { string: 'string', numeric: 'int32', boolean: 'bool' };
