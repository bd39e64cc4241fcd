import { builtInType, type TypeRef } from '../patch/index.ts';
import type { ApiType, Field, StructType } from '../resources/index.ts';
import { definitionDescription, fieldDescription } from './descriptions.ts';
import { enumOf } from './enums.ts';
import { exceptions } from './exceptions.ts';
import { type GroupVersionKind, refTo, type Schema, within } from './schema.ts';
import { createTypeNames, definitionName, opaqueNames, type TypeNames } from './type-names.ts';

/** The definitions of a document, including all that they refer to. */
export interface Definitions {
  /** Adds a type and returns the name of its definition. `group` is used if the type tables do not contain the type. */
  add(type: StructType, group: string, kinds?: readonly GroupVersionKind[]): string;
  /** Adds a type by its name in the type tables, such as "meta.Status". @throws RangeError if the tables do not contain it */
  addNamed(tableName: string, kinds?: readonly GroupVersionKind[]): string;
  /** Adds a definition. */
  set(name: string, schema: Schema): void;
  /** Sorted by name. */
  all(): Readonly<Record<string, Schema>>;
}

/** Creates definitions from the type tables. All documents share the computed names. */
export function createDefinitionMaker(): () => Definitions {
  let names: TypeNames | undefined;
  return () => {
    names ??= createTypeNames();
    return definitionsOf(names);
  };
}

function definitionsOf(names: TypeNames): Definitions {
  const schemas = new Map<string, Schema>();
  const scope: Scope = { names, group: '', schemas };
  return {
    add: (type, group, kinds) => addStruct(type, { ...scope, group }, kinds),
    addNamed(tableName, kinds) {
      const type = names.struct(tableName);
      if (type === undefined) throw new RangeError(`no struct ${tableName} in the tables`);
      return addStruct(type, scope, kinds);
    },
    set(name, schema) {
      schemas.set(name, schema);
    },
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

interface Scope {
  readonly names: TypeNames;
  readonly group: string;
  readonly schemas: Map<string, Schema>;
}

function addStruct(type: StructType, scope: Scope, kinds?: readonly GroupVersionKind[]): string {
  const tableName = scope.names.tableName(type, scope.group);
  const name = definitionName(tableName);
  if (scope.schemas.has(name)) return name;
  scope.schemas.set(name, {});
  const fields = [...(scope.names.struct(tableName) ?? type).fields.values()];
  const required = fields.filter((field) => isRequired(tableName, field)).map((field) => field.name);
  scope.schemas.set(name, {
    ...definitionDescription(tableName),
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields.map((field) => [field.name, property(tableName, field, scope)])) }),
    ...(kinds && { 'x-kubernetes-group-version-kind': kinds }),
    ...(mergingOf(tableName).atomic && { 'x-kubernetes-map-type': 'atomic' }),
  });
  return name;
}

function property(owner: string, field: Field, scope: Scope): Schema {
  const merging = mergingOf(owner).field(field.name);
  const schema = typeSchema(field.type, scope);
  return {
    ...fieldDescription(owner, field.name),
    ...defaultOf(owner, field),
    ...schema,
    ...listKeywords(field, merging),
    ...(merging?.atomicMap && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

function listKeywords(field: Field, merging: FieldMerging | undefined): Schema {
  if (field.type.kind !== 'list') return {};
  return {
    'x-kubernetes-list-type': merging?.listType ?? 'atomic',
    ...(merging?.listType === 'map' && { 'x-kubernetes-list-map-keys': merging.keys }),
    ...(field.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  };
}

/** The zero value in Go; fields with omitempty have no default unless they are structs. */
function defaultOf(owner: string, { name, type, omitEmpty }: Field): Schema {
  const known = exceptions.defaults.get(`${owner}.${name}`);
  if (known !== undefined) return { default: known };
  return omitEmpty && type.kind !== 'struct' ? {} : zeroOf(type);
}

function zeroOf(type: ApiType): Schema {
  const zero = zeros[type.kind];
  return zero === undefined ? {} : { default: zero };
}

const zeros: Readonly<Partial<Record<ApiType['kind'], unknown>>> = { bool: false, float: 0, integer: 0, struct: {}, text: '' };

function typeSchema(type: ApiType, scope: Scope): Schema {
  switch (type.kind) {
    case 'struct':
      return within(addStruct(type, scope));
    case 'pointer':
      return typeSchema(type.to, scope);
    case 'list':
      return { type: 'array', items: elementSchema(type.of, scope) };
    case 'map':
      return { type: 'object', additionalProperties: elementSchema(type.of, scope) };
    case 'text':
      return { type: 'string', ...enumOf(type.go) };
    case 'integer':
      return { type: 'integer', format: type.go === 'int64' ? 'int64' : 'int32' };
    case 'bool':
      return { type: 'boolean' };
    case 'float':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    default: {
      const name = addOpaque(type, scope);
      return name === undefined ? {} : within(name);
    }
  }
}

function elementSchema(type: ApiType, scope: Scope): Schema {
  const name = addOpaque(type, scope);
  return name === undefined ? { ...zeroOf(type), ...typeSchema(type, scope) } : refTo(name);
}

/** Adds a type that has a definition but is not a struct; undefined for other types. */
function addOpaque(type: ApiType, { schemas }: Scope): string | undefined {
  const name = 'go' in type ? opaqueNames[type.go] : undefined;
  if (name !== undefined && !schemas.has(name)) schemas.set(name, { ...definitionDescription(name), ...opaque[type.kind] });
  return name;
}

const opaque: Readonly<Record<string, Schema>> = {
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  microTime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  raw: { type: 'object' },
  time: { type: 'string', format: 'date-time' },
};

/** Fields without omitempty or omitzero are required. */
function isRequired(owner: string, { name, omitEmpty, omitZero }: Field): boolean {
  const path = `${owner}.${name}`;
  return omitEmpty || omitZero ? exceptions.required.has(path) : !exceptions.optional.has(path);
}

/** How server-side apply merges a type, as in `x-kubernetes-list-type` and related keywords. */
interface StructMerging {
  /** Whether the type is merged as a single value. */
  readonly atomic: boolean;
  field(name: string): FieldMerging | undefined;
}

interface FieldMerging {
  readonly listType?: 'atomic' | 'map' | 'set';
  readonly keys?: readonly string[];
  readonly atomicMap?: boolean;
}

export function mergingOf(tableName: string): StructMerging {
  const map = patchType(tableName)?.resolve().map;
  return {
    atomic: map?.atomic === true,
    field(name) {
      const field = map?.fields.get(name);
      return field && merging(field.type);
    },
  };
}

function merging(type: TypeRef): FieldMerging {
  // A named type is described in its own definition.
  if (type.name !== undefined) return {};
  const { list, map } = type.resolve();
  if (list) return { listType: list.atomic ? 'atomic' : list.keys.length > 0 ? 'map' : 'set', keys: list.keys };
  return map?.atomic ? { atomicMap: true } : {};
}

/** The patch tables use Go's type names, with the group in front only if two types have the same name. */
function patchType(tableName: string): TypeRef | undefined {
  const at = tableName.includes(':') ? tableName.indexOf(':') : tableName.indexOf('.');
  const [group, name] = [tableName.slice(0, at), tableName.slice(at + 1)];
  return builtInType(`${patchGroups[group] ?? group}.${name}`) ?? builtInType(name);
}

const patchGroups: Readonly<Record<string, string>> = { admission: 'admissionregistration', 'apiextensions.k8s.io': 'apiextensions' };
