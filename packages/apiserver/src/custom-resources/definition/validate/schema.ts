import { type Causes, collectCauses } from '../../../resources/field/causes.ts';
import { sameValue } from '../../../resources/field/read.ts';
import { type CompiledRule, compileRules, type RuleNode } from '../../rules/index.ts';
import type { Schema } from '../../schema/schema.ts';
import { addInvalidStruct } from '../../validation/problem.ts';
import { printRule, printSchema, schemaFields } from '../internal.ts';
import {
  type Cardinality,
  type CostBudget,
  cardinalityOfChildren,
  checkTotalCost,
  createCostBudget,
  createRuleCosts,
  spendCost,
} from './costs.ts';
import { validateDefaults } from './defaults.ts';
import { validateOpenApi } from './open-api.ts';
import { findStructuralProblem, validateStructural } from './structural.ts';

/** Mirrors validateCustomResourceDefinitionValidation (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). @param old the schema before an update */
export function validateSchema(
  { openAPIV3Schema: schema }: { readonly openAPIV3Schema?: Schema },
  { hasStatus, old }: { readonly hasStatus: boolean; readonly old: Schema | undefined },
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
  if (problem === undefined && schemaCauses.list.length === 0)
    validateExpressions(schema, old !== undefined && sameValue(schema, old), path, schemaCauses);
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
 * Validates the expressions of x-kubernetes-validations in an otherwise valid schema, and estimates their cost.
 *
 * Mirrors the end of ValidateCustomResourceDefinitionOpenAPISchema (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36).
 * @param isUnchanged whether the schema is that of the existing definition
 */
function validateExpressions(schema: Schema, isUnchanged: boolean, field: string, causes: Causes): void {
  const root = compileRules(schema)?.root;
  if (!root) return;
  const budget = createCostBudget(isUnchanged);
  validateNode(root, { field, isRoot: true, cardinality: 1n, uncorrelatablePath: undefined, budget }, causes);
  checkTotalCost(budget, field, causes);
}

interface NodePosition {
  readonly field: string;
  readonly isRoot: boolean;
  readonly cardinality: Cardinality;
  /** Field path of the outermost list whose old and new items cannot be matched; undefined if there is no such list. */
  readonly uncorrelatablePath: string | undefined;
  readonly budget: CostBudget;
}

function validateNode(node: RuleNode, position: NodePosition, causes: Causes): void {
  const { field, isRoot, cardinality, uncorrelatablePath, budget } = position;
  const { schema } = node;
  const childPosition = { ...position, isRoot: false, cardinality: cardinalityOfChildren(cardinality, schema) };
  for (const [name, child] of node.properties) validateNode(child, { ...childPosition, field: `${field}.properties[${name}]` }, causes);
  if (node.additional) validateNode(node.additional, { ...childPosition, field: `${field}.additionalProperties` }, causes);
  if (node.items) {
    const isCorrelatable = schema['x-kubernetes-list-type'] === 'map';
    const itemsPath = isCorrelatable ? uncorrelatablePath : (uncorrelatablePath ?? field);
    validateNode(node.items, { ...childPosition, field: `${field}.items`, uncorrelatablePath: itemsPath }, causes);
  }
  if (node.rules.length === 0) return;
  const costs = createRuleCosts(node, isRoot || schema['x-kubernetes-embedded-resource'] === true, cardinality);
  for (const [i, rule] of node.rules.entries()) {
    const path = `${field}.x-kubernetes-validations[${i}]`;
    spendCost(budget, costs.ofRule(rule), { path: `${path}.rule`, name: 'rule' }, causes);
    reportProblems(rule, path, causes);
    if (rule.messageProgram)
      spendCost(budget, costs.ofMessage(rule), { path: `${path}.messageExpression`, name: 'messageExpression' }, causes);
    validateOldSelf(rule, path, uncorrelatablePath, causes);
  }
}

function reportProblems({ rule, problem, messageProblem }: CompiledRule, path: string, causes: Causes): void {
  const printedRule = printRule(rule as Readonly<Record<string, unknown>>);
  if (problem !== undefined) addInvalidStruct(causes, `${path}.rule`, printedRule, problem);
  if (messageProblem !== undefined) addInvalidStruct(causes, `${path}.messageExpression`, printedRule, messageProblem);
}

function validateOldSelf(
  { rule, usesOldSelf, program }: CompiledRule,
  path: string,
  uncorrelatablePath: string | undefined,
  causes: Causes,
): void {
  if (usesOldSelf && uncorrelatablePath !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatablePath}`;
    causes.invalid(`${path}.rule`, rule.rule, detail);
  }
  if (program && !usesOldSelf && rule.optionalOldSelf !== undefined) {
    causes.invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule');
  }
}
