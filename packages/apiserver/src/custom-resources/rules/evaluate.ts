import type { CelMeter, CelProgram, CelWork } from '@kube-endpoints/cel/internal';
import { loadCelLibrary } from '../../cel/library.ts';
import { describeEvaluationError } from '../../cel/problems.ts';
import type { FieldCause } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { findField } from '../definition/validate/json-paths.ts';
import { propertyOf, type Schema } from '../schema/schema.ts';
import { type Correlation, correlateItem, correlateProperty, isUnchanged } from '../validation/correlation.ts';
import { printValue } from '../validation/problem.ts';
import type { CompiledRule, RuleNode, Rules } from './tree.ts';

export interface RuleFindings {
  readonly causes: readonly FieldCause[];
  /** Violations by values that are unchanged since the old object. */
  readonly warnings: readonly string[];
}

/**
 * Evaluates all rules for an object.
 *
 * Mirrors Validator.Validate (apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, 1.36).
 * @param old undefined for a create
 */
export function evaluateRules({ root, valueMaker }: Rules, object: unknown, old: unknown): RuleFindings {
  const evaluation: Evaluation = { valueMaker, causes: [], warnings: [], remainingCost: maxObjectCost };
  const correlation = root && old !== undefined ? { value: object, old, schema: root.schema } : undefined;
  if (root) visit(evaluation, root, { path: '', value: object, old, correlation, ancestorCorrelation: undefined });
  return evaluation;
}

/** Cost limit of one rule for one value. */
const maxRuleCost = 1_000_000;
/** Cost limit of all rules for an object. */
const maxObjectCost = 4_000_000;

interface Evaluation {
  readonly valueMaker: Rules['valueMaker'];
  readonly causes: FieldCause[];
  readonly warnings: string[];
  /** The remaining cost. If it is below zero, no further rules are evaluated. */
  remainingCost: number;
}

interface Location {
  readonly path: string;
  readonly value: unknown;
  readonly old: unknown;
  /** The correlation with the old value; undefined if the value cannot be matched to an old one. */
  readonly correlation: Correlation | undefined;
  /** The correlation of the nearest ancestor that has one. */
  readonly ancestorCorrelation: Correlation | undefined;
}

function visit(evaluation: Evaluation, node: RuleNode, location: Location): void {
  const { value, old, correlation } = location;
  if (value === null || value === undefined || evaluation.remainingCost < 0) return;
  applyRules(evaluation, node, location);
  if (Array.isArray(value) && node.items) {
    for (const i of value.keys()) visit(evaluation, node.items, createItemLocation(node, location, i));
  } else if (isFields(value)) {
    for (const name of Object.keys(value)) {
      const child = node.properties.get(name) ?? node.additional;
      if (!child) continue;
      const path = node.properties.has(name) ? joinPath(location.path, name) : `${location.path}[${name}]`;
      visit(evaluation, child, {
        path,
        value: value[name],
        old: isFields(old) ? old[name] : undefined,
        ...correlateChild(location, name, correlation),
      });
    }
  }
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The root's apiVersion and kind are not correlated, because the server always compares objects of the same version. */
function correlateChild(
  { ancestorCorrelation }: Location,
  name: string,
  correlation: Correlation | undefined,
): Pick<Location, 'correlation' | 'ancestorCorrelation'> {
  if (!correlation) return { correlation, ancestorCorrelation };
  if (!ancestorCorrelation && (name === 'apiVersion' || name === 'kind')) return { correlation: undefined, ancestorCorrelation: undefined };
  return { correlation: correlateProperty(correlation, name), ancestorCorrelation: correlation };
}

function createItemLocation({ schema }: RuleNode, { path, value, old, correlation, ancestorCorrelation }: Location, i: number): Location {
  const items = value as readonly unknown[];
  const oldItem = correlateItem({ value, old, schema }, i);
  const correlations = correlation
    ? { correlation: correlateItem(correlation, i), ancestorCorrelation: correlation }
    : { correlation, ancestorCorrelation };
  return { path: `${path}[${i}]`, value: items[i], old: oldItem?.old, ...correlations };
}

function applyRules(evaluation: Evaluation, { rules, declaredType, schema }: RuleNode, location: Location): void {
  if (rules.length === 0) return;
  const { value, old } = location;
  const hasOldValue = old !== undefined && old !== null;
  const self = declaredType.convert(value);
  const oldSelf = hasOldValue && rules.some(({ usesOldSelf }) => usesOldSelf) ? declaredType.convert(old) : undefined;
  const variables = { self, oldSelf };
  const optionalVariables = { self, oldSelf: evaluation.valueMaker.createOptional(oldSelf) };
  for (const compiledRule of rules) {
    const isOptional = compiledRule.rule.optionalOldSelf === true;
    if (compiledRule.usesOldSelf && !hasOldValue && !isOptional) continue;
    applyRule(evaluation, compiledRule, schema, location, isOptional ? optionalVariables : variables);
    if (evaluation.remainingCost < 0) return;
  }
}

type Variables = Readonly<Record<string, unknown>>;

function applyRule(evaluation: Evaluation, compiledRule: CompiledRule, schema: Schema, location: Location, variables: Variables): void {
  const { program, problem, rule } = compiledRule;
  if (problem !== undefined) reportProblem(evaluation, schema, location, `rule compile error: ${problem}`);
  if (!program) return;
  const result = evaluate(evaluation, program, variables);
  if ('exhausted' in result) {
    reportProblem(evaluation, schema, location, describeExhaustion(result.exhausted, compiledRule));
    evaluation.remainingCost = -1;
  } else if ('problem' in result) {
    reportProblem(evaluation, schema, location, describeFailure(result.problem, compiledRule));
  } else if (result.value !== true) {
    const detail =
      evaluateMessage(evaluation, compiledRule, variables) ?? (rule.message?.trim() || `failed rule: ${ruleText(compiledRule)}`);
    reportViolation(evaluation, compiledRule, schema, location, detail);
  }
}

const ruleText = ({ rule }: CompiledRule): string => (rule.message || rule.rule || '').trim();

const describeExhaustion = (isObjectLimit: boolean, compiledRule: CompiledRule): string =>
  isObjectLimit
    ? 'validation failed due to running out of cost budget, no further validation rules will be run'
    : `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(compiledRule)}`;

const describeFailure = (problem: string, compiledRule: CompiledRule): string =>
  problem.startsWith('no such overload')
    ? `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(compiledRule)}`
    : `${problem} evaluating rule: ${ruleText(compiledRule)}`;

type EvaluationResult = { readonly value: unknown } | { readonly problem: string } | { readonly exhausted: boolean };

/** @returns `exhausted` if a cost limit is exceeded: true for the limit of all rules, false for that of one rule */
function evaluate(evaluation: Evaluation, program: CelProgram, variables: Variables): EvaluationResult {
  const budget = Math.min(maxRuleCost, evaluation.remainingCost);
  const meter: CelMeter = { remaining: budget };
  const work: CelWork = { meter, costOf: loadCelLibrary().comparisonCostOf, exhaustedMessage: 'exhausted' };
  try {
    return { value: program.evaluate(variables, work) };
  } catch (error) {
    if (meter.remaining < 0) return { exhausted: budget < maxRuleCost };
    return { problem: describeEvaluationError(error) ?? loadCelLibrary().summarizeError(error) };
  } finally {
    evaluation.remainingCost -= budget - Math.max(meter.remaining, 0);
  }
}

/** Returns the message; undefined if the messageExpression fails or its result is empty, too long or has several lines. Mirrors evalMessageExpression. */
function evaluateMessage(evaluation: Evaluation, { messageProgram }: CompiledRule, variables: Variables): string | undefined {
  if (!messageProgram) return undefined;
  const result = evaluate(evaluation, messageProgram, variables);
  const text = 'value' in result && typeof result.value === 'string' ? result.value.trim() : '';
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageBytes ? undefined : text;
}

const maxMessageBytes = 5 * 1024;

function reportProblem({ causes }: Evaluation, { type = '' }: Schema, { path }: Location, detail: string): void {
  causes.push({ reason: 'FieldValueInvalid', field: path || '<nil>', message: `Invalid value: ${JSON.stringify(type)}: ${detail}` });
}

function reportViolation(
  evaluation: Evaluation,
  { rule, usesOldSelf }: CompiledRule,
  schema: Schema,
  location: Location,
  detail: string,
): void {
  const { path, value, correlation, ancestorCorrelation } = location;
  const field = (rule.fieldPath ? resolveFieldPath(schema, path, rule.fieldPath) : path) || '<nil>';
  const isOmitted = schema.type === 'object' || schema.type === 'array';
  const createCause = causeFactories[rule.reason ?? ''] ?? causeFactories['FieldValueInvalid'];
  const cause = (createCause as CreateCause)(isOmitted ? '' : `: ${printValue(value)}`, detail);
  const nearestCorrelation = correlation ?? ancestorCorrelation;
  if (!usesOldSelf && nearestCorrelation && isUnchanged(nearestCorrelation)) evaluation.warnings.push(`${field}: ${cause.message}`);
  else evaluation.causes.push({ ...cause, field });
}

type CreateCause = (value: string, detail: string) => Omit<FieldCause, 'field'>;

/** Mirrors fieldErrorForReason. */
const causeFactories: Readonly<Record<string, CreateCause>> = {
  FieldValueInvalid: (value, detail) => ({ reason: 'FieldValueInvalid', message: `Invalid value${value}: ${detail}` }),
  FieldValueForbidden: (_, detail) => ({ reason: 'FieldValueForbidden', message: `Forbidden: ${detail}` }),
  FieldValueRequired: (_, detail) => ({ reason: 'FieldValueRequired', message: `Required value: ${detail}` }),
  FieldValueDuplicate: (value) => ({ reason: 'FieldValueDuplicate', message: `Duplicate value${value}` }),
};

/** Returns the path of a rule's fieldPath, which is relative to the value; the path of the value if the fieldPath is invalid. */
function resolveFieldPath(schema: Schema, basePath: string, path: string): string {
  const target = findField(path, schema, true);
  if (target.problem !== undefined) return basePath;
  let resolvedPath = basePath;
  let fieldSchema: Schema | undefined = schema;
  for (const step of target.steps) {
    const property: Schema | undefined = fieldSchema && propertyOf(fieldSchema, step);
    resolvedPath += property ? `${resolvedPath === '' ? '' : '.'}${step}` : `[${step}]`;
    fieldSchema = property ?? (fieldSchema?.additionalProperties as Schema | undefined);
  }
  return resolvedPath;
}
