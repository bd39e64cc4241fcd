import { findTooDeepOffset, maxTextNesting } from './nesting.ts';
import type { ParseResult } from './yaml.ts';

/** Parses JSON; on failure returns the position of the first error. */
export function parseJSON(text: string): ParseResult {
  const deepOffset = findTooDeepOffset(text, maxTextNesting);
  if (deepOffset !== undefined)
    return { error: `nested more than ${maxTextNesting} levels deep: give Kubernetes objects`, offset: deepOffset };
  try {
    return { value: JSON.parse(text) };
  } catch {
    const { offset, expected } = findJSONError(text);
    return { error: `not JSON: ${describeJSONError(text, offset, expected)}`, offset };
  }
}

function describeJSONError(text: string, offset: number, expected: ExpectedToken): string {
  if (offset >= text.length) return `the text ends here; give ${expected}`;
  if (text[offset] !== '"' || !acceptedTokens[expected].includes('"')) return `unexpected text; give ${expected}`;
  return 'this string does not end on its line, or contains a character that must be escaped; add the closing quote, or escapes';
}

/** The tokens that may come next, as the error message words them. */
type ExpectedToken = keyof typeof acceptedTokens;

/** The first characters of the tokens that may come next; "0" stands for a number, true, false or null. */
const acceptedTokens = {
  'a value': '{["0',
  'a value or "]"': '{["0]',
  'a key in double quotes': '"',
  'a key in double quotes or "}"': '"}',
  '":"': ':',
  '"," or "}"': ',}',
  '"," or "]"': ',]',
  'nothing more': '',
} as const;

/** Finds the first position at which a text is not valid JSON, and the token expected there. Scans the tokens once. */
export function findJSONError(text: string): { readonly offset: number; readonly expected: ExpectedToken } {
  const openBrackets: string[] = [];
  let expected: ExpectedToken = 'a value';
  let offset = 0;
  for (;;) {
    offset = skipSpace(text, offset);
    const end = findTokenEnd(text, offset);
    const kind = classifyToken(text[offset] ?? '');
    if (kind === '' || end === undefined || !acceptedTokens[expected].includes(kind)) return { offset, expected };
    if (kind === '{' || kind === '[') openBrackets.push(kind);
    if (kind === '}' || kind === ']') openBrackets.pop();
    expected = nextExpectedToken(kind, expected, openBrackets.at(-1));
    offset = end;
  }
}

function nextExpectedToken(kind: string, expected: ExpectedToken, openBracket: string | undefined): ExpectedToken {
  if (kind === '{') return 'a key in double quotes or "}"';
  if (kind === '[') return 'a value or "]"';
  if (kind === ':') return 'a value';
  if (kind === ',') return openBracket === '{' ? 'a key in double quotes' : 'a value';
  if (expected.startsWith('a key') && kind === '"') return '":"';
  if (openBracket === undefined) return 'nothing more';
  return openBracket === '{' ? '"," or "}"' : '"," or "]"';
}

const classifyToken = (unit: string): string => ('{}[]:,"'.includes(unit) ? unit : '0');

function skipSpace(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && ' \t\r\n'.includes(text[offset] as string)) offset++;
  return offset;
}

/** Returns the end of the token that starts at `from`; undefined if no valid token starts there. */
function findTokenEnd(text: string, from: number): number | undefined {
  const first = text[from];
  if (first === undefined) return undefined;
  if ('{}[]:,'.includes(first)) return from + 1;
  if (first === '"') return findStringEnd(text, from + 1);
  const match = scalarPattern.exec(text.slice(from, from + maxScalarLength));
  return match ? from + match[0].length : undefined;
}

const scalarPattern = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/;
const maxScalarLength = 400;

function findStringEnd(text: string, from: number): number | undefined {
  for (let offset = from; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset);
    if (unit === quote) return offset + 1;
    if (unit < space) return undefined;
    if (unit !== backslash) continue;
    const match = escapeSequence.exec(text.slice(offset, offset + maxEscapeLength));
    if (!match) return undefined;
    offset += match[0].length - 1;
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const escapeSequence = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
const maxEscapeLength = 6;
