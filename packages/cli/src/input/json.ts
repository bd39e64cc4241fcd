import { findDeepJSON, maxTextNesting } from './nesting.ts';
import type { Parsed } from './parsed.ts';

/** Reads JSON; where it is none, says where it stops being JSON. */
export function parseJSON(text: string): Parsed {
  const deep = findDeepJSON(text, maxTextNesting);
  if (deep !== undefined) return { error: `nested more than ${maxTextNesting} levels deep: give Kubernetes objects`, offset: deep };
  try {
    return { value: JSON.parse(text) };
  } catch {
    const { offset, expected } = findJSONError(text);
    return { error: `not JSON: ${describe(text, offset, expected)}`, offset };
  }
}

function describe(text: string, offset: number, expected: Expected): string {
  if (offset >= text.length) return `the text ends here; give ${expected}`;
  if (text[offset] !== '"' || !accepted[expected].includes('"')) return `something else stands here; give ${expected}`;
  return 'a string begins here that does not end in its line, or holds what must be escaped; give its closing quote, or escapes';
}

/** What may come next, by the words that ask for it. */
type Expected = keyof typeof accepted;

const accepted = {
  'a value': '{["0',
  'a value or "]"': '{["0]',
  'a key in double quotes': '"',
  'a key in double quotes or "}"': '"}',
  '":"': ':',
  '"," or "}"': ',}',
  '"," or "]"': ',]',
  'nothing more': '',
} as const;

/** Where a text that is not JSON stops being JSON, and what would be right there. One walk over its tokens. */
export function findJSONError(text: string): { readonly offset: number; readonly expected: Expected } {
  const open: string[] = [];
  let expected: Expected = 'a value';
  let offset = 0;
  for (;;) {
    offset = skipSpace(text, offset);
    const end = tokenEnd(text, offset);
    const kind = tokenKind(text[offset] ?? '');
    if (kind === '' || end === undefined || !accepted[expected].includes(kind)) return { offset, expected };
    if (kind === '{' || kind === '[') open.push(kind);
    if (kind === '}' || kind === ']') open.pop();
    expected = next(kind, expected, open.at(-1));
    offset = end;
  }
}

function next(kind: string, expected: Expected, inside: string | undefined): Expected {
  if (kind === '{') return 'a key in double quotes or "}"';
  if (kind === '[') return 'a value or "]"';
  if (kind === ':') return 'a value';
  if (kind === ',') return inside === '{' ? 'a key in double quotes' : 'a value';
  if (expected.startsWith('a key') && kind === '"') return '":"';
  if (inside === undefined) return 'nothing more';
  return inside === '{' ? '"," or "}"' : '"," or "]"';
}

const tokenKind = (unit: string): string => ('{}[]:,"'.includes(unit) ? unit : '0');

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] as string)) at++;
  return at;
}

/** The end of the token that starts here, or undefined where none does. */
function tokenEnd(text: string, from: number): number | undefined {
  const first = text[from];
  if (first === undefined) return undefined;
  if ('{}[]:,'.includes(first)) return from + 1;
  if (first === '"') return stringEnd(text, from + 1);
  const match = scalar.exec(text.slice(from, from + longestScalar));
  return match ? from + match[0].length : undefined;
}

const scalar = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/;
const longestScalar = 400;

function stringEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at + 1;
    if (unit < space) return undefined;
    if (unit !== backslash) continue;
    const match = escapeSequence.exec(text.slice(at, at + longestEscape));
    if (!match) return undefined;
    at += match[0].length - 1;
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const escapeSequence = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
const longestEscape = 6;
