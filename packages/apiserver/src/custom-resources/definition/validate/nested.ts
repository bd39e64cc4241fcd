import { compilePattern } from '@kube-endpoints/cel';
import type { Causes } from '../../../resources/field/causes.ts';
import { itemsOf, propertiesOf, propertyOf, type Schema } from '../../schema/schema.ts';

/** Alternatives of a schema, or of an alternative; some of them are let be. Mirrors validateValueValidation. */
export function validateAlternatives(schema: Schema, skipAnyOf: boolean, skipFirstAllOf: boolean, field: string, causes: Causes): void {
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

/** What an alternative may not say: it checks values, and has no part in the structure. Mirrors validateNestedValueValidation (1.36). */
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
 * Checks that what alternatives of the root look at is there. As in the original, nobody looks at those further down. Mirrors
 * validateStructuralCompleteness.
 */
export function validateCompleteness(schema: Schema, field: string, causes: Causes): void {
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
