import { formatValue } from '../print/text.ts';
import { isMap } from './checks.ts';
import { type Kind, type Rule, rules } from './rules.ts';

/** A field with an invalid or missing value. */
export interface FieldProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Returns the problems of an object, in the order of the rules, with at most one problem per field. */
export function validate(kind: Kind, object: unknown): FieldProblem[] {
  if (isValid(ruleTrees[kind], object)) return [];
  const problems: FieldProblem[] = [];
  for (const { rule, steps } of compiledRules[kind]) {
    visit(object, steps, [], (value, path, optional) => {
      if (isAccepted(rule, value, optional)) return;
      const state = value === undefined ? 'is missing' : `is ${formatValue(value)}`;
      problems.push({ path, message: `${formatPath(path)} ${state}: give ${rule.check.expected}` });
    });
  }
  return problems;
}

function isAccepted({ check, required }: Rule, value: unknown, optional: boolean): boolean {
  return value === undefined || value === null ? optional && !required : check.accepts(value);
}

/** A path in kubectl's notation: `spec.ports[0].port`, `metadata.labels["a/b"]`. */
export const formatPath = (path: readonly (string | number)[]): string =>
  path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!plainKey.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');

const plainKey = /^[A-Za-z_][\w-]*$/;

type Visitor = (value: unknown, path: readonly (string | number)[], optional: boolean) => void;

/** Calls `visitor` for every field that the steps match. Skips parents of the wrong type, because another rule reports them. */
function visit(value: unknown, steps: readonly string[], path: readonly (string | number)[], visitor: Visitor): void {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  const descend = (next: unknown, key: string | number, optional: boolean): void => {
    const nextPath = [...path, key];
    if (rest.length === 0) visitor(next, nextPath, optional);
    else visit(next, rest, nextPath, visitor);
  };
  if (step === '[]') {
    if (Array.isArray(value)) for (let i = 0; i < value.length; i++) descend(value[i], i, false);
  } else if (isMap(value)) {
    if (step === '{}') for (const [key, next] of Object.entries(value)) descend(next, key, false);
    else descend(Object.hasOwn(value, step) ? value[step] : undefined, step, true);
  }
}

interface CompiledRule {
  readonly rule: Rule;
  readonly steps: readonly string[];
}

const compileRule = (rule: Rule): CompiledRule => ({ rule, steps: rule.path.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? [] });

/** Applies a function to the rules of each kind. */
const mapRules = <T>(create: (kindRules: readonly Rule[]) => T): Readonly<Record<Kind, T>> =>
  Object.fromEntries(Object.entries(rules).map(([kind, kindRules]) => [kind, create(kindRules)])) as Record<Kind, T>;

const compiledRules = mapRules((kindRules) => kindRules.map(compileRule));

/** The rules that begin with the same fields, so that a valid object is visited only once. */
interface RuleTree {
  readonly rules: Rule[];
  readonly fields: Map<string, RuleTree>;
  items?: RuleTree;
  values?: RuleTree;
}

const createRuleTree = (): RuleTree => ({ rules: [], fields: new Map() });

const ruleTrees = mapRules((kindRules) => {
  const root = createRuleTree();
  for (const { rule, steps } of kindRules.map(compileRule)) steps.reduce(addStep, root).rules.push(rule);
  return root;
});

function addStep(tree: RuleTree, step: string): RuleTree {
  const child = findStep(tree, step) ?? createRuleTree();
  if (step === '[]') tree.items = child;
  else if (step === '{}') tree.values = child;
  else tree.fields.set(step, child);
  return child;
}

function findStep({ items, values, fields }: RuleTree, step: string): RuleTree | undefined {
  if (step === '[]') return items;
  return step === '{}' ? values : fields.get(step);
}

/** Whether `validate` finds no problem. */
function isValid({ fields, items, values }: RuleTree, object: unknown): boolean {
  if (Array.isArray(object)) return !items || object.every((item) => isFieldValid(items, item, false));
  if (!isMap(object)) return true;
  if (values) for (const key of Object.keys(object)) if (!isFieldValid(values, object[key], false)) return false;
  for (const [name, child] of fields) {
    if (!isFieldValid(child, Object.hasOwn(object, name) ? object[name] : undefined, true)) return false;
  }
  return true;
}

function isFieldValid(tree: RuleTree, value: unknown, optional: boolean): boolean {
  for (const rule of tree.rules) if (!isAccepted(rule, value, optional)) return false;
  return typeof value !== 'object' || value === null || isValid(tree, value);
}
