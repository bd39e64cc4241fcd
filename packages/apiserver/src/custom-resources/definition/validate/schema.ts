import { type Causes, collectCauses } from '../../../resources/field/causes.ts';
import type { Schema } from '../../schema/schema.ts';
import { printSchema, schemaFields } from '../internal.ts';
import { invalidStruct } from './causes.ts';
import { validateDefaults } from './defaults.ts';
import { validateExpressions } from './expressions.ts';
import { validateOpenApi } from './open-api.ts';
import { validateStructural } from './structural.ts';
import { structuralProblem } from './structural-problem.ts';

/** Mirrors validateCustomResourceDefinitionValidation (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). */
export function validateSchema(
  { openAPIV3Schema: schema }: { readonly openAPIV3Schema?: Schema },
  hasStatus: boolean,
  field: string,
  causes: Causes,
): void {
  if (!schema) return;
  const at = `${field}.openAPIV3Schema`;
  const found = collectCauses();
  if (hasStatus) validateRoot(schema, at, found);
  if (schema.nullable) found.forbidden(`${at}.nullable`, 'nullable cannot be true at the root');
  const problem = structuralProblem(schema);
  if (problem === undefined) {
    const structural = validateStructural(schema, at);
    found.add(structural);
    if (structural.length === 0) validateDefaults(schema, at, found);
  }
  validateOpenApi(schema, at, found);
  if (problem === undefined && found.list.length === 0) validateExpressions(schema, at, found);
  if (problem !== undefined && found.list.length === 0) found.invalid(at, '', problem);
  causes.add(found.list);
}

const allowedAtRoot: readonly string[] = [
  ...['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum', 'MaxLength', 'MinLength'],
  ...['Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required', 'Items', 'Properties', 'ExternalDocs', 'Example'],
  ...['XPreserveUnknownFields', 'XValidations'],
];

/** With a status apart, its schema is taken out of the whole one, so that nothing above may say anything about both. */
function validateRoot(schema: Schema, at: string, causes: Causes): void {
  for (const { go, json } of schemaFields) {
    if (schema[json] === undefined) continue;
    if (go === 'Type') {
      if (schema.type === 'object') continue;
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      causes.invalid(`${at}.type`, schema.type, why);
      return;
    }
    if (allowedAtRoot.includes(go)) continue;
    const why = `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    invalidStruct(causes, at, printSchema(schema), why);
    return;
  }
}
