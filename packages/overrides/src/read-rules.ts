import { createLineCounter, findYamlPosition, readYaml, YamlError, type YamlPositions } from 'kube-endpoints/internal/apimachinery';
import { compileOverrides, printPath } from './create.ts';
import { type Overrides, RulesError, type RulesProblem } from './overrides.ts';
import { checkRules } from './read/check.ts';
import type { FormProblem } from './read/semantics.ts';
import type { EndpointOverrides } from './rule.ts';

/**
 * Reads YAML or JSON with one or more documents, whose rules are concatenated.
 * @param source name of the source, for messages
 * @throws RulesError with lines and columns, if the rules are invalid
 */
export function readRules(text: string, source?: string): Overrides {
  const composed = composeYAML(text);
  if ('problems' in composed) throw new RulesError(composed.problems, source);
  const { documents } = composed;
  if (documents.length === 0)
    throw new RulesError([{ path: '', message: 'there are no rules in it', fix: 'give rules: a list of at least one' }], source);
  const problems = documents.flatMap((document, index) =>
    checkRules(document.value).map((problem) => addPosition(problem, documents, index)),
  );
  if (problems.length > 0) throw new RulesError(problems, source);
  const sets = documents.map(({ value }) => value as EndpointOverrides);
  const combinedRules = joinSets(sets);
  const combinedProblems = documents.length > 1 ? checkCombined(sets, combinedRules, documents) : [];
  if (combinedProblems.length > 0) throw new RulesError(combinedProblems, source);
  return compileOverrides(combinedRules);
}

function joinSets(sets: readonly EndpointOverrides[]): EndpointOverrides {
  const evaluation = sets.find((set) => set.evaluation !== undefined)?.evaluation;
  return { ...(evaluation !== undefined && { evaluation }), rules: sets.flatMap(({ rules }) => rules) };
}

/** Finds problems between documents that are valid by themselves. */
function checkCombined(
  sets: readonly EndpointOverrides[],
  combinedRules: EndpointOverrides,
  documents: readonly ComposedDocument[],
): RulesProblem[] {
  const evaluation = combinedRules.evaluation ?? 'all';
  const differingIndex = sets.findIndex((set) => (set.evaluation ?? 'all') !== evaluation);
  if (differingIndex >= 0) {
    const message = 'the documents do not agree on how rules are evaluated';
    return [addPosition({ path: ['evaluation'], message, fix: `give ${evaluation} in each` }, documents, differingIndex)];
  }
  const origins = sets.flatMap(({ rules }, document) => rules.map((_, rule) => ({ document, rule })));
  return checkRules(combinedRules).map((problem) => {
    const { document, rule } = origins[problem.path[1] as number] ?? { document: 0, rule: 0 };
    return addPosition({ ...problem, path: ['rules', rule, ...problem.path.slice(2)] }, documents, document);
  });
}

/** Adds the position in the text to a problem. With several documents, the path begins with the index of the document. */
function addPosition(
  { path, message, fix, atKey = false }: FormProblem,
  documents: readonly ComposedDocument[],
  index: number,
): RulesProblem {
  const fullPath = documents.length > 1 ? ['documents', index, ...path] : path;
  return { path: printPath(fullPath), ...documents[index]?.positionOf(path, atKey), message, fix };
}

/** A YAML document as plain values, with positions. */
export interface ComposedDocument {
  readonly value: unknown;
  /** 1-based position; the position of the nearest ancestor if the path does not exist. */
  positionOf(path: readonly (string | number)[], atKey: boolean): Position | undefined;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** In characters. A longer text cannot be rules, and may be an attempt to overload the host. */
const maxTextLength: number = 1024 * 1024;
const maxNesting = 64;

/** Parses YAML documents; skips empty ones. */
export function composeYAML(
  text: string,
): { readonly documents: readonly ComposedDocument[] } | { readonly problems: readonly RulesProblem[] } {
  if (text.length > maxTextLength)
    return { problems: [{ path: '', message: `${text.length} characters are more than ${maxTextLength}`, fix: 'give fewer rules' }] };
  const toPosition = createLineCounter(text);
  try {
    const documents = readYaml(text, { maxDepth: maxNesting, textKeys: true, positions: true });
    const problems = documents.flatMap(({ duplicateKeys }) =>
      duplicateKeys.map(({ key, keyOffset }) => formatDuplicate(key, toPosition(keyOffset))),
    );
    if (problems.length > 0) return { problems };
    const composedDocuments = documents.map(({ value, positions }) => ({
      value,
      positionOf: (path: readonly (string | number)[], atKey: boolean) => positionOf(positions, path, atKey, toPosition),
    }));
    return { documents: composedDocuments.filter(({ value }) => value !== null) };
  } catch (error) {
    if (error instanceof YamlError) return { problems: [describe(error, toPosition)] };
    throw error;
  }
}

const formatDuplicate = (key: unknown, position: Position): RulesProblem => ({
  path: '',
  ...position,
  message: `the key ${JSON.stringify(String(key).slice(0, 80))} occurs twice`,
  fix: 'remove one of the two',
});

function describe({ code, message, offset }: YamlError, toPosition: (offset: number) => Position): RulesProblem {
  const position = offset === undefined ? {} : toPosition(offset);
  if (code === 'depth') return { path: '', message: `it is nested more than ${maxNesting} levels deep`, fix: 'give rules' };
  if (code !== 'anchor' && code !== 'alias')
    return {
      path: '',
      ...position,
      message: `it is not valid YAML: ${message.slice(0, 200)}`,
      fix: 'correct it; quote text with special characters',
    };
  const fix = 'give the values themselves instead of aliases';
  return { path: '', ...position, message: `its aliases cannot be used: ${message}`, fix };
}

/** Finds the position of a field's key or value; the position of the nearest existing ancestor if the field is missing. */
function positionOf(
  positions: YamlPositions | undefined,
  path: readonly (string | number)[],
  atKey: boolean,
  toPosition: (offset: number) => Position,
): Position | undefined {
  for (let length = path.length; length >= 0; length--) {
    const { start, keyStart } = findYamlPosition(positions, path.slice(0, length)) ?? {};
    const offset = (atKey && length === path.length ? keyStart : start) ?? start ?? keyStart;
    if (offset !== undefined) return toPosition(offset);
  }
  return undefined;
}
