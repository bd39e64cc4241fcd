import { quote } from '../go-text.ts';
import { problemsOfLabelKey, problemsOfLabelValue } from './names.ts';
import { type Token, tokensOf } from './tokens.ts';

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, each once. */
  readonly values: readonly string[];
}

/** Requirements that all have to hold, or why the text states none. */
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

/** Reads a label selector, and says in the real parser's words what is wrong: `labels.Parse` (1.36, apimachinery/pkg/labels/selector.go). */
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

/** "(a,b)"; where a value is missing, the empty one is meant. */
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

/** The values up to the closing bracket, which is left. */
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

/** Mirrors NewRequirement, as far as a parsed requirement can be wrong. */
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

/** A whole number that 64 bits hold, or nothing. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return value >= -limit && value < limit ? value : undefined;
}
