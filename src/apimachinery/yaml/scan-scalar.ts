import {
  type Cursor,
  codeAt,
  columnOf,
  createScanError,
  isAtEnd,
  isAtMarker,
  isBlank,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  readBreak,
  skipBlanks,
  skipComment,
  spend,
} from './cursor.ts';

export interface PlainScalar {
  readonly value: string;
  /** Whether a line break follows the scalar. */
  readonly isLastInLine: boolean;
}

/** Reads a plain scalar whose collection has this indentation. */
export function scanPlain(cursor: Cursor, indent: number, isFlow: boolean): PlainScalar {
  let value = '';
  let gap: Gap | undefined;
  while (!isAtMarker(cursor) && codeAt(cursor) !== hash) {
    const start = cursor.offset;
    const end = scanPlainLine(cursor, isFlow);
    if (end > start) {
      value += (gap ? foldGap(gap) : '') + cursor.text.slice(start, end);
      gap = undefined;
    }
    if (!isBreak(codeAt(cursor))) break;
    gap = scanGap(cursor, indent + 1);
    if (!isFlow && columnOf(cursor) <= indent) break;
  }
  return { value, isLastInLine: gap !== undefined };
}

const tab = 0x09;
const hash = 0x23;
const colon = 0x3a;

/** Skips the rest of a plain scalar in the current line and the blanks after it. Returns the offset before these blanks. */
function scanPlainLine(cursor: Cursor, isFlow: boolean): number {
  let end = cursor.offset;
  for (;;) {
    const code = codeAt(cursor);
    const isComment = code === hash && cursor.offset > end;
    if (isComment || isBreakOrEnd(code) || (code === colon && isBlankOrEnd(codeAt(cursor, 1)))) return end;
    if (isFlow && flowIndicators.includes(code)) return end;
    cursor.offset += 1;
    if (!isBlank(code)) end = cursor.offset;
  }
}

/** The codes of "," "?" "[" "]" "{" and "}". */
const flowIndicators: readonly number[] = [0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d];

/** Blanks and line breaks between the words of a scalar. */
interface Gap {
  /** Blanks on the first line. */
  readonly blanks: string;
  /** Empty if there is no line break. */
  readonly firstBreak: string;
  /** The other line breaks. */
  readonly breaks: string;
}

/** Skips blanks and line breaks. A tab left of the column `minColumn` is an error. */
function scanGap(cursor: Cursor, minColumn: number): Gap {
  const start = cursor.offset;
  skipBlanks(cursor);
  const blanks = cursor.text.slice(start, cursor.offset);
  if (!isBreak(codeAt(cursor))) return { blanks, firstBreak: '', breaks: '' };
  const firstBreak = readBreak(cursor);
  return { blanks, firstBreak, breaks: scanBreaks(cursor, minColumn) };
}

/** Skips blanks and line breaks from the beginning of a line, and returns the line breaks. */
function scanBreaks(cursor: Cursor, minColumn: number): string {
  let breaks = '';
  for (;;) {
    const code = codeAt(cursor);
    if (isBreak(code)) breaks += readBreak(cursor);
    else if (!isBlank(code)) return breaks;
    else if (code === tab && columnOf(cursor) < minColumn) throw createScanError(cursor, 'found a tab character that violates indentation');
    else cursor.offset += 1;
  }
}

/** A single line break becomes a space; of several, the first is dropped. */
function foldGap({ blanks, firstBreak, breaks }: Gap): string {
  if (firstBreak === '') return blanks;
  if (firstBreak !== '\n') return firstBreak + breaks;
  return breaks === '' ? ' ' : breaks;
}

/** Reads a scalar in quotes, which begins at the cursor. */
export function scanQuoted(cursor: Cursor): string {
  const quote = codeAt(cursor);
  let value = '';
  cursor.offset += 1;
  for (;;) {
    if (isAtMarker(cursor)) throw createScanError(cursor, 'found unexpected document indicator');
    if (isAtEnd(cursor)) throw createScanError(cursor, 'found unexpected end of stream');
    value += scanQuotedWord(cursor, quote);
    const code = codeAt(cursor);
    if (code === quote) break;
    if (code !== backslash) value += foldGap(scanGap(cursor, 0));
    else {
      // An escaped line break joins the lines.
      cursor.offset += 1;
      readBreak(cursor);
      value += scanBreaks(cursor, 0);
    }
  }
  cursor.offset += 1;
  return value;
}

const backslash = 0x5c;
const doubleQuote = 0x22;

/** Reads up to a blank, a line break, also an escaped one, or the closing quote. */
function scanQuotedWord(cursor: Cursor, quote: number): string {
  let value = '';
  let start = cursor.offset;
  for (let code = codeAt(cursor); !isBlankOrEnd(code); code = codeAt(cursor)) {
    const next = codeAt(cursor, 1);
    const isDoubledQuote = quote !== doubleQuote && code === quote && next === quote;
    if (code === quote && !isDoubledQuote) break;
    const isEscape = quote === doubleQuote && code === backslash;
    if (isEscape && isBreak(next)) break;
    if (!isEscape && !isDoubledQuote) {
      cursor.offset += 1;
      continue;
    }
    spend(cursor, 1);
    value += cursor.text.slice(start, cursor.offset) + (isEscape ? scanEscape(cursor) : "'");
    if (isDoubledQuote) cursor.offset += 2;
    start = cursor.offset;
  }
  return value + cursor.text.slice(start, cursor.offset);
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '0': '\0', a: '\x07', b: '\b', t: '\t', '\t': '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b', ' ': ' ' },
  ...{ '"': '"', "'": "'", '\\': '\\', N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029' },
};

/** The number of hexadecimal digits after these letters. */
const escapeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function scanEscape(cursor: Cursor): string {
  const { text, offset } = cursor;
  const letter = text.charAt(offset + 1);
  const character = escapes[letter];
  const length = escapeLengths[letter] ?? 0;
  if (character === undefined && length === 0) throw createScanError(cursor, 'found unknown escape character');
  cursor.offset += 2;
  if (character !== undefined) return character;
  const digits = text.slice(cursor.offset, cursor.offset + length);
  const code = /^[\da-fA-F]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (digits.length < length || Number.isNaN(code)) throw createScanError(cursor, 'did not find expected hexdecimal number');
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) throw createScanError(cursor, 'found invalid Unicode character escape code');
  cursor.offset += length;
  return String.fromCodePoint(code);
}

/** Reads a block scalar, which begins at the cursor, in a collection of this indentation. */
export function scanBlock(cursor: Cursor, parentIndent: number): string {
  const isFolded = cursor.text.charAt(cursor.offset) === '>';
  const { chomping, increment } = scanBlockHeader(cursor);
  const givenIndent = increment > 0 ? Math.max(parentIndent, 0) + increment : 0;
  let { indent, breaks } = scanBlockBreaks(cursor, givenIndent, parentIndent);
  let value = '';
  let lastBreak = '';
  let wasIndented = false;
  while (columnOf(cursor) === indent && !isAtEnd(cursor)) {
    const isIndented = isBlank(codeAt(cursor));
    const isFoldable = isFolded && !wasIndented && !isIndented && lastBreak === '\n';
    value += isFoldable ? (breaks === '' ? ' ' : breaks) : lastBreak + breaks;
    const start = cursor.offset;
    while (!isBreakOrEnd(codeAt(cursor))) cursor.offset += 1;
    value += cursor.text.slice(start, cursor.offset);
    lastBreak = isAtEnd(cursor) ? '' : readBreak(cursor);
    wasIndented = isIndented;
    ({ indent, breaks } = scanBlockBreaks(cursor, indent, parentIndent));
  }
  return value + (chomping === '-' ? '' : lastBreak) + (chomping === '+' ? breaks : '');
}

interface BlockHeader {
  /** "+", "-" or empty. */
  readonly chomping: string;
  /** The indentation relative to the parent; 0 if it is that of the first line. */
  readonly increment: number;
}

function scanBlockHeader(cursor: Cursor): BlockHeader {
  const header = /^.(?:([-+])(\d?)|(\d)([-+]?)|)/.exec(cursor.text.slice(cursor.offset, cursor.offset + 3));
  const [{ length } = '', sign, digit, firstDigit, lastSign] = header ?? [];
  const increment = digit || firstDigit;
  cursor.offset += length;
  if (increment === '0') throw createScanError(cursor, 'found an indentation indicator equal to 0');
  skipBlanks(cursor);
  skipComment(cursor);
  if (!isBreakOrEnd(codeAt(cursor))) throw createScanError(cursor, 'did not find expected comment or line break');
  if (!isAtEnd(cursor)) readBreak(cursor);
  return { chomping: sign ?? lastSign ?? '', increment: Number(increment ?? 0) };
}

/** Skips empty lines and the indentation of the next line. An indentation of 0 becomes that of the longest of these lines. */
function scanBlockBreaks(cursor: Cursor, givenIndent: number, parentIndent: number): { readonly indent: number; readonly breaks: string } {
  let breaks = '';
  let maxColumn = 0;
  for (;;) {
    while (codeAt(cursor) === 0x20 && (givenIndent === 0 || columnOf(cursor) < givenIndent)) cursor.offset += 1;
    maxColumn = Math.max(maxColumn, columnOf(cursor));
    if (codeAt(cursor) === tab && (givenIndent === 0 || columnOf(cursor) < givenIndent))
      throw createScanError(cursor, 'found a tab character where an indentation space is expected');
    if (!isBreak(codeAt(cursor))) break;
    breaks += readBreak(cursor);
  }
  return { indent: givenIndent || Math.max(maxColumn, parentIndent + 1, 1), breaks };
}
