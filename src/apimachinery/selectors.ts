import { quote } from './go-text.ts';
import { problemsOfLabelKey, problemsOfLabelValue } from './labels.ts';

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and unique. */
  readonly values: readonly string[];
}

/** Requirements that must all match, or the parse error. */
export type ParsedLabels =
  | { readonly requirements: readonly LabelRequirement[]; readonly problem?: undefined }
  | { readonly problem: string };

const binaryOperators: Readonly<Record<string, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

/** Parses a label selector, with upstream's error messages: `labels.Parse` (1.36, apimachinery/pkg/labels/selector.go). */
export function parseLabelSelector(text: string): ParsedLabels {
  try {
    return { requirements: parse(createCursor(tokenize(text))) };
  } catch (error) {
    if (error instanceof ParseError) return { problem: error.message };
    throw error;
  }
}

class ParseError extends Error {}

interface Cursor {
  /** The next token, which is not consumed; at the end, always the token of kind "end". */
  readonly current: Token;
  /** Consumes and returns the next token. */
  advance(): Token;
}

function createCursor(tokens: readonly Token[]): Cursor {
  let position = 0;
  const current = (): Token => (tokens[position] ?? tokens.at(-1)) as Token;
  return {
    get current() {
      return current();
    },
    advance() {
      const token = current();
      position += 1;
      return token;
    },
  };
}

const createUnexpectedTokenError = ({ text }: Token, expected: string): ParseError => new ParseError(`found '${text}'${expected}`);
const isSymbol = ({ kind, text }: Token, symbol: string): boolean => kind === 'symbol' && text === symbol;
const startsRequirement = (token: Token): boolean => token.kind === 'word' || isSymbol(token, '!');
const endsRequirement = (token: Token): boolean => token.kind === 'end' || isSymbol(token, ',');

function parse(cursor: Cursor): LabelRequirement[] {
  const requirements: LabelRequirement[] = [];
  for (;;) {
    if (cursor.current.kind === 'end') return requirements;
    if (!startsRequirement(cursor.current))
      throw createUnexpectedTokenError(cursor.current, ", expected: !, identifier, or 'end of string'");
    requirements.push(parseRequirement(cursor));
    const separator = cursor.advance();
    if (separator.kind === 'end') return requirements;
    if (!isSymbol(separator, ',')) throw createUnexpectedTokenError(separator, ", expected: ',' or 'end of string'");
    if (!startsRequirement(cursor.current)) throw createUnexpectedTokenError(cursor.current, ", expected: identifier after ','");
  }
}

function parseRequirement(cursor: Cursor): LabelRequirement {
  try {
    return parseRequirementTokens(cursor);
  } catch (error) {
    throw error instanceof ParseError ? new ParseError(`unable to parse requirement: ${error.message}`) : error;
  }
}

function parseRequirementTokens(cursor: Cursor): LabelRequirement {
  const isNegated = isSymbol(cursor.current, '!');
  if (isNegated) cursor.advance();
  const word = cursor.advance();
  if (word.kind !== 'word') throw createUnexpectedTokenError(word, ', expected: identifier');
  const key = word.text;
  const problems = problemsOfLabelKey(key);
  if (problems.length > 0) throw new ParseError(`<nil>: Invalid value: ${quote(key)}: ${problems.join('; ')}`);
  if (isNegated) return { key, operator: '!', values: [] };
  if (endsRequirement(cursor.current)) return { key, operator: 'exists', values: [] };
  const token = cursor.advance();
  const operator = Object.hasOwn(binaryOperators, token.text) && token.kind !== 'end' ? binaryOperators[token.text] : undefined;
  if (operator === undefined) throw createUnexpectedTokenError(token, ', expected: in, notin, =, ==, !=, gt, lt');
  const values = operator === 'in' || operator === 'notin' ? parseValues(cursor) : parseExactValue(cursor);
  return validateRequirement({ key, operator, values });
}

function parseExactValue(cursor: Cursor): string[] {
  if (endsRequirement(cursor.current)) return [''];
  const value = cursor.advance();
  if (value.kind !== 'word') throw createUnexpectedTokenError(value, ', expected: identifier');
  return [value.text];
}

/** Parses "(a,b)". A missing value is an empty value. */
function parseValues(cursor: Cursor): string[] {
  const open = cursor.advance();
  if (!isSymbol(open, '(')) throw createUnexpectedTokenError(open, " expected: '('");
  if (isSymbol(cursor.current, ')')) {
    cursor.advance();
    return [''];
  }
  if (cursor.current.kind !== 'word' && !isSymbol(cursor.current, ','))
    throw createUnexpectedTokenError(cursor.current, ", expected: ',', ')' or identifier");
  const values = parseValueSet(cursor);
  cursor.advance();
  return [...values].sort();
}

/** Parses the values up to the closing parenthesis, which is not consumed. */
function parseValueSet(cursor: Cursor): Set<string> {
  const values = new Set<string>();
  for (;;) {
    const token = cursor.advance();
    if (token.kind === 'word') {
      values.add(token.text);
      if (isSymbol(cursor.current, ')')) return values;
      if (!isSymbol(cursor.current, ',')) throw createUnexpectedTokenError(cursor.current, ", expected: ',' or ')'");
    } else if (isSymbol(token, ',')) {
      if (values.size === 0 || isSymbol(cursor.current, ')') || isSymbol(cursor.current, ',')) values.add('');
      if (isSymbol(cursor.current, ')')) return values;
    } else {
      throw createUnexpectedTokenError(token, ", expected: ',', or identifier");
    }
  }
}

/** Mirrors NewRequirement, as far as a parsed requirement can be invalid. */
function validateRequirement(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const problems: string[] = [];
  if (operator === 'gt' || operator === 'lt') {
    for (const [index, value] of values.entries()) {
      if (parseInteger(value) === undefined) {
        problems.push(`values[${index}]: Invalid value: ${quote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`);
      }
    }
  }
  for (const [index, value] of values.entries()) {
    const valueProblems = problemsOfLabelValue(value);
    if (valueProblems.length > 0) problems.push(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${valueProblems.join('; ')}`);
  }
  if (problems.length > 0) throw new ParseError(problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`);
  return requirement;
}

const int64Limit = 2n ** 63n;

/** Parses an integer that fits 64 bits; undefined for any other text. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return value >= -int64Limit && value < int64Limit ? value : undefined;
}

export type Labels = Readonly<Record<string, string>>;

/** Returns a function that tests labels against all requirements: `Requirement.Matches` (1.36, apimachinery/pkg/labels/selector.go). */
export function createRequirementsMatcher(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const tests = requirements.map(createTest);
  return (labels) => tests.every((test) => test(labels));
}

function createTest({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [first = ''] = values;
  const valueSet = new Set(values);
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key) && labels[key] !== undefined;
  const hasListedValue = (labels: Labels): boolean => has(labels) && valueSet.has(labels[key] as string);
  switch (operator) {
    case '=':
    case '==':
      return (labels) => has(labels) && labels[key] === first;
    case 'in':
      return hasListedValue;
    case '!=':
    case 'notin':
      return (labels) => !hasListedValue(labels);
    case 'exists':
      return has;
    case '!':
      return (labels) => !has(labels);
    default:
      return (labels) => has(labels) && satisfiesBound(labels[key] as string, operator, first);
  }
}

function satisfiesBound(text: string, operator: 'gt' | 'lt', bound: string): boolean {
  const value = parseInteger(text);
  const limit = parseInteger(bound);
  if (value === undefined || limit === undefined) return false;
  return operator === 'gt' ? value > limit : value < limit;
}

/** A token of a label selector. A word is a key, a value or a keyword, depending on its position. */
interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  readonly text: string;
}

const spacePattern = /[ \t\r\n]/;
const symbolPattern = /[=!(),<>]/;
const nul = '\u0000';
const twoCharacterSymbols: readonly string[] = ['==', '!='];

/** Splits a label selector. A NUL ends a word; outside of a word it ends the selector. Mirrors Lexer (1.36, labels/selector.go). */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length && text[position] !== nul) {
    const char = text[position] as string;
    if (spacePattern.test(char)) {
      position += 1;
    } else if (symbolPattern.test(char)) {
      const pair = text.slice(position, position + 2);
      tokens.push({ kind: 'symbol', text: twoCharacterSymbols.includes(pair) ? pair : char });
      position += twoCharacterSymbols.includes(pair) ? 2 : 1;
    } else {
      const end = findEndOfWord(text, position);
      tokens.push({ kind: 'word', text: text.slice(position, end) });
      position = text[end] === nul ? end + 1 : end;
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

function findEndOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== nul && !spacePattern.test(text[end] as string) && !symbolPattern.test(text[end] as string))
    end += 1;
  return end;
}
