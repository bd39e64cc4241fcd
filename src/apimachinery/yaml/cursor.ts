/** A position in a text. The text ends with a NUL, which it contains nowhere else. */
export interface Cursor {
  readonly text: string;
  offset: number;
  /** The offset of the first character of the current line. */
  lineStart: number;
  /** How much work the current token may still take. */
  budget: number;
}

/** Escapes of a token; a line counts twice. A token that long takes about 50 ms, and it can be written as JSON, which is faster. */
const maxTokenWork = 500_000;

/** Begins a token. */
export function resetBudget(cursor: Cursor): void {
  cursor.budget = maxTokenWork;
}

/** @throws YamlError if the token takes too much work */
export function spend(cursor: Cursor, work: number): void {
  cursor.budget -= work;
  if (cursor.budget < 0)
    throw createScanError(cursor, `found more than ${maxTokenWork / 2} lines, or ${maxTokenWork} escapes, in one value`);
}

/** Why a text cannot be read. */
export class YamlError extends Error {
  readonly code: 'syntax' | 'depth' | 'anchor' | 'alias' | 'key' | 'scalar' | 'json';
  /** The offset of the error; undefined if it concerns several places. */
  readonly offset: number | undefined;
  /** The line that Go's parser names, which can differ from that of the offset by one; undefined if it names none. */
  readonly upstreamLine: number | undefined;

  constructor(code: YamlError['code'], message: string, offset?: number, upstreamLine?: number) {
    super(message);
    this.name = 'YamlError';
    this.code = code;
    this.offset = offset;
    this.upstreamLine = upstreamLine;
  }
}

/** Begins after a byte order mark. @throws YamlError if the text has a character that YAML forbids */
export function createCursor(text: string): Cursor {
  const forbiddenOffset = text.search(forbiddenCharacter);
  if (forbiddenOffset >= 0) throw new YamlError('syntax', 'control characters are not allowed', forbiddenOffset);
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return { text: `${text}\0`, offset: start, lineStart: start, budget: maxTokenWork };
}

const forbiddenCharacter = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

export const isAtEnd = ({ text, offset }: Cursor): boolean => offset >= text.length - 1;

/** The code of a character; 0 at the end. */
export const codeAt = ({ text, offset }: Cursor, distance = 0): number => text.charCodeAt(offset + distance) || 0;

export const columnOf = ({ offset, lineStart }: Cursor): number => offset - lineStart;

export const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

export const isBreak = (code: number): boolean => code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;

export const isBreakOrEnd = (code: number): boolean => code === 0 || isBreak(code);

export const isBlankOrEnd = (code: number): boolean => isBlank(code) || isBreakOrEnd(code);

/** Skips a line break and returns it as YAML 1.1 normalizes it. */
export function readBreak(cursor: Cursor): string {
  spend(cursor, 2);
  const code = codeAt(cursor);
  cursor.offset += code === 0x0d && codeAt(cursor, 1) === 0x0a ? 2 : 1;
  cursor.lineStart = cursor.offset;
  return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
}

/** Returns the number of skipped characters. */
export function skipBlanks(cursor: Cursor): number {
  const start = cursor.offset;
  while (isBlank(codeAt(cursor))) cursor.offset += 1;
  return cursor.offset - start;
}

/** Skips a comment, if there is one, up to the end of the line. */
export function skipComment(cursor: Cursor): void {
  if (codeAt(cursor) !== 0x23) return;
  while (!isBreakOrEnd(codeAt(cursor))) cursor.offset += 1;
}

/** Whether a marker of three equal characters, such as "---", is at the beginning of the current line. */
export function isAtMarker(cursor: Cursor): boolean {
  if (cursor.offset !== cursor.lineStart) return false;
  const code = codeAt(cursor);
  const isMarker = (code === 0x2d || code === 0x2e) && codeAt(cursor, 1) === code && codeAt(cursor, 2) === code;
  return isMarker && isBlankOrEnd(codeAt(cursor, 3));
}

/** Creates the error of a token, at the cursor. Go's parser names no line if it is the first. */
export function createScanError(cursor: Cursor, message: string): YamlError {
  const line = countBreaks(cursor.text, cursor.offset);
  return createSyntaxError(cursor, message, cursor.offset, line > 0 ? line + 1 : undefined);
}

/** Creates an error at a token. Go's parser names the line before it, or that of the collection around it. */
export function createParseError(cursor: Cursor, message: string, offset: number, contextOffset?: number): YamlError {
  const line = countBreaks(cursor.text, offset) || (contextOffset === undefined ? 0 : countBreaks(cursor.text, contextOffset));
  return createSyntaxError(cursor, message, offset, line > 0 ? line : undefined);
}

function createSyntaxError(cursor: Cursor, message: string, offset: number, upstreamLine: number | undefined): YamlError {
  return new YamlError('syntax', message, Math.min(offset, cursor.text.length - 1), upstreamLine);
}

/** The number of lines before an offset. The offset after the NUL counts as a new line. */
const countBreaks = (text: string, offset: number): number =>
  (text.slice(0, offset).match(/\r\n|[\n\r\u0085\u2028\u2029]/g)?.length ?? 0) + (offset >= text.length ? 1 : 0);
