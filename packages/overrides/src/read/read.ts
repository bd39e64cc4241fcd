import { overridesOf, printPath } from '../create.ts';
import type { Overrides } from '../overrides.ts';
import type { EndpointOverrides } from '../rule.ts';
import { RulesError, type RulesProblem } from '../rules-error.ts';
import { checkRules } from './check.ts';
import { type Composed, composeYAML } from './compose.ts';
import type { FormProblem } from './problem.ts';

/**
 * Reads YAML, or JSON: one document or more, whose rules follow each other.
 * @param source what the text is from, for messages
 * @throws RulesError with lines and columns, where anything is wrong
 */
export function readRules(text: string, source?: string): Overrides {
  const composed = composeYAML(text);
  if ('problems' in composed) throw new RulesError(composed.problems, source);
  const { documents } = composed;
  if (documents.length === 0)
    throw new RulesError([{ path: '', message: 'there is nothing in it', fix: 'give rules: a list of at least one' }], source);
  const problems = documents.flatMap((document, place) => checkRules(document.value).map((problem) => located(problem, documents, place)));
  if (problems.length > 0) throw new RulesError(problems, source);
  const sets = documents.map(({ value }) => value as EndpointOverrides);
  const together = joined(sets);
  const more = documents.length > 1 ? checkTogether(sets, together, documents) : [];
  if (more.length > 0) throw new RulesError(more, source);
  return overridesOf(together);
}

function joined(sets: readonly EndpointOverrides[]): EndpointOverrides {
  const evaluation = sets.find((set) => set.evaluation !== undefined)?.evaluation;
  return { ...(evaluation !== undefined && { evaluation }), rules: sets.flatMap(({ rules }) => rules) };
}

/** What is wrong between documents that are right by themselves. */
function checkTogether(sets: readonly EndpointOverrides[], together: EndpointOverrides, documents: readonly Composed[]): RulesProblem[] {
  const evaluation = together.evaluation ?? 'all';
  const differing = sets.findIndex((set) => (set.evaluation ?? 'all') !== evaluation);
  if (differing >= 0) {
    const message = 'the documents do not agree on how rules are evaluated';
    return [located({ path: ['evaluation'], message, fix: `give ${evaluation} in each` }, documents, differing)];
  }
  const places = sets.flatMap(({ rules }, document) => rules.map((_, rule) => ({ document, rule })));
  return checkRules(together).map((problem) => {
    const { document, rule } = places[problem.path[1] as number] ?? { document: 0, rule: 0 };
    return located({ ...problem, path: ['rules', rule, ...problem.path.slice(2)] }, documents, document);
  });
}

/** Where there are several documents, the path begins with which one. */
function located({ path, message, fix, atKey = false }: FormProblem, documents: readonly Composed[], place: number): RulesProblem {
  const full = documents.length > 1 ? ['documents', place, ...path] : path;
  return { path: printPath(full), ...documents[place]?.placeOf(path, atKey), message, fix };
}
