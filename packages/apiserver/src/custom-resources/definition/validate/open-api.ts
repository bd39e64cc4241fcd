import type { Causes } from '../../../resources/field/causes.ts';
import { metaFields } from '../../objects/prune.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, propertyOf, type Schema, type ValidationRule } from '../../schema/schema.ts';
import { addInvalidValue } from '../../validation/problem.ts';
import { findField } from './json-paths.ts';
import { findStructuralProblem } from './structural.ts';

interface Context {
  /** The end of the message that forbids defaults; absent if they are allowed. */
  readonly noDefaultsReason?: string;
  /** Whether the schema is that of apiVersion, kind or metadata, or nested in one. */
  readonly isInsideMeta: boolean;
  readonly isRoot: boolean;
}

/** Mirrors ValidateCustomResourceDefinitionOpenAPISchema (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). */
export function validateOpenApi(schema: Schema, field: string, causes: Causes): void {
  validateNode(schema, field, { isInsideMeta: false, isRoot: true }, causes);
}

function validateNode(schema: Schema, field: string, context: Context, causes: Causes): void {
  validateStandardKeywords(schema, field, context, causes);
  if (schema.uniqueItems) {
    causes.forbidden(`${field}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  validateChildren(schema, field, context, causes);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    causes.invalid(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined');
  }
  validateListTypes(schema, field, causes);
  validateRules(schema, field, causes);
}

const supportedTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function validateStandardKeywords(schema: Schema, field: string, { noDefaultsReason, isInsideMeta }: Context, causes: Causes): void {
  const { type, items } = schema;
  if (type !== undefined && !supportedTypes.includes(type)) causes.notSupported(`${field}.type`, type, supportedTypes);
  if (schema.default !== undefined && noDefaultsReason !== undefined)
    causes.forbidden(`${field}.default`, `must not be set ${noDefaultsReason}`);
  for (const name of unsupportedFields) if (schema[name] !== undefined) causes.forbidden(`${field}.${name}`, `${name} is not supported`);
  if (type === 'null') causes.forbidden(`${field}.type`, 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(items) && items.length > 0) causes.forbidden(`${field}.items`, 'items must be a schema object and not an array');
  if (isInsideMeta && schema['x-kubernetes-embedded-resource']) {
    causes.forbidden(`${field}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta');
  }
}

const unsupportedFields: readonly (keyof Schema)[] = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function validateChildren(schema: Schema, field: string, context: Context, causes: Causes): void {
  const childContext = { ...context, isRoot: false };
  const { additionalProperties, properties, not, allOf = [], oneOf = [], anyOf = [], definitions = {}, dependencies = {} } = schema;
  if (additionalProperties !== undefined) {
    if (properties && additionalProperties !== true) {
      causes.forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
    }
    const additionalSchema = additionalPropertiesOf(schema);
    const noDefaultsReason = context.isInsideMeta ? { noDefaultsReason: 'inside additionalProperties applying to object metadata' } : {};
    if (additionalSchema) validateNode(additionalSchema, `${field}.additionalProperties`, { ...childContext, ...noDefaultsReason }, causes);
  }
  for (const [name, property] of propertiesOf(schema)) {
    validateNode(property, `${field}.properties[${name}]`, contextOfProperty(schema, name, context), causes);
  }
  if (not) validateNode(not, `${field}.not`, childContext, causes);
  for (const [name, schemas] of Object.entries({ allOf, oneOf, anyOf })) {
    for (const [i, each] of schemas.entries()) validateNode(each, `${field}.${name}[${i}]`, childContext, causes);
  }
  for (const [name, each] of Object.entries(definitions)) validateNode(each, `${field}.definitions[${name}]`, childContext, causes);
  const items = itemsOf(schema);
  if (items) validateNode(items, `${field}.items`, childContext, causes);
  if (Array.isArray(schema.items))
    for (const [i, each] of schema.items.entries()) validateNode(each, `${field}.items[${i}]`, childContext, causes);
  for (const [name, each] of Object.entries(dependencies)) {
    if (!Array.isArray(each)) validateNode(each as Schema, `${field}.dependencies[${name}]`, childContext, causes);
  }
}

function contextOfProperty(schema: Schema, name: string, context: Context): Context {
  const childContext = { ...context, isRoot: false };
  if (!metaFields.has(name) || !(context.isRoot || schema['x-kubernetes-embedded-resource'])) return childContext;
  return { ...childContext, isInsideMeta: true, ...(context.isRoot && { noDefaultsReason: `in top-level ${name}` }) };
}

const allowedReasons: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Validates x-kubernetes-validations except for the expressions, which are checked only if the rest of the schema is valid. */
function validateRules(schema: Schema, field: string, causes: Causes): void {
  for (const [i, rule] of schema['x-kubernetes-validations']?.entries() ?? []) {
    const path = `${field}.x-kubernetes-validations[${i}]`;
    validateRuleAndMessage(rule, path, causes);
    const { messageExpression = '', reason, fieldPath = '' } = rule;
    if (messageExpression !== '' && messageExpression.trim() === '') {
      causes.required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified');
    }
    if (reason !== undefined && !allowedReasons.includes(reason)) causes.notSupported(`${path}.reason`, reason, allowedReasons);
    if (fieldPath === '') continue;
    if (fieldPath.trim() === '') causes.invalid(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified');
    if (hasLineBreak(fieldPath)) causes.invalid(`${path}.fieldPath`, fieldPath, 'must not contain line breaks');
    const isValid = findStructuralProblem(schema) !== undefined || findField(fieldPath, schema, true).problem === undefined;
    if (!isValid) causes.invalid(`${path}.fieldPath`, fieldPath, 'must be a valid path');
  }
}

function validateRuleAndMessage({ rule = '', message = '' }: ValidationRule, path: string, causes: Causes): void {
  if (rule.trim() === '') causes.required(`${path}.rule`, 'rule is not specified');
  else if (message !== '' && message.trim() === '') causes.invalid(`${path}.message`, message, 'must be non-empty if specified');
  else if (hasLineBreak(message.trim())) causes.invalid(`${path}.message`, message, 'must not contain line breaks');
  else if (hasLineBreak(rule.trim()) && message.trim() === '') {
    causes.required(`${path}.message`, 'message must be specified if rule contains line breaks');
  }
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

/** Validates x-kubernetes-map-type, x-kubernetes-list-type and x-kubernetes-list-map-keys. */
function validateListTypes(schema: Schema, field: string, causes: Causes): void {
  const { type = '' } = schema;
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  if (mapType !== undefined) {
    reportWrongType(type, 'object', 'x-kubernetes-map-type', field, causes);
    if (mapType !== 'atomic' && mapType !== 'granular')
      causes.notSupported(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']);
  }
  if (listType !== undefined) {
    if (!reportWrongType(type, 'array', 'x-kubernetes-list-type', field, causes) && listType === 'set')
      validateSetItems(schema, field, causes);
    if (!['atomic', 'set', 'map'].includes(listType))
      causes.notSupported(`${field}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']);
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    if (listType === undefined) causes.required(`${field}.x-kubernetes-list-type`, detail);
    else causes.invalid(`${field}.x-kubernetes-list-type`, listType, detail);
  }
  if (listType === 'map') validateMapKeys(schema, keys, field, causes);
  if (listType === 'map' || listType === 'set') validateItems(schema, listType, keys, field, causes);
}

/** Reports a type other than the expected one. @returns whether the type is wrong */
function reportWrongType(type: string, expected: string, name: string, field: string, causes: Causes): boolean {
  const detail = `must be ${expected} if ${name} is specified`;
  if (type === '') causes.required(`${field}.type`, detail);
  else if (type !== expected) causes.invalid(`${field}.type`, type, detail);
  return type !== expected;
}

function validateSetItems(schema: Schema, field: string, causes: Causes): void {
  const items = itemsOf(schema);
  const listType = items?.['x-kubernetes-list-type'];
  const mapType = items?.['x-kubernetes-map-type'];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    causes.invalid(`${field}.items.x-kubernetes-list-type`, listType, detail);
  }
  // As upstream, the message shows the list type instead of the map type.
  if (items?.type === 'object' && mapType !== 'atomic') causes.invalid(`${field}.items.x-kubernetes-map-type`, listType ?? null, detail);
}

function validateMapKeys(schema: Schema, keys: readonly string[], field: string, causes: Causes): void {
  const path = `${field}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) causes.required(path, 'must not be empty if x-kubernetes-list-type is map');
  if (schema.items === undefined) causes.required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map');
  const items = itemsOf(schema);
  if (!items) return;
  if (items.type !== 'object') {
    causes.invalid(`${field}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map");
    return;
  }
  for (const [i, key] of keys.entries()) {
    const property = propertyOf(items, key);
    if (!property) addInvalidValue(causes, path, keys, 'entries must all be names of item properties');
    else if (property.type === 'array' || property.type === 'object') {
      // As upstream, the message shows the type of the items.
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.invalid(`${field}.items.properties[${key}].type`, items.type, detail);
    }
    if (keys.indexOf(key) < i) addInvalidValue(causes, path, keys, 'must not contain duplicate entries');
  }
}

/** Mirrors validateMapListKeysMapSet. */
function validateItems(schema: Schema, listType: string, keys: readonly string[], field: string, causes: Causes): void {
  const items = itemsOf(schema);
  if (!items) return;
  if (items.nullable) causes.forbidden(`${field}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  if (listType !== 'map') return;
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (!property) continue;
    const path = `${field}.items.properties[${key}]`;
    const prefix = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!items.required?.includes(key) && property.default === undefined) {
      causes.required(`${path}.default`, `${prefix} must have a default or be a required property`);
    }
    if (property.nullable) causes.forbidden(`${path}.nullable`, `${prefix} cannot be nullable`);
  }
}
