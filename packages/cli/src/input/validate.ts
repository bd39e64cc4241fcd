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
  const problems: FieldProblem[] = [];
  for (const { rule, steps } of compiledRules[kind] ?? []) {
    visit(object, steps, [], (value, path, optional) => {
      const isAbsent = value === undefined || value === null;
      if (isAbsent && optional && !rule.required) return;
      if (!isAbsent && rule.check.accepts(value)) return;
      const state = value === undefined ? 'is missing' : `is ${formatValue(value)}`;
      problems.push({ path, message: `${formatPath(path)} ${state}: give ${rule.check.expected}` });
    });
  }
  return problems;
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

const compiledRules: Readonly<Record<string, readonly CompiledRule[]>> = Object.fromEntries(
  Object.entries(rules).map(([kind, list]) => [kind, list.map(compileRule)]),
);
