import { createCelReader } from '../cel/expression.ts';
import type { EndpointOverrides, OverrideRule } from '../rule.ts';
import { overridesSchema } from '../schema.ts';
import { contradictionsAmong, contradictionsIn } from './contradictions.ts';
import { checkForm } from './form.ts';
import { checkParts } from './parts.ts';
import type { FormProblem } from './problem.ts';

/** Everything that is wrong with rules. Nothing is changed, and whatever the value is, nothing is thrown. */
export function checkRules(value: unknown): FormProblem[] {
  const problems = checkForm(value, overridesSchema);
  const list = (value as { readonly rules?: unknown } | null)?.rules;
  if (!Array.isArray(list)) return problems;
  const broken = new Set(problems.map(({ path }) => (path[0] === 'rules' ? path[1] : undefined)));
  const sound = list.map((rule, place) => (broken.has(place) ? undefined : (rule as OverrideRule)));
  const reader = createCelReader();
  for (const [place, rule] of sound.entries()) {
    if (!rule) continue;
    const found = [...checkParts(rule, reader), ...contradictionsIn(rule)];
    problems.push(...found.map((problem) => ({ ...problem, path: ['rules', place, ...problem.path] })));
  }
  problems.push(...namedTwice(list));
  if (problems.length === 0) problems.push(...contradictionsAmong(value as EndpointOverrides));
  return problems;
}

function namedTwice(list: readonly unknown[]): FormProblem[] {
  const seen = new Set<unknown>();
  const problems: FormProblem[] = [];
  for (const [place, rule] of list.entries()) {
    const name = (rule as { readonly name?: unknown } | null | undefined)?.name;
    if (typeof name === 'string' && seen.has(name)) {
      problems.push({
        path: ['rules', place, 'name'],
        message: `another rule is named ${JSON.stringify(name)}`,
        fix: 'give each rule a name of its own',
      });
    }
    seen.add(name);
  }
  return problems;
}
