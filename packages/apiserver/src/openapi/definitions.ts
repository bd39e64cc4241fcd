import { builtInType, type TypeRef } from '../patch/index.ts';
import type { ApiType, Field, StructType } from '../resources/index.ts';
import { definitionDescription, fieldDescription } from './descriptions.ts';
import { toEnum } from './enums.ts';
import { exceptions } from './exceptions.ts';
import { type GroupVersionKind, refBesideKeywords, refTo, type Schema } from './schema.ts';
import { createTypeNames, definitionName, opaqueNames, type TypeNames } from './type-names.ts';

/** The definitions of a document. Adding a type also adds the types that it refers to. */
export interface Definitions {
  /** Adds a type and returns the name of its definition. `group` is part of the name if the type tables do not contain the type. */
  add(type: StructType, group: string, kinds?: readonly GroupVersionKind[]): string;
  /** Adds a type by its name in the type tables, such as "meta.Status". @throws RangeError if the tables do not contain it */
  addNamed(tableName: string, kinds?: readonly GroupVersionKind[]): string;
  set(name: string, schema: Schema): void;
  /** Sorted by name. */
  all(): Readonly<Record<string, Schema>>;
}

/** Creates definitions from the type tables. All documents share the computed names. */
export function createDefinitionsFactory(): () => Definitions {
  let names: TypeNames | undefined;
  return () => {
    names ??= createTypeNames();
    return createDefinitions(names);
  };
}

function createDefinitions(names: TypeNames): Definitions {
  const schemas = new Map<string, Schema>();
  const context: DefinitionContext = { names, group: '', schemas };
  return {
    add: (type, group, kinds) => addStruct(type, { ...context, group }, kinds),
    addNamed(tableName, kinds) {
      const type = names.struct(tableName);
      if (type === undefined) throw new RangeError(`no struct ${tableName} in the tables`);
      return addStruct(type, context, kinds);
    },
    set(name, schema) {
      schemas.set(name, schema);
    },
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

interface DefinitionContext {
  readonly names: TypeNames;
  readonly group: string;
  readonly schemas: Map<string, Schema>;
}

function addStruct(type: StructType, context: DefinitionContext, kinds?: readonly GroupVersionKind[]): string {
  const tableName = context.names.tableName(type, context.group);
  const name = definitionName(tableName);
  if (context.schemas.has(name)) return name;
  // Ends the recursion of types that contain themselves.
  context.schemas.set(name, {});
  const fields = [...(context.names.struct(tableName) ?? type).fields.values()];
  const required = fields.filter((field) => isRequired(tableName, field)).map((field) => field.name);
  context.schemas.set(name, {
    ...definitionDescription(tableName),
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.name, createProperty(tableName, field, context)])),
    }),
    ...(kinds && { 'x-kubernetes-group-version-kind': kinds }),
    ...(readMerging(tableName).atomic && { 'x-kubernetes-map-type': 'atomic' }),
  });
  return name;
}

function createProperty(owner: string, field: Field, context: DefinitionContext): Schema {
  const fieldMerging = readMerging(owner).field(field.name);
  const schema = typeSchema(field.type, context);
  return {
    ...fieldDescription(owner, field.name),
    ...createDefault(owner, field),
    ...schema,
    ...listKeywords(field, fieldMerging),
    ...(fieldMerging?.atomicMap && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

function listKeywords(field: Field, fieldMerging: FieldMerging | undefined): Schema {
  if (field.type.kind !== 'list') return {};
  return {
    'x-kubernetes-list-type': fieldMerging?.listType ?? 'atomic',
    ...(fieldMerging?.listType === 'map' && { 'x-kubernetes-list-map-keys': fieldMerging.keys }),
    ...(field.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  };
}

/** The default of a field: its zero value in Go. Fields with omitempty have none, except for structs. */
function createDefault(owner: string, { name, type, omitEmpty }: Field): Schema {
  const explicitDefault = exceptions.defaults.get(`${owner}.${name}`);
  if (explicitDefault !== undefined) return { default: explicitDefault };
  return omitEmpty && type.kind !== 'struct' ? {} : createZeroDefault(type);
}

function createZeroDefault(type: ApiType): Schema {
  const zero = zeroValues[type.kind];
  return zero === undefined ? {} : { default: zero };
}

const zeroValues: Readonly<Partial<Record<ApiType['kind'], unknown>>> = { bool: false, float: 0, integer: 0, struct: {}, text: '' };

function typeSchema(type: ApiType, context: DefinitionContext): Schema {
  switch (type.kind) {
    case 'struct':
      return refBesideKeywords(addStruct(type, context));
    case 'pointer':
      return typeSchema(type.to, context);
    case 'list':
      return { type: 'array', items: elementSchema(type.of, context) };
    case 'map':
      return { type: 'object', additionalProperties: elementSchema(type.of, context) };
    case 'text':
      return { type: 'string', ...toEnum(type.go) };
    case 'integer':
      return { type: 'integer', format: type.go === 'int64' ? 'int64' : 'int32' };
    case 'bool':
      return { type: 'boolean' };
    case 'float':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    default: {
      const name = addOpaque(type, context);
      return name === undefined ? {} : refBesideKeywords(name);
    }
  }
}

function elementSchema(type: ApiType, context: DefinitionContext): Schema {
  const name = addOpaque(type, context);
  return name === undefined ? { ...createZeroDefault(type), ...typeSchema(type, context) } : refTo(name);
}

/** Adds the definition of a type that is not a struct, for example Time; undefined if the type has no definition. */
function addOpaque(type: ApiType, { schemas }: DefinitionContext): string | undefined {
  const name = 'go' in type ? opaqueNames[type.go] : undefined;
  if (name !== undefined && !schemas.has(name)) schemas.set(name, { ...definitionDescription(name), ...opaqueSchemas[type.kind] });
  return name;
}

const opaqueSchemas: Readonly<Record<string, Schema>> = {
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

export function readMerging(tableName: string): StructMerging {
  const map = patchType(tableName)?.resolve().map;
  return {
    atomic: map?.atomic === true,
    field(name) {
      const field = map?.fields.get(name);
      return field && toFieldMerging(field.type);
    },
  };
}

function toFieldMerging(type: TypeRef): FieldMerging {
  // The keywords of a named type are part of its own definition.
  if (type.name !== undefined) return {};
  const { list, map } = type.resolve();
  if (list) return { listType: list.atomic ? 'atomic' : list.keys.length > 0 ? 'map' : 'set', keys: list.keys };
  return map?.atomic ? { atomicMap: true } : {};
}

/** The type in the patch tables, whose names have a group as prefix only if two types have the same Go name. */
function patchType(tableName: string): TypeRef | undefined {
  const separator = tableName.includes(':') ? tableName.indexOf(':') : tableName.indexOf('.');
  const [group, name] = [tableName.slice(0, separator), tableName.slice(separator + 1)];
  return builtInType(`${patchGroups[group] ?? group}.${name}`) ?? builtInType(name);
}

const patchGroups: Readonly<Record<string, string>> = { admission: 'admissionregistration', 'apiextensions.k8s.io': 'apiextensions' };
