import type { CelValueMaker } from '@kube-endpoints/cel/internal';
import { parseDuration } from 'kube-endpoints/internal/apimachinery';
import type { Environment } from '../../cel/environment.ts';
import { loadCelLibrary } from '../../cel/library.ts';
import { reservedWords } from '../../cel/reserved-words.ts';
import { isDate, isDateTime, isDuration, nanosecondsIn } from '../../formats/times.ts';
import { isFields } from '../../resources/field/read.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, type Schema } from '../schema/schema.ts';

export interface DeclarationContext {
  readonly environment: Environment;
  readonly valueMaker: Pick<CelValueMaker, 'createDuration'>;
  /** Number of declared object types; makes their names unique. */
  typeCount: number;
}

/** The CEL type of a schema. */
export interface DeclaredType {
  /** The type's name in the CEL library. */
  readonly type: string;
  /** Converts a value to the type. Returns a value that does not match the schema unchanged, so that expressions fail when they read it. */
  convert(value: unknown): unknown;
  /** The declared properties of an object, by their names in the schema. */
  readonly properties?: ReadonlyMap<string, DeclaredType>;
  /** The elements of a list, or the values of additional properties. */
  readonly elements?: DeclaredType;
}

/**
 * Declares the types of a schema and its subschemas in an environment.
 *
 * Mirrors SchemaDeclType and UnstructuredToVal (apiserver/pkg/cel/common, 1.36).
 * @param isRoot whether the schema is that of a whole object, for which name and generateName are always declared
 * @returns undefined if expressions cannot access values of the schema
 */
export function declareType(context: DeclarationContext, schema: Schema, isRoot: boolean): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string']) return intOrString;
  const fullSchema = isRoot ? withMetadata(schema) : schema;
  return declareByType[fullSchema.type ?? '']?.(context, fullSchema);
}

type DeclareSchema = (context: DeclarationContext, schema: Schema) => DeclaredType | undefined;

const declareByType: Readonly<Record<string, DeclareSchema>> = {
  array: declareList,
  object: (context, schema) => (additionalPropertiesOf(schema) ? declareMap(context, schema) : declareObject(context, schema)),
  string: declareText,
  boolean: () => ({ type: 'bool', convert: identity }),
  number: () => ({ type: 'double', convert: identity }),
  integer: () => ({ type: 'int', convert: toInt }),
};

const identity = (value: unknown): unknown => value;
const toInt = (value: unknown): unknown => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);

const intOrString: DeclaredType = { type: 'dyn', convert: toInt };

const typesByFormat: Readonly<Record<string, DeclaredType>> = {
  byte: { type: 'bytes', convert: decodeBytes },
  date: { type: 'google.protobuf.Timestamp', convert: toDate },
  'date-time': { type: 'google.protobuf.Timestamp', convert: toTimestamp },
};

function declareText({ valueMaker }: DeclarationContext, { format = '' }: Schema): DeclaredType {
  if (format !== 'duration') return typesByFormat[format] ?? { type: 'string', convert: identity };
  const convert = (value: unknown): unknown => {
    const nanoseconds = typeof value === 'string' ? parseNanoseconds(value) : undefined;
    return nanoseconds === undefined ? value : valueMaker.createDuration(nanoseconds);
  };
  return { type: 'google.protobuf.Duration', convert };
}

/**
 * Returns the type of list elements or map values. Unlike properties, they may be null; a nullable type is dynamic and therefore checked
 * only at evaluation.
 */
function toElementType({ nullable }: Schema, declaredType: DeclaredType): Pick<DeclaredType, 'convert' | 'type'> {
  if (!nullable) return declaredType;
  const isScalar = /^(int|double|bool|string|bytes)$/.test(declaredType.type);
  return {
    type: isScalar ? `dyn<${declaredType.type}>` : 'dyn',
    convert: (value) => (value === null ? null : declaredType.convert(value)),
  };
}

function declareList(context: DeclarationContext, schema: Schema): DeclaredType | undefined {
  const items = itemsOf(schema);
  const elements = items && declareType(context, items, items['x-kubernetes-embedded-resource'] === true);
  if (!elements) return undefined;
  const elementType = toElementType(items, elements);
  const convert = (value: unknown): unknown => (Array.isArray(value) ? value.map((each) => elementType.convert(each)) : value);
  return { type: `list<${elementType.type}>`, convert, elements };
}

function declareMap(context: DeclarationContext, schema: Schema): DeclaredType | undefined {
  const values = additionalPropertiesOf(schema) as Schema;
  const elements = declareType(context, values, values['x-kubernetes-embedded-resource'] === true);
  if (!elements) return undefined;
  const elementType = toElementType(values, elements);
  const convert = (value: unknown): unknown =>
    isFields(value) ? new Map(Object.keys(value).map((key) => [key, elementType.convert(value[key])])) : value;
  return { type: `map<string, ${elementType.type}>`, convert, elements };
}

function declareObject(context: DeclarationContext, schema: Schema): DeclaredType {
  const properties = new Map<string, DeclaredType>();
  for (const [name, property] of propertiesOf(schema)) {
    const declaredType = declareType(context, property, property['x-kubernetes-embedded-resource'] === true);
    if (declaredType) properties.set(name, declaredType);
  }
  const accessibleProperties = [...properties].flatMap(([name, declaredType]) => {
    const key = escapePropertyName(name);
    return key === undefined ? [] : [{ name, key, declaredType }];
  });
  // The library distinguishes object types by their classes.
  const PropertyValues = class extends Map<string, unknown> {};
  const { environment } = context;
  context.typeCount += 1;
  const type = `object${context.typeCount}`;
  environment.registerType(type, {
    ctor: PropertyValues,
    fields: Object.fromEntries(accessibleProperties.map(({ key, declaredType }) => [key, declaredType.type])),
  });
  environment.registerOperator(`${type} == ${type}`, loadCelLibrary().isSame as never);
  environment.registerOperator(`${type} == null`, ((object: unknown) => object === null) as never);
  const convert = (value: unknown): unknown => {
    if (!isFields(value)) return value;
    const values = new PropertyValues();
    for (const { name, key, declaredType } of accessibleProperties) {
      const propertyValue = Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
      if (propertyValue !== undefined) values.set(key, declaredType.convert(propertyValue));
    }
    return values;
  };
  return { type, convert, properties };
}

/** Adds the fields that every object has. Mirrors WithTypeAndObjectMeta. */
function withMetadata(schema: Schema): Schema {
  const text: Schema = { type: 'string' };
  const metadata: Schema = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

/** Returns the name of a property in expressions; undefined if expressions cannot name the property. Mirrors Escape (apiserver/pkg/cel/escaping.go, 1.36). */
export function escapePropertyName(name: string): string | undefined {
  if (reservedWords.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][\w./-]*$/.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (part) => `__${escapeWords[part]}__`);
}

const escapeWords: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };

/** Decodes base64. Returns the value itself if it is not a string. */
export function decodeBytes(value: unknown): unknown {
  return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
}

function toDate(value: unknown): unknown {
  return typeof value === 'string' && isDate(value) ? new Date(`${value}T00:00:00Z`) : value;
}

function toTimestamp(value: unknown): unknown {
  return typeof value === 'string' && isDateTime(value) ? new Date(value) : value;
}

/**
 * Returns the nanoseconds of a Go duration, or the sum of numbers with unit names as in "2 days"; undefined if malformed. Mirrors
 * strfmt.ParseDuration (kube-openapi, as of 1.36).
 */
export function parseNanoseconds(text: string): bigint | undefined {
  if (!isDuration(text)) return undefined;
  try {
    return BigInt(Math.round(parseDuration(text) * 1e6));
  } catch {
    const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)];
    return parts.reduce((sum, [, count = '0', unit = '']) => sum + BigInt(count) * (nanosecondsIn(unit.toLowerCase()) ?? 0n), 0n);
  }
}
