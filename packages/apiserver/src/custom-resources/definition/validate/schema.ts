import { type Causes, collectCauses } from '../../../resources/field/causes.ts';
import { type CompiledRule, compileRules, type RuleNode } from '../../rules/index.ts';
import type { Schema } from '../../schema/schema.ts';
import { addInvalidStruct } from '../../validation/problem.ts';
import { printRule, printSchema, schemaFields } from '../internal.ts';
import { validateDefaults } from './defaults.ts';
import { validateOpenApi } from './open-api.ts';
import { findStructuralProblem, validateStructural } from './structural.ts';

/** Mirrors validateCustomResourceDefinitionValidation (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). */
export function validateSchema(
  { openAPIV3Schema: schema }: { readonly openAPIV3Schema?: Schema },
  hasStatus: boolean,
  field: string,
  causes: Causes,
): void {
  if (!schema) return;
  const path = `${field}.openAPIV3Schema`;
  const schemaCauses = collectCauses();
  if (hasStatus) validateRoot(schema, path, schemaCauses);
  if (schema.nullable) schemaCauses.forbidden(`${path}.nullable`, 'nullable cannot be true at the root');
  const problem = findStructuralProblem(schema);
  if (problem === undefined) {
    const structuralCauses = validateStructural(schema, path);
    schemaCauses.add(structuralCauses);
    if (structuralCauses.length === 0) validateDefaults(schema, path, schemaCauses);
  }
  validateOpenApi(schema, path, schemaCauses);
  if (problem === undefined && schemaCauses.list.length === 0) validateExpressions(schema, path, schemaCauses);
  if (problem !== undefined && schemaCauses.list.length === 0) schemaCauses.invalid(path, '', problem);
  causes.add(schemaCauses.list);
}

const goNamesAllowedAtRoot: readonly string[] = [
  ...['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum', 'MaxLength', 'MinLength'],
  ...['Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required', 'Items', 'Properties', 'ExternalDocs', 'Example'],
  ...['XPreserveUnknownFields', 'XValidations'],
];

/**
 * Reports the first root field that is not allowed with the status subresource: spec and status are written separately, so the root may not
 * constrain them together.
 */
function validateRoot(schema: Schema, path: string, causes: Causes): void {
  for (const { go, json } of schemaFields) {
    if (schema[json] === undefined) continue;
    if (go === 'Type') {
      if (schema.type === 'object') continue;
      const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      causes.invalid(`${path}.type`, schema.type, detail);
      return;
    }
    if (goNamesAllowedAtRoot.includes(go)) continue;
    const detail = `only [${goNamesAllowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    addInvalidStruct(causes, path, printSchema(schema), detail);
    return;
  }
}

/**
 * Validates the expressions of x-kubernetes-validations in an otherwise valid schema. Does not estimate their cost.
 *
 * Mirrors the end of ValidateCustomResourceDefinitionOpenAPISchema (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36).
 */
function validateExpressions(schema: Schema, field: string, causes: Causes): void {
  const root = compileRules(schema)?.root;
  if (root) validateNode(root, field, undefined, causes);
}

/** @param uncorrelatablePath field path of the outermost list whose old and new items cannot be matched; undefined if there is no such list */
function validateNode(node: RuleNode, field: string, uncorrelatablePath: string | undefined, causes: Causes): void {
  for (const [name, child] of node.properties) validateNode(child, `${field}.properties[${name}]`, uncorrelatablePath, causes);
  if (node.additional) validateNode(node.additional, `${field}.additionalProperties`, uncorrelatablePath, causes);
  if (node.items) {
    const isCorrelatable = node.schema['x-kubernetes-list-type'] === 'map';
    validateNode(node.items, `${field}.items`, isCorrelatable ? uncorrelatablePath : (uncorrelatablePath ?? field), causes);
  }
  for (const [i, rule] of node.rules.entries()) validateRule(rule, `${field}.x-kubernetes-validations[${i}]`, uncorrelatablePath, causes);
}

function validateRule(compiled: CompiledRule, path: string, uncorrelatablePath: string | undefined, causes: Causes): void {
  const { rule, problem, messageProblem, usesOldSelf, program } = compiled;
  const printedRule = printRule(rule as Readonly<Record<string, unknown>>);
  if (problem !== undefined) addInvalidStruct(causes, `${path}.rule`, printedRule, problem);
  if (messageProblem !== undefined) addInvalidStruct(causes, `${path}.messageExpression`, printedRule, messageProblem);
  if (usesOldSelf && uncorrelatablePath !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatablePath}`;
    causes.invalid(`${path}.rule`, rule.rule, detail);
  }
  if (program && !usesOldSelf && rule.optionalOldSelf !== undefined) {
    causes.invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule');
  }
}
