import { compilePattern } from '@kube-endpoints/cel';
import { type Causes, collectCauses, type FieldCause } from '../../../resources/field/causes.ts';
import { sameValue } from '../../../resources/field/read.ts';
import { additionalOf, itemsOf, propertiesOf, propertyOf, type Schema } from '../../schema/schema.ts';

type Level = 'field' | 'item' | 'root';

/** Reports violations of structural schemas. Mirrors ValidateStructural (apiextensions-apiserver/pkg/apiserver/schema, 1.36). */
export function validateStructural(schema: Schema, field: string): readonly FieldCause[] {
  const causes = collectCauses();
  validateNode(schema, 'root', field, causes);
  validateCompleteness(schema, field, causes);
  const text = ({ field: at, message }: FieldCause): string => `${at}: ${message}`;
  return [...causes.list].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function validateNode(schema: Schema, level: Level, field: string, causes: Causes): void {
  const items = itemsOf(schema);
  if (schema.type === 'array' && !items) causes.required(`${field}.items`, 'must be specified');
  if (items) validateNode(items, 'item', `${field}.items`, causes);
  for (const [name, property] of propertiesOf(schema)) validateNode(property, 'field', `${field}.properties[${name}]`, causes);
  if (schema.additionalProperties !== undefined) {
    if (level === 'root') causes.forbidden(`${field}.additionalProperties`, 'must not be used at the root');
    const additional = additionalOf(schema);
    if (additional) validateNode(additional, 'field', `${field}.additionalProperties`, causes);
  }
  validateExtensions(schema, field, causes);
  validateValues(schema, field, causes);
  validateType(schema, level, field, causes);
  validateMeta(schema, level, field, causes);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && !schema['x-kubernetes-preserve-unknown-fields'] && propertiesOf(schema).length === 0) {
    const why = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.required(`${field}.properties`, why);
  }
}

function validateExtensions(schema: Schema, field: string, causes: Causes): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[name]) causes.invalid(`${field}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true');
  }
}

function validateType(schema: Schema, level: Level, field: string, causes: Causes): void {
  const { type = '' } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') causes.required(`${field}.type`, why);
    else causes.invalid(`${field}.type`, type, why);
  } else if (type === '' && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    causes.required(`${field}.type`, `must not be empty ${levelDescriptions[level]}`);
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    causes.forbidden(`${field}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set');
  }
  if (level === 'root' && type !== '' && type !== 'object') causes.invalid(`${field}.type`, type, 'must be object at the root');
}

const levelDescriptions: Readonly<Record<Level, string>> = {
  root: 'at the root',
  item: 'for specified array items',
  field: 'for specified object fields',
};

function validateMeta(schema: Schema, level: Level, field: string, causes: Causes): void {
  if (level !== 'root' && !schema['x-kubernetes-embedded-resource']) return;
  for (const name of ['kind', 'apiVersion']) {
    const property = propertyOf(schema, name);
    if (property && property.type !== 'string') causes.invalid(`${field}.properties[${name}].type`, property.type ?? '', 'must be string');
  }
  const metadata = propertyOf(schema, 'metadata');
  if (!metadata) return;
  if (metadata.type !== 'object') causes.invalid(`${field}.properties[metadata].type`, metadata.type ?? '', 'must be object');
  if (level !== 'root') return;
  const { type: _, default: __, properties = {}, ...rest } = metadata;
  const others = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName');
  if (others.length > 0 || Object.keys(rest).length > 0) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.forbidden(`${field}.properties[metadata]`, why);
  }
}

const intOrString: readonly Schema[] = [{ type: 'integer' }, { type: 'string' }];

/** The only alternatives that may specify types. */
const isIntOrString = (schemas: readonly Schema[] | undefined): boolean => sameValue(schemas, intOrString);

function validateValues(schema: Schema, field: string, causes: Causes): void {
  validateAlternatives(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), field, causes);
}

/** Validates allOf, anyOf, oneOf, not and pattern, except for alternatives that express int-or-string. Mirrors validateValueValidation. */
function validateAlternatives(schema: Schema, skipAnyOf: boolean, skipFirstAllOf: boolean, field: string, causes: Causes): void {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  if (!skipAnyOf) for (const [i, each] of anyOf.entries()) validateNested(each, false, `${field}.anyOf[${i}]`, causes);
  for (const [i, each] of allOf.entries()) validateNested(each, skipFirstAllOf && i === 0, `${field}.allOf[${i}]`, causes);
  for (const [i, each] of oneOf.entries()) validateNested(each, false, `${field}.oneOf[${i}]`, causes);
  if (not) validateNested(not, false, `${field}.not`, causes);
  if (pattern === undefined) return;
  const compiled = compilePattern(pattern);
  if ('problem' in compiled) {
    causes.invalid(`${field}.pattern`, pattern, `must be a valid regular expression, but isn't: ${compiled.problem}`);
  }
}

/** Schemas within alternatives may only validate values, not define structure. Mirrors validateNestedValueValidation (1.36). */
function validateNested(schema: Schema, skipAnyOf: boolean, field: string, causes: Causes): void {
  validateAlternatives(schema, skipAnyOf, false, field, causes);
  const items = itemsOf(schema);
  if (items) validateNested(items, false, `${field}.items`, causes);
  for (const [name, property] of propertiesOf(schema)) validateNested(property, false, `${field}.properties[${name}]`, causes);
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    causes.forbidden(`${field}.additionalProperties`, 'must be undefined to be structural');
  }
  for (const { name, why } of refused) if (isSet(schema[name])) causes.forbidden(`${field}.${name}`, `${why} to be structural`);
  if (propertyOf(schema, 'metadata')) causes.forbidden(`${field}.properties[metadata]`, 'must not be specified in a nested context');
}

const isSet = (value: unknown): boolean => value !== undefined && value !== false && value !== null;

const refused: readonly { readonly name: keyof Schema; readonly why: string }[] = [
  { name: 'type', why: 'must be empty' },
  { name: 'default', why: 'must be undefined' },
  { name: 'title', why: 'must be empty' },
  { name: 'description', why: 'must be empty' },
  { name: 'nullable', why: 'must be false' },
  { name: 'x-kubernetes-preserve-unknown-fields', why: 'must be false' },
  { name: 'x-kubernetes-embedded-resource', why: 'must be false' },
  { name: 'x-kubernetes-int-or-string', why: 'must be false' },
  { name: 'x-kubernetes-list-map-keys', why: 'must be empty' },
  { name: 'x-kubernetes-list-type', why: 'must be undefined' },
  { name: 'x-kubernetes-map-type', why: 'must be undefined' },
  { name: 'x-kubernetes-validations', why: 'must be empty' },
];

/**
 * Fields in alternatives of the root must exist in its structure. As upstream, alternatives further down are not checked. Mirrors
 * validateStructuralCompleteness.
 */
function validateCompleteness(schema: Schema, field: string, causes: Causes): void {
  completeAlternatives(schema, schema, field, field, causes);
}

function completeAlternatives(value: Schema, schema: Schema | undefined, at: string, from: string, causes: Causes): void {
  const { not, allOf = [], anyOf = [], oneOf = [] } = value;
  if (not) completeNested(not, schema, at, `${from}.not`, causes);
  for (const [i, each] of allOf.entries()) completeNested(each, schema, at, `${from}.allOf[${i}]`, causes);
  for (const [i, each] of anyOf.entries()) completeNested(each, schema, at, `${from}.anyOf[${i}]`, causes);
  for (const [i, each] of oneOf.entries()) completeNested(each, schema, at, `${from}.oneOf[${i}]`, causes);
}

function completeNested(value: Schema, schema: Schema | undefined, at: string, from: string, causes: Causes): void {
  if (!schema) {
    causes.required(at, `because it is defined in ${from}`);
    return;
  }
  completeAlternatives(value, schema, at, from, causes);
  const items = itemsOf(value);
  if (items) completeNested(items, itemsOf(schema), `${at}.items`, `${from}.items`, causes);
  for (const [name, property] of propertiesOf(value)) {
    completeNested(property, propertyOf(schema, name), `${at}.properties[${name}]`, `${from}.properties[${name}]`, causes);
  }
}

/** Why a schema cannot be converted to a structural one. Mirrors NewStructural (apiextensions-apiserver/pkg/apiserver/schema, 1.36). */
export function structuralProblem(schema: Schema): string | undefined {
  const own = unsupported(schema);
  if (own !== undefined) return own;
  const nested = [...(schema.not ? [schema.not] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inNested = firstProblem(nested);
  if (inNested !== undefined) return inNested;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) return schema.items.length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
  const { items, properties = {}, additionalProperties } = schema;
  return firstProblem([
    ...(items ? [items as Schema] : []),
    ...Object.values(properties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
}

function firstProblem(schemas: readonly Schema[]): string | undefined {
  for (const schema of schemas) {
    const problem = structuralProblem(schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unsupported(schema: Schema): string | undefined {
  const found = unsupportedKeywords.find(({ json }) => schema[json] !== undefined);
  return found && `OpenAPIV3Schema '${found.shown}' is not supported`;
}

const unsupportedKeywords: readonly { readonly json: keyof Schema; readonly shown: string }[] = [
  { json: 'id', shown: 'id' },
  { json: '$schema', shown: 'schema' },
  { json: '$ref', shown: '$ref' },
  { json: 'patternProperties', shown: 'patternProperties' },
  { json: 'dependencies', shown: 'dependencies' },
  { json: 'additionalItems', shown: 'additionalItems' },
  { json: 'definitions', shown: 'definitions' },
];
