import { PatternProblem } from './node.ts';

/** A part of a class: its source for a JavaScript regular expression over one character, and what follows it. */
export interface ClassPart {
  readonly source: string;
  readonly rest: string;
}

/**
 * A test for one character. A regular expression that looks at nothing but one character takes the same time for all. The last answer
 * is kept: a part that is repeated asks about one character many times.
 */
export function charTest(source: string, fold: boolean): (codePoint: number) => boolean {
  const expression = new RegExp(`^${source}$`, fold ? 'iv' : 'v');
  let asked = -1;
  let answer = false;
  return (codePoint) => {
    if (codePoint === asked) return answer;
    answer = expression.test(String.fromCodePoint(codePoint));
    asked = codePoint;
    return answer;
  };
}

/** A single character as a class says it. */
export const literalSource = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;

/** A character that is escaped. @throws PatternProblem */
export function parseEscape(text: string): { readonly codePoint: number; readonly rest: string } {
  if (text.length === 1) throw new PatternProblem('trailing backslash at end of expression', '');
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(text)?.[1];
  if (octal !== undefined) return { codePoint: Number.parseInt(octal, 8), rest: text.slice(1 + octal.length) };
  const hex = /^\\x(?:([0-9a-fA-F]{2})|\{0*([0-9a-fA-F]{1,6})\})/.exec(text);
  if (hex && Number.parseInt(hex[1] ?? hex[2] ?? '', 16) <= 0x10ffff) {
    return { codePoint: Number.parseInt(hex[1] ?? hex[2] ?? '', 16), rest: text.slice(hex[0].length) };
  }
  const char = String.fromCodePoint(text.codePointAt(1) as number);
  const rest = text.slice(1 + char.length);
  const named = Object.hasOwn(namedEscapes, char) ? namedEscapes[char] : undefined;
  if (named !== undefined) return { codePoint: named, rest };
  if (/^[!-/:-@[-`{-~\s\0]$/.test(char)) return { codePoint: char.codePointAt(0) as number, rest };
  throw new PatternProblem('invalid escape sequence', char === 'x' ? hexUpToFault(text) : `\\${char}`);
}

/** Up to the digit that makes it too large, or the character that is none. */
function hexUpToFault(text: string): string {
  if (!text.startsWith('\\x{')) return /^\\x.{0,2}/su.exec(text)?.[0] ?? text;
  let value = 0;
  for (let i = 3; i < text.length; i += 1) {
    const char = String.fromCodePoint(text.codePointAt(i) as number);
    value = value * 16 + Number.parseInt(char, 16);
    if (!(value <= 0x10ffff)) return text.slice(0, i + char.length);
  }
  return text;
}

const namedEscapes: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** \d, \pL and the like; undefined where there is none. @throws PatternProblem */
export function parseNamedClass(text: string): ClassPart | undefined {
  const perl = /^\\([dDsSwW])/.exec(text)?.[1];
  if (perl !== undefined) {
    const lower = perl.toLowerCase();
    return { source: sourceOf(perlClasses[lower] as string, perl !== lower), rest: text.slice(2) };
  }
  const start = /^\\([pP])(?:\{([^}]*)\}|\{|(.))?/su.exec(text);
  if (!start) return undefined;
  const [whole, letter, braced, single] = start;
  if (braced === undefined && single === undefined) throw new PatternProblem('invalid character class range', text);
  const name = braced ?? single ?? '';
  const negated = (letter === 'P') !== name.startsWith('^');
  const source = unicodeSource(name.replace(/^\^/, ''));
  if (source === undefined) throw new PatternProblem('invalid character class range', whole);
  return { source: sourceOf(source, negated), rest: text.slice(whole.length) };
}

/** A class inside of a class. Where case does not matter, what is not in it is what no case of it is in. */
const sourceOf = (positive: string, negated: boolean): string => (negated ? `[^${positive}]` : positive);

/** Go's classes of Perl are of ASCII alone. */
const perlClasses: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: '0-9A-Za-z_' };

/** A general category or a script. */
function unicodeSource(name: string): string | undefined {
  if (name === 'Any') return '\\u{0}-\\u{10ffff}';
  if (!/^[A-Za-z_]+$/.test(name)) return undefined;
  return [`\\p{gc=${name}}`, `\\p{sc=${name}}`].find(isSource);
}

/** JavaScript knows by one of these names what Go knows. */
function isSource(source: string): boolean {
  try {
    new RegExp(source, 'v');
    return true;
  } catch {
    return false;
  }
}

/** [:alpha:] inside of a class; undefined where there is none. @throws PatternProblem */
export function parsePosixClass(text: string): ClassPart | undefined {
  const match = /^\[:(\^?)(.*?):\]/s.exec(text);
  if (!match) return undefined;
  const [whole, negated, name = ''] = match;
  const own = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
  if (own === undefined) throw new PatternProblem('invalid character class range', whole);
  return { source: sourceOf(own, negated !== ''), rest: text.slice(whole.length) };
}

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\0-\\u{7f}',
  blank: '\\t ',
  cntrl: '\\0-\\u{1f}\\u{7f}',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A class in brackets. @throws PatternProblem */
export function parseClass(text: string): ClassPart {
  const negated = text.startsWith('[^');
  let rest = text.slice(negated ? 2 : 1);
  let source = '';
  for (let first = true; first || !rest.startsWith(']'); first = false) {
    const part = parsePosixClass(rest) ?? parseNamedClass(rest) ?? parseRange(rest, text);
    source += part.source;
    rest = part.rest;
  }
  return { source: `[${negated ? '^' : ''}${source}]`, rest: rest.slice(1) };
}

function parseRange(text: string, whole: string): ClassPart {
  const low = parseClassChar(text, whole);
  if (!/^-[^\]]/su.test(low.rest)) {
    // A hyphen that ends the text is followed by the end of the class, which is missing.
    return { source: literalSource(low.codePoint), rest: low.rest };
  }
  const high = parseClassChar(low.rest.slice(1), whole);
  if (high.codePoint < low.codePoint) {
    throw new PatternProblem('invalid character class range', text.slice(0, text.length - high.rest.length));
  }
  return { source: `${literalSource(low.codePoint)}-${literalSource(high.codePoint)}`, rest: high.rest };
}

function parseClassChar(text: string, whole: string): { readonly codePoint: number; readonly rest: string } {
  if (text === '') throw new PatternProblem('missing closing ]', whole);
  if (text.startsWith('\\')) return parseEscape(text);
  const codePoint = text.codePointAt(0) as number;
  return { codePoint, rest: text.slice(codePoint > 0xffff ? 2 : 1) };
}
