import { Composer, type CST, type Document, isMap, isNode, isPair, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml';
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
  if (text.length > maxTextLength) return createFailure(`${text.length} characters are more than ${maxTextLength}`, 'give fewer rules');
  const lines = new LineCounter();
  const parsedDocuments = parseDocuments(text, lines);
  if (!parsedDocuments) return createFailure(`it is nested more than ${maxNesting} levels deep`, 'give rules');
  const problems = parsedDocuments.flatMap(({ errors }) =>
    errors.slice(0, 10).map(
      (error): RulesProblem => ({
        path: '',
        ...positionAt(lines, error.pos[0]),
        message: `it is not valid YAML: ${(error.message.split('\n')[0] as string).slice(0, 200)}`,
        fix: 'correct it; quote text with special characters',
      }),
    ),
  );
  const duplicates = parsedDocuments.flatMap(({ contents }) => findDuplicateKeys(contents, lines));
  if (problems.length + duplicates.length > 0) return { problems: [...problems, ...duplicates] };
  const documents: ComposedDocument[] = [];
  for (const document of parsedDocuments) {
    if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) continue;
    try {
      documents.push({
        value: document.toJS({ maxAliasCount: 50 }),
        positionOf: (path, atKey) => positionOf(document, path, atKey, lines),
      });
    } catch (error) {
      return createFailure(
        `its aliases cannot be used: ${(error as Error).message.split('\n')[0]}`,
        'give the values themselves instead of aliases',
      );
    }
  }
  return { documents };
}

const createFailure = (message: string, fix: string): { readonly problems: readonly RulesProblem[] } => ({
  problems: [{ path: '', message, fix }],
});

/** Parses documents; undefined if the text is nested too deeply. Checks the depth before composing, because composing recurses. */
function parseDocuments(text: string, lines: LineCounter): Document.Parsed[] | undefined {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, stringKeys: true, logLevel: 'silent' });
  const documents: Document.Parsed[] = [];
  const addDocuments = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) for (const document of composer.next(token)) documents.push(document as Document.Parsed);
  };
  for (const lexeme of new Lexer().lex(text)) {
    addDocuments(parser.next(lexeme));
    if (parser.stack.length > maxNesting) return undefined;
  }
  addDocuments(parser.end());
  for (const document of composer.end()) documents.push(document as Document.Parsed);
  return documents;
}

/** Finds keys that occur twice. Replaces the library's own check, which compares each key with all others. */
function findDuplicateKeys(node: unknown, lines: LineCounter): RulesProblem[] {
  if (isSeq(node)) return node.items.flatMap((item) => findDuplicateKeys(item, lines));
  if (!isMap(node)) return [];
  const seenNames = new Set<string>();
  return node.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : '';
    const isDuplicate = seenNames.has(name);
    seenNames.add(name);
    const problem = {
      path: '',
      ...positionAt(lines, startOf(key)),
      message: `the key ${JSON.stringify(name.slice(0, 80))} occurs twice`,
      fix: 'remove one of the two',
    };
    return [...(isDuplicate ? [problem] : []), ...findDuplicateKeys(value, lines)];
  });
}

/** Finds the position of a field's key or value; the position of the nearest existing ancestor if the field is missing. */
function positionOf(
  document: Document.Parsed,
  path: readonly (string | number)[],
  atKey: boolean,
  lines: LineCounter,
): Position | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const parent: unknown = length === 0 ? undefined : length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path[length - 1]) : undefined;
    const offset = atKey && length === path.length && isPair(pair) ? startOf(pair.key) : startOf(node);
    if (offset !== undefined) return positionAt(lines, offset);
  }
  return undefined;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

function positionAt(lines: LineCounter, offset: number | undefined): Position | undefined {
  if (offset === undefined) return undefined;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
