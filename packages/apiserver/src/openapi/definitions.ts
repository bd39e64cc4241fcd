import { type ApiType, type Field, type StructType, structType } from '../api-types/index.ts';
import { describeDefinition, describeField } from './descriptions.ts';
import { createRef, createRefBesideKeywords, type GroupVersionKind, type Schema } from './schema.ts';
import { opaqueDefinitionNames, toDefinitionName } from './type-names.ts';

/** The definitions of a document. Adding a type also adds the types that it refers to. */
export interface Definitions {
  /** Adds a type and returns the name of its definition. */
  add(type: StructType, kinds?: readonly GroupVersionKind[]): string;
  /** Adds a type by its name in the type tables, such as "meta.Status". @throws RangeError if the tables do not contain it */
  addNamed(tableName: string, kinds?: readonly GroupVersionKind[]): string;
  set(name: string, schema: Schema): void;
  /** Sorted by name. */
  all(): Readonly<Record<string, Schema>>;
}

type Schemas = Map<string, Schema>;

/** Creates definitions from the type tables. */
export function createDefinitions(): Definitions {
  const schemas: Schemas = new Map();
  return {
    add: (type, kinds) => addStruct(type, schemas, kinds),
    addNamed: (tableName, kinds) => addStruct(structType(tableName), schemas, kinds),
    set(name, schema) {
      schemas.set(name, schema);
    },
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function addStruct(type: StructType, schemas: Schemas, kinds?: readonly GroupVersionKind[]): string {
  const name = toDefinitionName(type.name);
  if (schemas.has(name)) return name;
  // Ends the recursion of types that contain themselves.
  schemas.set(name, {});
  const fields = [...type.fields.values()];
  const requiredNames = fields.filter(({ required }) => required).map((field) => field.name);
  schemas.set(name, {
    ...describeDefinition(type.name),
    type: 'object',
    ...(requiredNames.length > 0 && { required: requiredNames }),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.name, createProperty(type.name, field, schemas)])),
    }),
    ...(kinds && { 'x-kubernetes-group-version-kind': kinds }),
    ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
  });
  return name;
}

function createProperty(owner: string, field: Field, schemas: Schemas): Schema {
  return {
    ...describeField(owner, field.name),
    ...createDefault(field),
    ...createTypeSchema(field.type, schemas),
    ...createListKeywords(field),
    ...(field.type.kind !== 'list' && field.merging?.kind === 'atomic' && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

function createListKeywords({ type, merging, patchStrategy, patchMergeKey }: Field): Schema {
  if (type.kind !== 'list') return {};
  return {
    'x-kubernetes-list-type': merging?.kind ?? 'atomic',
    ...(merging?.kind === 'map' && { 'x-kubernetes-list-map-keys': merging.keys }),
    ...(patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': patchStrategy }),
    ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
  };
}

/**
 * Creates the default of a field: an explicit one, or the zero value of the type in Go. Fields with omitempty have no zero default, except
 * for structs.
 */
function createDefault({ type, omitEmpty, default: explicitDefault }: Field): Schema {
  if (explicitDefault !== undefined) return { default: explicitDefault };
  return omitEmpty && type.kind !== 'struct' ? {} : createZeroDefault(type);
}

function createZeroDefault(type: ApiType): Schema {
  const zeroValue = zeroValues[type.kind];
  return zeroValue === undefined ? {} : { default: zeroValue };
}

const zeroValues: Readonly<Partial<Record<ApiType['kind'], unknown>>> = { bool: false, float: 0, integer: 0, struct: {}, text: '' };

function createTypeSchema(type: ApiType, schemas: Schemas): Schema {
  switch (type.kind) {
    case 'struct':
      return createRefBesideKeywords(addStruct(type, schemas));
    case 'pointer':
      return createTypeSchema(type.to, schemas);
    case 'list':
      return { type: 'array', items: createElementSchema(type.of, schemas) };
    case 'map':
      return { type: 'object', additionalProperties: createElementSchema(type.of, schemas) };
    case 'text':
      return { type: 'string', ...(type.values && { enum: type.values }) };
    case 'integer':
      return { type: 'integer', format: type.go === 'int64' ? 'int64' : 'int32' };
    case 'bool':
      return { type: 'boolean' };
    case 'float':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    default: {
      const name = addOpaque(type, schemas);
      return name === undefined ? {} : createRefBesideKeywords(name);
    }
  }
}

function createElementSchema(type: ApiType, schemas: Schemas): Schema {
  const name = addOpaque(type, schemas);
  return name === undefined ? { ...createZeroDefault(type), ...createTypeSchema(type, schemas) } : createRef(name);
}

/** Adds the definition of a type that is not a struct, for example Time. Returns undefined if such a type has no definition. */
function addOpaque(type: ApiType, schemas: Schemas): string | undefined {
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
