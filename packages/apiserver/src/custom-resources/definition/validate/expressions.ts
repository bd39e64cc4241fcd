import type { Causes } from '../../../resources/field/causes.ts';
import { type CompiledRule, compileRules, type RuleNode } from '../../rules/index.ts';
import type { Schema } from '../../schema/schema.ts';
import { printRule } from '../internal.ts';
import { invalidStruct } from './causes.ts';

/**
 * The expressions of x-kubernetes-validations in a schema that is otherwise fine. What they may cost is not estimated.
 *
 * Mirrors the end of ValidateCustomResourceDefinitionOpenAPISchema (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36).
 */
export function validateExpressions(schema: Schema, field: string, causes: Causes): void {
  const root = compileRules(schema)?.root;
  if (root) validateNode(root, field, undefined, causes);
}

/** @param uncorrelatable the first list above whose items are not known again after they have changed */
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
