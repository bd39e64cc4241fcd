import type { Causes } from '../../../resources/field/causes.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema } from '../../schema/schema.ts';
import { validateListTypes } from './list-types.ts';
import { validateRules } from './rules.ts';

interface Context {
  /** Why there may be no default, where there may be none. */
  readonly noDefaults?: string;
  readonly insideMeta: boolean;
  readonly isRoot: boolean;
}

/** Mirrors ValidateCustomResourceDefinitionOpenAPISchema (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). */
export function validateOpenApi(schema: Schema, field: string, causes: Causes): void {
  validateNode(schema, field, { insideMeta: false, isRoot: true }, causes);
}

function validateNode(schema: Schema, field: string, context: Context, causes: Causes): void {
  validateStandard(schema, field, context, causes);
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

const types: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function validateStandard(schema: Schema, field: string, { noDefaults, insideMeta }: Context, causes: Causes): void {
  const { type, items } = schema;
  if (type !== undefined && !types.includes(type)) causes.notSupported(`${field}.type`, type, types);
  if (schema.default !== undefined && noDefaults !== undefined) causes.forbidden(`${field}.default`, `must not be set ${noDefaults}`);
  for (const name of unsupported) if (schema[name] !== undefined) causes.forbidden(`${field}.${name}`, `${name} is not supported`);
  if (type === 'null') causes.forbidden(`${field}.type`, 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(items) && items.length > 0) causes.forbidden(`${field}.items`, 'items must be a schema object and not an array');
  if (insideMeta && schema['x-kubernetes-embedded-resource']) {
    causes.forbidden(`${field}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta');
  }
}

const unsupported: readonly (keyof Schema)[] = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function validateChildren(schema: Schema, field: string, context: Context, causes: Causes): void {
  const inner = { ...context, isRoot: false };
  const { additionalProperties, properties, not, allOf = [], oneOf = [], anyOf = [], definitions = {}, dependencies = {} } = schema;
  if (additionalProperties !== undefined) {
    if (properties && additionalProperties !== true) {
      causes.forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
    }
    const additional = additionalOf(schema);
    const noDefaults = context.insideMeta ? { noDefaults: 'inside additionalProperties applying to object metadata' } : {};
    if (additional) validateNode(additional, `${field}.additionalProperties`, { ...inner, ...noDefaults }, causes);
  }
  for (const [name, property] of propertiesOf(schema)) {
    validateNode(property, `${field}.properties[${name}]`, insideOf(schema, name, context), causes);
  }
  if (not) validateNode(not, `${field}.not`, inner, causes);
  for (const [name, schemas] of Object.entries({ allOf, oneOf, anyOf })) {
    for (const [i, each] of schemas.entries()) validateNode(each, `${field}.${name}[${i}]`, inner, causes);
  }
  for (const [name, each] of Object.entries(definitions)) validateNode(each, `${field}.definitions[${name}]`, inner, causes);
  const items = itemsOf(schema);
  if (items) validateNode(items, `${field}.items`, inner, causes);
  if (Array.isArray(schema.items))
    for (const [i, each] of schema.items.entries()) validateNode(each, `${field}.items[${i}]`, inner, causes);
  for (const [name, each] of Object.entries(dependencies)) {
    if (!Array.isArray(each)) validateNode(each as Schema, `${field}.dependencies[${name}]`, inner, causes);
  }
}

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function insideOf(schema: Schema, name: string, context: Context): Context {
  const inner = { ...context, isRoot: false };
  if (!metaFields.has(name) || !(context.isRoot || schema['x-kubernetes-embedded-resource'])) return inner;
  return { ...inner, insideMeta: true, ...(context.isRoot && { noDefaults: `in top-level ${name}` }) };
}
