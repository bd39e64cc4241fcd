import { Ajv } from 'ajv';
import { loadPatternLibrary } from '../../cel/library.ts';
import { formatOf, formats } from '../../formats/strfmt.ts';
import { writeJson } from '../../store/json.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, type Schema } from '../schema/schema.ts';
import { float32OverflowLimit } from './numbers.ts';
import { typesOf } from './types.ts';

/** Returns whether a value is accepted. A rejected value must be checked again by `check`. */
export type CompiledCheck = (value: unknown) => boolean;

/** Compiles a schema with ajv. In a module of its own, because loading ajv takes longer than starting most servers. */
export function compileSchema(schema: Schema): CompiledCheck {
  const jsonSchema = toJsonSchema(schema);
  return jsonSchema ? (new Ajv(ajvOptions).compile(jsonSchema) as CompiledCheck) : () => false;
}

const ajvOptions: ConstructorParameters<typeof Ajv>[0] = {
  strict: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
  ownProperties: true,
  formats: Object.fromEntries([...formats].map(([name, validate]) => [name, { type: 'string' as const, validate }])),
  code: { regExp: Object.assign(safePattern, { code: 'safePattern' }) },
};

/** Evaluates patterns with Go's syntax in linear time. An invalid pattern matches nothing, so that the value is checked again. */
function safePattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = loadPatternLibrary().compilePattern(source);
  return { test: (text) => !('problem' in pattern) && pattern.matches(text), toString: () => source };
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** Maximum number of subschemas worth compiling. */
const maxNodeCount = 5_000;
/** Maximum nesting depth of schemas worth compiling. */
const maxDepth = 60;

/**
 * Translates a schema to JSON Schema for the compiler. Values that the result accepts are accepted by kube-openapi too; values that it
 * rejects must be checked again. Undefined if the schema is too large, or if kube-openapi is stricter than any translation.
 */
export function toJsonSchema(schema: Schema): JsonSchema | undefined {
  const state: State = { nodeCount: 0 };
  try {
    return translate(schema, state, 0, false);
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

interface State {
  nodeCount: number;
}

class Untranslatable extends Error {}

function requireTranslatable(condition: boolean): void {
  if (!condition) throw new Untranslatable();
}

/** @param isExact whether the result must not reject more than kube-openapi either, because it will be negated */
function translate(schema: Schema, state: State, depth: number, isExact: boolean): JsonSchema {
  state.nodeCount += 1;
  requireTranslatable(state.nodeCount <= maxNodeCount && depth <= maxDepth);
  const types = typesOf(schema);
  // kube-openapi accepts numbers that are nearly integers, which JSON Schema cannot express.
  requireTranslatable(!isExact || !types.includes('integer'));
  const rules = [...createNumberRules(schema, types, isExact), ...createAlternativeRules(schema, state, depth, isExact)];
  const jsonSchema: JsonSchema = {
    ...(types.length > 0 && { type: types }),
    ...createTextRules(schema, types, isExact),
    ...createListRules(schema, state, depth, isExact),
    ...createObjectRules(schema, state, depth, isExact),
    ...createEnumRules(schema, isExact),
    ...(rules.length > 0 && { allOf: rules }),
  };
  // For null, only the type and the enum are checked.
  const mayBeNull = (types.length === 0 || schema.nullable === true) && !schema.enum?.length;
  return mayBeNull ? { anyOf: [{ type: 'null' }, jsonSchema] } : jsonSchema;
}

function createNumberRules(schema: Schema, types: readonly string[], isExact: boolean): readonly JsonSchema[] {
  const { minimum, maximum, multipleOf } = schema;
  const format = formatOf(schema, types);
  const isInteger = types.length === 1 && types[0] === 'integer';
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  for (const bound of [minimum, maximum])
    requireTranslatable(bound === undefined || isTranslatableBound(bound, schema, isInteger ? limit : undefined, isExact));
  requireTranslatable(multipleOf === undefined || (isInteger && Number.isInteger(multipleOf) && multipleOf > 0 && multipleOf < limit));
  const typeLimit = isInteger ? limit : format === 'float' ? float32OverflowLimit : undefined;
  // If several types include integer, kube-openapi checks that integers fit into 64 bits.
  const hasSeveralTypes = types.length > 1 && types.includes('integer');
  return [
    { ...(hasSeveralTypes && { exclusiveMinimum: -(2 ** 63), exclusiveMaximum: 2 ** 63 }) },
    { ...(typeLimit !== undefined && { [isInteger ? 'minimum' : 'exclusiveMinimum']: -typeLimit, exclusiveMaximum: typeLimit }) },
    { ...(minimum !== undefined && { [schema.exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum }) },
    { ...(maximum !== undefined && { [schema.exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: maximum }) },
    { ...(multipleOf !== undefined && { multipleOf }) },
  ].filter((rule) => Object.keys(rule).length > 0);
}

/** Whether kube-openapi treats a bound like JSON Schema. It does not if it truncates a fractional bound or reports a bound out of range. */
function isTranslatableBound(bound: number, schema: Schema, limit: number | undefined, isExact: boolean): boolean {
  if (Number.isInteger(bound)) return Math.abs(bound) < (limit ?? 2 ** 63);
  return limit === undefined && !isExact && schema.exclusiveMaximum !== true && schema.exclusiveMinimum !== true;
}

function createTextRules(schema: Schema, types: readonly string[], isExact: boolean): JsonSchema {
  const { minLength, maxLength, pattern } = schema;
  const format = formatOf(schema, types);
  const isText = types.includes('string');
  requireTranslatable(format === '' || types.length > 0);
  requireTranslatable(!isExact || format === '' || !isText);
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== '' && isText && { format: format.replaceAll('-', '') }),
  };
}

function createListRules(schema: Schema, state: State, depth: number, isExact: boolean): JsonSchema {
  const items = itemsOf(schema);
  const { minItems, maxItems } = schema;
  return {
    ...(items && { items: translate(items, state, depth + 1, isExact) }),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

function createObjectRules(schema: Schema, state: State, depth: number, isExact: boolean): JsonSchema {
  const { minProperties, maxProperties, required = [], additionalProperties } = schema;
  const properties = propertiesOf(schema);
  // The compiler ignores the name __proto__.
  requireTranslatable(!properties.some(([name]) => name === '__proto__') && !required.includes('__proto__'));
  const translatedProperties = properties.map(([name, each]) => [name, translate(each, state, depth + 1, isExact)] as const);
  const additionalSchema = additionalPropertiesOf(schema);
  return {
    ...(translatedProperties.length > 0 && { properties: Object.fromEntries(translatedProperties) }),
    ...(additionalSchema && { additionalProperties: translate(additionalSchema, state, depth + 1, isExact) }),
    ...(additionalProperties === false && { additionalProperties: false }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  };
}

function createEnumRules({ enum: allowedValues = [] }: Schema, isExact: boolean): JsonSchema {
  requireTranslatable(!isExact || !allowedValues.some((each) => typeof each === 'number' || typeof each === 'bigint'));
  // JSON Schema requires distinct values. In kube-openapi, null in an enum matches no value.
  const distinctValues = allowedValues.filter(
    (each, i) => each !== null && allowedValues.findIndex((other) => writeJson(other) === writeJson(each)) === i,
  );
  if (allowedValues.length === 0) return {};
  return distinctValues.length === 0 ? { not: {} } : { enum: distinctValues };
}

function createAlternativeRules(
  { anyOf, oneOf, allOf, not }: Schema,
  state: State,
  depth: number,
  isExact: boolean,
): readonly JsonSchema[] {
  const translateAll = (schemas: readonly Schema[], exactEach: boolean): readonly JsonSchema[] =>
    schemas.map((schema) => translate(schema, state, depth + 1, exactEach));
  return [
    ...(anyOf?.length ? [{ anyOf: translateAll(anyOf, isExact) }] : []),
    ...(oneOf?.length ? [{ oneOf: translateAll(oneOf, true) }] : []),
    ...(allOf?.length ? [{ allOf: translateAll(allOf, isExact) }] : []),
    ...(not ? [{ not: translate(not, state, depth + 1, true) }] : []),
  ];
}
