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

const binary: Readonly<Record<string, LabelOperator>> = {
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
    return { requirements: parse(createCursor(tokensOf(text))) };
  } catch (error) {
    if (error instanceof Misread) return { problem: error.message };
    throw error;
  }
}

class Misread extends Error {}

interface Cursor {
  readonly ahead: Token;
  take(): Token;
}

function createCursor(tokens: readonly Token[]): Cursor {
  let at = 0;
  const current = (): Token => (tokens[at] ?? tokens.at(-1)) as Token;
  return {
    get ahead() {
      return current();
    },
    take() {
      const token = current();
      at += 1;
      return token;
    },
  };
}

const found = ({ text }: Token, expected: string): Misread => new Misread(`found '${text}'${expected}`);
const is = ({ kind, text }: Token, symbol: string): boolean => kind === 'symbol' && text === symbol;
const begins = (token: Token): boolean => token.kind === 'word' || is(token, '!');
const ends = (token: Token): boolean => token.kind === 'end' || is(token, ',');

function parse(cursor: Cursor): LabelRequirement[] {
  const requirements: LabelRequirement[] = [];
  for (;;) {
    if (cursor.ahead.kind === 'end') return requirements;
    if (!begins(cursor.ahead)) throw found(cursor.ahead, ", expected: !, identifier, or 'end of string'");
    requirements.push(parseRequirement(cursor));
    const separator = cursor.take();
    if (separator.kind === 'end') return requirements;
    if (!is(separator, ',')) throw found(separator, ", expected: ',' or 'end of string'");
    if (!begins(cursor.ahead)) throw found(cursor.ahead, ", expected: identifier after ','");
  }
}

function parseRequirement(cursor: Cursor): LabelRequirement {
  try {
    return readRequirement(cursor);
  } catch (error) {
    throw error instanceof Misread ? new Misread(`unable to parse requirement: ${error.message}`) : error;
  }
}

function readRequirement(cursor: Cursor): LabelRequirement {
  const absent = is(cursor.ahead, '!');
  if (absent) cursor.take();
  const word = cursor.take();
  if (word.kind !== 'word') throw found(word, ', expected: identifier');
  const key = word.text;
  const problems = problemsOfLabelKey(key);
  if (problems.length > 0) throw new Misread(`<nil>: Invalid value: ${quote(key)}: ${problems.join('; ')}`);
  if (absent) return { key, operator: '!', values: [] };
  if (ends(cursor.ahead)) return { key, operator: 'exists', values: [] };
  const token = cursor.take();
  const operator = Object.hasOwn(binary, token.text) && token.kind !== 'end' ? binary[token.text] : undefined;
  if (operator === undefined) throw found(token, ', expected: in, notin, =, ==, !=, gt, lt');
  const values = operator === 'in' || operator === 'notin' ? readValues(cursor) : readExactValue(cursor);
  return checked({ key, operator, values });
}

function readExactValue(cursor: Cursor): string[] {
  if (ends(cursor.ahead)) return [''];
  const value = cursor.take();
  if (value.kind !== 'word') throw found(value, ', expected: identifier');
  return [value.text];
}

/** Parses "(a,b)". A missing value is an empty value. */
function readValues(cursor: Cursor): string[] {
  const open = cursor.take();
  if (!is(open, '(')) throw found(open, " expected: '('");
  if (is(cursor.ahead, ')')) {
    cursor.take();
    return [''];
  }
  if (cursor.ahead.kind !== 'word' && !is(cursor.ahead, ',')) throw found(cursor.ahead, ", expected: ',', ')' or identifier");
  const values = readListed(cursor);
  cursor.take();
  return [...values].sort();
}

/** Parses the values up to the closing parenthesis, which is not consumed. */
function readListed(cursor: Cursor): Set<string> {
  const values = new Set<string>();
  for (;;) {
    const token = cursor.take();
    if (token.kind === 'word') {
      values.add(token.text);
      if (is(cursor.ahead, ')')) return values;
      if (!is(cursor.ahead, ',')) throw found(cursor.ahead, ", expected: ',' or ')'");
    } else if (is(token, ',')) {
      if (values.size === 0 || is(cursor.ahead, ')') || is(cursor.ahead, ',')) values.add('');
      if (is(cursor.ahead, ')')) return values;
    } else {
      throw found(token, ", expected: ',', or identifier");
    }
  }
}

/** Mirrors NewRequirement, as far as a parsed requirement can be invalid. */
function checked(requirement: LabelRequirement): LabelRequirement {
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
    const wrong = problemsOfLabelValue(value);
    if (wrong.length > 0) problems.push(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${wrong.join('; ')}`);
  }
  if (problems.length > 0) throw new Misread(problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`);
  return requirement;
}

const limit = 2n ** 63n;

/** Parses an integer that fits 64 bits; undefined for any other text. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return value >= -limit && value < limit ? value : undefined;
}

export type Labels = Readonly<Record<string, string>>;

/** Returns a function that tests labels against all requirements: `Requirement.Matches` (1.36, apimachinery/pkg/labels/selector.go). */
export function matcherOfLabels(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const tests = requirements.map(testOf);
  return (labels) => tests.every((test) => test(labels));
}

function testOf({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [first = ''] = values;
  const wanted = new Set(values);
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key) && labels[key] !== undefined;
  const among = (labels: Labels): boolean => has(labels) && wanted.has(labels[key] as string);
  switch (operator) {
    case '=':
    case '==':
      return (labels) => has(labels) && labels[key] === first;
    case 'in':
      return among;
    case '!=':
    case 'notin':
      return (labels) => !among(labels);
    case 'exists':
      return has;
    case '!':
      return (labels) => !has(labels);
    default:
      return (labels) => has(labels) && compares(labels[key] as string, operator, first);
  }
}

function compares(text: string, operator: 'gt' | 'lt', bound: string): boolean {
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

const space = /[ \t\r\n]/;
const special = /[=!(),<>]/;
const nul = '\u0000';
const twoCharacters: readonly string[] = ['==', '!='];

/**
 * Splits a label selector. A NUL ends a word; outside of a word it ends the selector.
 *
 * Mirrors Lexer (1.36, apimachinery/pkg/labels/selector.go).
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length && text[at] !== nul) {
    const char = text[at] as string;
    if (space.test(char)) {
      at += 1;
    } else if (special.test(char)) {
      const pair = text.slice(at, at + 2);
      tokens.push({ kind: 'symbol', text: twoCharacters.includes(pair) ? pair : char });
      at += twoCharacters.includes(pair) ? 2 : 1;
    } else {
      const end = endOfWord(text, at);
      tokens.push({ kind: 'word', text: text.slice(at, end) });
      at = text[end] === nul ? end + 1 : end;
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== nul && !space.test(text[end] as string) && !special.test(text[end] as string)) end += 1;
  return end;
}
