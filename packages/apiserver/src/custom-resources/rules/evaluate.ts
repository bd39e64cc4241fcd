import { type CelMeter, type CelProgram, type CelWork, summarizeError, weighValue } from '@kube-endpoints/cel/internal';
import { evaluationProblem } from '../../cel/problems.ts';
import type { FieldCause } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { findField } from '../definition/validate/json-paths.ts';
import { propertyOf, type Schema } from '../schema/schema.ts';
import { type Correlation, isUnchanged, itemIn, propertyIn } from '../validation/correlation.ts';
import { printValue } from '../validation/problem.ts';
import type { CompiledRule, RuleNode, Rules } from './tree.ts';

/** The result of evaluating the rules for an object. */
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
export function evaluateRules({ root, values }: Rules, object: unknown, old: unknown): RuleFindings {
  const run: Run = { values, causes: [], warnings: [], remainingCost: maxObjectCost };
  const current = root && old !== undefined ? { value: object, old, schema: root.schema } : undefined;
  if (root) visit(run, root, { path: '', value: object, old, current, nearest: undefined });
  return run;
}

/** Cost limits: of one rule for one value, and of all rules for an object. */
const maxRuleCost = 1_000_000;
const maxObjectCost = 4_000_000;

interface Run {
  readonly values: Rules['values'];
  readonly causes: FieldCause[];
  readonly warnings: string[];
  /** The remaining cost; below zero no further rules are evaluated. */
  remainingCost: number;
}

interface Location {
  readonly path: string;
  readonly value: unknown;
  readonly old: unknown;
  /** The correlation with the old value, if there is one, and that of the nearest correlated ancestor. */
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

function visit(run: Run, node: RuleNode, location: Location): void {
  const { value, old, current } = location;
  if (value === null || value === undefined || run.remainingCost < 0) return;
  applyRules(run, node, location);
  if (Array.isArray(value) && node.items) {
    for (const i of value.keys()) visit(run, node.items, itemAt(node, location, i));
  } else if (isFields(value)) {
    for (const name of Object.keys(value)) {
      const child = node.properties.get(name) ?? node.additional;
      if (!child) continue;
      const path = node.properties.has(name) ? joined(location.path, name) : `${location.path}[${name}]`;
      visit(run, child, { path, value: value[name], old: isFields(old) ? old[name] : undefined, ...stepInto(location, name, current) });
    }
  }
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The root's apiVersion and kind are not correlated, because both objects are in the same version here. */
function stepInto({ nearest }: Location, name: string, current: Correlation | undefined): Pick<Location, 'current' | 'nearest'> {
  if (!current) return { current, nearest };
  if (!nearest && (name === 'apiVersion' || name === 'kind')) return { current: undefined, nearest: undefined };
  return { current: propertyIn(current, name), nearest: current };
}

function itemAt({ schema }: RuleNode, { path, value, old, current, nearest }: Location, i: number): Location {
  const items = value as readonly unknown[];
  const past = itemIn({ value, old, schema }, i);
  const correlation = current ? { current: itemIn(current, i), nearest: current } : { current, nearest };
  return { path: `${path}[${i}]`, value: items[i], old: past?.old, ...correlation };
}

function applyRules(run: Run, { rules, declared, schema }: RuleNode, location: Location): void {
  if (rules.length === 0) return;
  const { value, old } = location;
  const hasOld = old !== undefined && old !== null;
  const self = declared.convert(value);
  const oldSelf = hasOld && rules.some(({ usesOld }) => usesOld) ? declared.convert(old) : undefined;
  const variables = { self, oldSelf };
  const optional = { self, oldSelf: run.values.optional(oldSelf) };
  for (const compiled of rules) {
    const isOptional = compiled.rule.optionalOldSelf === true;
    if (compiled.usesOld && !hasOld && !isOptional) continue;
    applyRule(run, compiled, schema, location, isOptional ? optional : variables);
    if (run.remainingCost < 0) return;
  }
}

type Variables = Readonly<Record<string, unknown>>;

function applyRule(run: Run, compiled: CompiledRule, schema: Schema, location: Location, variables: Variables): void {
  const { program, problem, rule } = compiled;
  if (problem !== undefined) reportProblem(run, schema, location, `rule compile error: ${problem}`);
  if (!program) return;
  const result = evaluate(run, program, variables);
  if ('exhausted' in result) {
    reportProblem(run, schema, location, exhaustedText(result.exhausted, compiled));
    run.remainingCost = -1;
  } else if ('problem' in result) {
    reportProblem(run, schema, location, failureText(result.problem, compiled));
  } else if (result.value !== true) {
    const detail = messageOf(run, compiled, variables) ?? (rule.message?.trim() || `failed rule: ${shown(compiled)}`);
    reportViolation(run, compiled, schema, location, detail);
  }
}

const shown = ({ rule }: CompiledRule): string => (rule.message || rule.rule || '').trim();

const exhaustedText = (isOver: boolean, compiled: CompiledRule): string =>
  isOver
    ? 'validation failed due to running out of cost budget, no further validation rules will be run'
    : `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${shown(compiled)}`;

const failureText = (problem: string, compiled: CompiledRule): string =>
  problem.startsWith('no such overload')
    ? `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${shown(compiled)}`
    : `${problem} evaluating rule: ${shown(compiled)}`;

type EvaluationResult = { readonly value: unknown } | { readonly problem: string } | { readonly exhausted: boolean };

/** @returns `exhausted` if a cost limit is exceeded: true for the limit of all rules, false for that of one rule */
function evaluate(run: Run, program: CelProgram, variables: Variables): EvaluationResult {
  const before = Math.min(maxRuleCost, run.remainingCost);
  const meter: CelMeter = { left: before };
  const work: CelWork = { meter, weigh: weighValue, exhausted: 'exhausted' };
  try {
    return { value: program.evaluate(variables, work) };
  } catch (error) {
    if (meter.left < 0) return { exhausted: before < maxRuleCost };
    return { problem: evaluationProblem(error) ?? summarizeError(error) };
  } finally {
    run.remainingCost -= before - Math.max(meter.left, 0);
  }
}

/** Undefined if the messageExpression fails or its result is empty, too long or has several lines. Mirrors evalMessageExpression. */
function messageOf(run: Run, { message }: CompiledRule, variables: Variables): string | undefined {
  if (!message) return undefined;
  const result = evaluate(run, message, variables);
  const text = 'value' in result && typeof result.value === 'string' ? result.value.trim() : '';
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageBytes ? undefined : text;
}

const maxMessageBytes = 5 * 1024;

function reportProblem({ causes }: Run, { type = '' }: Schema, { path }: Location, detail: string): void {
  causes.push({ reason: 'FieldValueInvalid', field: path || '<nil>', message: `Invalid value: ${JSON.stringify(type)}: ${detail}` });
}

function reportViolation(run: Run, { rule, usesOld }: CompiledRule, schema: Schema, location: Location, detail: string): void {
  const { path, value, current, nearest } = location;
  const field = (rule.fieldPath ? pathIn(schema, path, rule.fieldPath) : path) || '<nil>';
  const isOmitted = schema.type === 'object' || schema.type === 'array';
  const cause = causeFor[rule.reason ?? ''] ?? causeFor['FieldValueInvalid'];
  const found = (cause as CauseFor)(isOmitted ? '' : `: ${printValue(value)}`, detail);
  const past = current ?? nearest;
  if (!usesOld && past && isUnchanged(past)) run.warnings.push(`${field}: ${found.message}`);
  else run.causes.push({ ...found, field });
}

type CauseFor = (value: string, detail: string) => Omit<FieldCause, 'field'>;

/** Mirrors fieldErrorForReason. */
const causeFor: Readonly<Record<string, CauseFor>> = {
  FieldValueInvalid: (value, detail) => ({ reason: 'FieldValueInvalid', message: `Invalid value${value}: ${detail}` }),
  FieldValueForbidden: (_, detail) => ({ reason: 'FieldValueForbidden', message: `Forbidden: ${detail}` }),
  FieldValueRequired: (_, detail) => ({ reason: 'FieldValueRequired', message: `Required value: ${detail}` }),
  FieldValueDuplicate: (value) => ({ reason: 'FieldValueDuplicate', message: `Duplicate value${value}` }),
};

/** The field at a rule's fieldPath, relative to the value; the value's own field if the path is invalid. */
function pathIn(schema: Schema, at: string, path: string): string {
  const found = findField(path, schema, true);
  if (found.problem !== undefined) return at;
  let text = at;
  let location: Schema | undefined = schema;
  for (const step of found.steps) {
    const property: Schema | undefined = location && propertyOf(location, step);
    text += property ? `${text === '' ? '' : '.'}${step}` : `[${step}]`;
    location = property ?? (location?.additionalProperties as Schema | undefined);
  }
  return text;
}
