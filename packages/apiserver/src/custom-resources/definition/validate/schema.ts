import { type Causes, collectCauses } from '../../../resources/field/causes.ts';
import { type CompiledRule, compileRules, type RuleNode } from '../../rules/index.ts';
import type { Schema } from '../../schema/schema.ts';
import { invalidStruct } from '../../validation/problem.ts';
import { printRule, printSchema, schemaFields } from '../internal.ts';
import { validateDefaults } from './defaults.ts';
import { validateOpenApi } from './open-api.ts';
import { structuralProblem, validateStructural } from './structural.ts';

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

/** The status subresource uses its schema on its own, so that the root may contain nothing that applies to both spec and status. */
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

/**
 * Validates the expressions of x-kubernetes-validations in an otherwise valid schema. Does not estimate their cost.
 *
 * Mirrors the end of ValidateCustomResourceDefinitionOpenAPISchema (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36).
 */
function validateExpressions(schema: Schema, field: string, causes: Causes): void {
  const root = compileRules(schema)?.root;
  if (root) validateNode(root, field, undefined, causes);
}

/** @param uncorrelatable path of the outermost list whose items cannot be correlated between old and new objects */
function validateNode(node: RuleNode, field: string, uncorrelatable: string | undefined, causes: Causes): void {
  for (const [name, child] of node.properties) validateNode(child, `${field}.properties[${name}]`, uncorrelatable, causes);
  if (node.additional) validateNode(node.additional, `${field}.additionalProperties`, uncorrelatable, causes);
  if (node.items) {
    const isKnownAgain = node.schema['x-kubernetes-list-type'] === 'map';
    validateNode(node.items, `${field}.items`, isKnownAgain ? uncorrelatable : (uncorrelatable ?? field), causes);
  }
  for (const [i, rule] of node.rules.entries()) validateRule(rule, `${field}.x-kubernetes-validations[${i}]`, uncorrelatable, causes);
}

function validateRule(compiled: CompiledRule, at: string, uncorrelatable: string | undefined, causes: Causes): void {
  const { rule, problem, messageProblem, usesOld, program } = compiled;
  const shown = printRule(rule as Readonly<Record<string, unknown>>);
  if (problem !== undefined) invalidStruct(causes, `${at}.rule`, shown, problem);
  if (messageProblem !== undefined) invalidStruct(causes, `${at}.messageExpression`, shown, messageProblem);
  if (usesOld && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    causes.invalid(`${at}.rule`, rule.rule, why);
  }
  if (program && !usesOld && rule.optionalOldSelf !== undefined) {
    causes.invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule');
  }
}
