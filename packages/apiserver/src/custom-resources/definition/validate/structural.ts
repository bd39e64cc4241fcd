import { loadPatternLibrary } from '../../../cel/library.ts';
import { type Causes, collectCauses, type FieldCause } from '../../../resources/field/causes.ts';
import { sameValue } from '../../../resources/field/read.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, propertyOf, type Schema } from '../../schema/schema.ts';

type Level = 'field' | 'item' | 'root';

/** Reports violations of structural schemas. Mirrors ValidateStructural (apiextensions-apiserver/pkg/apiserver/schema, 1.36). */
export function validateStructural(schema: Schema, field: string): readonly FieldCause[] {
  const causes = collectCauses();
  validateNode(schema, 'root', field, causes);
  validateCompleteness(schema, field, causes);
  const toText = ({ field: path, message }: FieldCause): string => `${path}: ${message}`;
  return [...causes.list].sort((a, b) => (toText(a) < toText(b) ? -1 : 1));
}

function validateNode(schema: Schema, level: Level, field: string, causes: Causes): void {
  const items = itemsOf(schema);
  if (schema.type === 'array' && !items) causes.required(`${field}.items`, 'must be specified');
  if (items) validateNode(items, 'item', `${field}.items`, causes);
  for (const [name, property] of propertiesOf(schema)) validateNode(property, 'field', `${field}.properties[${name}]`, causes);
  if (schema.additionalProperties !== undefined) {
    if (level === 'root') causes.forbidden(`${field}.additionalProperties`, 'must not be used at the root');
    const additionalSchema = additionalPropertiesOf(schema);
    if (additionalSchema) validateNode(additionalSchema, 'field', `${field}.additionalProperties`, causes);
  }
  validateExtensions(schema, field, causes);
  validateValues(schema, field, causes);
  validateType(schema, level, field, causes);
  validateMeta(schema, level, field, causes);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && !schema['x-kubernetes-preserve-unknown-fields'] && propertiesOf(schema).length === 0) {
    const detail = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.required(`${field}.properties`, detail);
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
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') causes.required(`${field}.type`, detail);
    else causes.invalid(`${field}.type`, type, detail);
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
  const otherNames = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName');
  if (otherNames.length > 0 || Object.keys(rest).length > 0) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.forbidden(`${field}.properties[metadata]`, detail);
  }
}

const intOrString: readonly Schema[] = [{ type: 'integer' }, { type: 'string' }];

/** Whether a list of alternatives is the int-or-string form, the only alternatives that may specify types. */
const isIntOrString = (schemas: readonly Schema[] | undefined): boolean => sameValue(schemas, intOrString);

function validateValues(schema: Schema, field: string, causes: Causes): void {
  validateAlternatives(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), field, causes);
}

/** Validates allOf, anyOf, oneOf, not and pattern. Mirrors validateValueValidation. @param skipAnyOf set if anyOf is int-or-string */
function validateAlternatives(schema: Schema, skipAnyOf: boolean, skipFirstAllOf: boolean, field: string, causes: Causes): void {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  if (!skipAnyOf) for (const [i, each] of anyOf.entries()) validateNestedSchema(each, false, `${field}.anyOf[${i}]`, causes);
  for (const [i, each] of allOf.entries()) validateNestedSchema(each, skipFirstAllOf && i === 0, `${field}.allOf[${i}]`, causes);
  for (const [i, each] of oneOf.entries()) validateNestedSchema(each, false, `${field}.oneOf[${i}]`, causes);
  if (not) validateNestedSchema(not, false, `${field}.not`, causes);
  if (pattern === undefined) return;
  const compiledPattern = loadPatternLibrary().compilePattern(pattern);
  if ('problem' in compiledPattern) {
    causes.invalid(`${field}.pattern`, pattern, `must be a valid regular expression, but isn't: ${compiledPattern.problem}`);
  }
}

/** Schemas within alternatives may only validate values, not define structure. Mirrors validateNestedValueValidation (1.36). */
function validateNestedSchema(schema: Schema, skipAnyOf: boolean, field: string, causes: Causes): void {
  validateAlternatives(schema, skipAnyOf, false, field, causes);
  const items = itemsOf(schema);
  if (items) validateNestedSchema(items, false, `${field}.items`, causes);
  for (const [name, property] of propertiesOf(schema)) validateNestedSchema(property, false, `${field}.properties[${name}]`, causes);
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    causes.forbidden(`${field}.additionalProperties`, 'must be undefined to be structural');
  }
  for (const { name, requirement } of fieldsForbiddenInAlternatives)
    if (isSet(schema[name])) causes.forbidden(`${field}.${name}`, `${requirement} to be structural`);
  if (propertyOf(schema, 'metadata')) causes.forbidden(`${field}.properties[metadata]`, 'must not be specified in a nested context');
}

const isSet = (value: unknown): boolean => value !== undefined && value !== false && value !== null;

const fieldsForbiddenInAlternatives: readonly { readonly name: keyof Schema; readonly requirement: string }[] = [
  { name: 'type', requirement: 'must be empty' },
  { name: 'default', requirement: 'must be undefined' },
  { name: 'title', requirement: 'must be empty' },
  { name: 'description', requirement: 'must be empty' },
  { name: 'nullable', requirement: 'must be false' },
  { name: 'x-kubernetes-preserve-unknown-fields', requirement: 'must be false' },
  { name: 'x-kubernetes-embedded-resource', requirement: 'must be false' },
  { name: 'x-kubernetes-int-or-string', requirement: 'must be false' },
  { name: 'x-kubernetes-list-map-keys', requirement: 'must be empty' },
  { name: 'x-kubernetes-list-type', requirement: 'must be undefined' },
  { name: 'x-kubernetes-map-type', requirement: 'must be undefined' },
  { name: 'x-kubernetes-validations', requirement: 'must be empty' },
];

/**
 * Requires that fields in alternatives of the root exist in the root's structure. As upstream, alternatives of nested schemas are not checked.
 * Mirrors validateStructuralCompleteness.
 */
function validateCompleteness(schema: Schema, field: string, causes: Causes): void {
  validateAlternativesExist(schema, schema, field, field, causes);
}

function validateAlternativesExist(alternative: Schema, schema: Schema | undefined, path: string, source: string, causes: Causes): void {
  const { not, allOf = [], anyOf = [], oneOf = [] } = alternative;
  if (not) validateNestedExists(not, schema, path, `${source}.not`, causes);
  for (const [i, each] of allOf.entries()) validateNestedExists(each, schema, path, `${source}.allOf[${i}]`, causes);
  for (const [i, each] of anyOf.entries()) validateNestedExists(each, schema, path, `${source}.anyOf[${i}]`, causes);
  for (const [i, each] of oneOf.entries()) validateNestedExists(each, schema, path, `${source}.oneOf[${i}]`, causes);
}

function validateNestedExists(alternative: Schema, schema: Schema | undefined, path: string, source: string, causes: Causes): void {
  if (!schema) {
    causes.required(path, `because it is defined in ${source}`);
    return;
  }
  validateAlternativesExist(alternative, schema, path, source, causes);
  const items = itemsOf(alternative);
  if (items) validateNestedExists(items, itemsOf(schema), `${path}.items`, `${source}.items`, causes);
  for (const [name, property] of propertiesOf(alternative)) {
    validateNestedExists(property, propertyOf(schema, name), `${path}.properties[${name}]`, `${source}.properties[${name}]`, causes);
  }
}

/** Finds why a schema cannot be converted to a structural one; undefined if it can. Mirrors NewStructural (apiextensions-apiserver/pkg/apiserver/schema, 1.36). */
export function findStructuralProblem(schema: Schema): string | undefined {
  const ownProblem = findUnsupportedKeyword(schema);
  if (ownProblem !== undefined) return ownProblem;
  const nestedSchemas = [...(schema.not ? [schema.not] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const nestedProblem = findFirstProblem(nestedSchemas);
  if (nestedProblem !== undefined) return nestedProblem;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) return schema.items.length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
  const { items, properties = {}, additionalProperties } = schema;
  return findFirstProblem([
    ...(items ? [items as Schema] : []),
    ...Object.values(properties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
}

function findFirstProblem(schemas: readonly Schema[]): string | undefined {
  for (const schema of schemas) {
    const problem = findStructuralProblem(schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findUnsupportedKeyword(schema: Schema): string | undefined {
  const keyword = unsupportedKeywords.find(({ json }) => schema[json] !== undefined);
  return keyword && `OpenAPIV3Schema '${keyword.printedName}' is not supported`;
}

const unsupportedKeywords: readonly { readonly json: keyof Schema; readonly printedName: string }[] = [
  { json: 'id', printedName: 'id' },
  { json: '$schema', printedName: 'schema' },
  { json: '$ref', printedName: '$ref' },
  { json: 'patternProperties', printedName: 'patternProperties' },
  { json: 'dependencies', printedName: 'dependencies' },
  { json: 'additionalItems', printedName: 'additionalItems' },
  { json: 'definitions', printedName: 'definitions' },
];
