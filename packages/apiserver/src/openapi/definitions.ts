import { builtInType, type TypeRef } from '../patch/index.ts';
import type { ApiType, Field, StructType } from '../resources/index.ts';
import { describeDefinition, describeField } from './descriptions.ts';
import { toEnum } from './enums.ts';
import { exceptions } from './exceptions.ts';
import { createRef, createRefBesideKeywords, type GroupVersionKind, type Schema } from './schema.ts';
import { createTypeNames, opaqueDefinitionNames, type TypeNames, toDefinitionName } from './type-names.ts';

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
      const type = names.findStruct(tableName);
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
  const tableName = context.names.findTableName(type, context.group);
  const name = toDefinitionName(tableName);
  if (context.schemas.has(name)) return name;
  // Ends the recursion of types that contain themselves.
  context.schemas.set(name, {});
  const fields = [...(context.names.findStruct(tableName) ?? type).fields.values()];
  const requiredNames = fields.filter((field) => isRequired(tableName, field)).map((field) => field.name);
  context.schemas.set(name, {
    ...describeDefinition(tableName),
    type: 'object',
    ...(requiredNames.length > 0 && { required: requiredNames }),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.name, createProperty(tableName, field, context)])),
    }),
    ...(kinds && { 'x-kubernetes-group-version-kind': kinds }),
    ...(findMerging(tableName).atomic && { 'x-kubernetes-map-type': 'atomic' }),
  });
  return name;
}

function createProperty(owner: string, field: Field, context: DefinitionContext): Schema {
  const fieldMerging = findMerging(owner).field(field.name);
  const schema = createTypeSchema(field.type, context);
  return {
    ...describeField(owner, field.name),
    ...createDefault(owner, field),
    ...schema,
    ...createListKeywords(field, fieldMerging),
    ...(fieldMerging?.atomicMap && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

function createListKeywords(field: Field, fieldMerging: FieldMerging | undefined): Schema {
  if (field.type.kind !== 'list') return {};
  return {
    'x-kubernetes-list-type': fieldMerging?.listType ?? 'atomic',
    ...(fieldMerging?.listType === 'map' && { 'x-kubernetes-list-map-keys': fieldMerging.keys }),
    ...(field.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  };
}

/**
 * Creates the default of a field: an explicit one, or the zero value of the type in Go. Fields with omitempty have no zero default, except
 * for structs.
 */
function createDefault(owner: string, { name, type, omitEmpty }: Field): Schema {
  const explicitDefault = exceptions.defaults.get(`${owner}.${name}`);
  if (explicitDefault !== undefined) return { default: explicitDefault };
  return omitEmpty && type.kind !== 'struct' ? {} : createZeroDefault(type);
}

function createZeroDefault(type: ApiType): Schema {
  const zeroValue = zeroValues[type.kind];
  return zeroValue === undefined ? {} : { default: zeroValue };
}

const zeroValues: Readonly<Partial<Record<ApiType['kind'], unknown>>> = { bool: false, float: 0, integer: 0, struct: {}, text: '' };

function createTypeSchema(type: ApiType, context: DefinitionContext): Schema {
  switch (type.kind) {
    case 'struct':
      return createRefBesideKeywords(addStruct(type, context));
    case 'pointer':
      return createTypeSchema(type.to, context);
    case 'list':
      return { type: 'array', items: createElementSchema(type.of, context) };
    case 'map':
      return { type: 'object', additionalProperties: createElementSchema(type.of, context) };
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
      return name === undefined ? {} : createRefBesideKeywords(name);
    }
  }
}

function createElementSchema(type: ApiType, context: DefinitionContext): Schema {
  const name = addOpaque(type, context);
  return name === undefined ? { ...createZeroDefault(type), ...createTypeSchema(type, context) } : createRef(name);
}

/** Adds the definition of a type that is not a struct, for example Time. Returns undefined if such a type has no definition. */
function addOpaque(type: ApiType, { schemas }: DefinitionContext): string | undefined {
  const name = 'go' in type ? opaqueDefinitionNames[type.go] : undefined;
  if (name !== undefined && !schemas.has(name)) schemas.set(name, { ...describeDefinition(name), ...opaqueSchemas[type.kind] });
  return name;
}

const opaqueSchemas: Readonly<Record<string, Schema>> = {
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  microTime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  raw: { type: 'object' },
  time: { type: 'string', format: 'date-time' },
};

/** Whether a field is required: if it has neither omitempty nor omitzero, apart from exceptions. */
function isRequired(owner: string, { name, omitEmpty, omitZero }: Field): boolean {
  const path = `${owner}.${name}`;
  return omitEmpty || omitZero ? exceptions.requiredFields.has(path) : !exceptions.optionalFields.has(path);
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

export function findMerging(tableName: string): StructMerging {
  const map = findPatchType(tableName)?.resolve().map;
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

/** Finds a type in the patch tables, whose names have a group as prefix only if two types have the same Go name. */
function findPatchType(tableName: string): TypeRef | undefined {
  const separator = tableName.includes(':') ? tableName.indexOf(':') : tableName.indexOf('.');
  const [group, name] = [tableName.slice(0, separator), tableName.slice(separator + 1)];
  return builtInType(`${patchGroups[group] ?? group}.${name}`) ?? builtInType(name);
}

const patchGroups: Readonly<Record<string, string>> = { admission: 'admissionregistration', 'apiextensions.k8s.io': 'apiextensions' };
