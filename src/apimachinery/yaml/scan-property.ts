import { type Cursor, codeAt, createScanError, isBlankOrEnd, isBreakOrEnd, readBreak, skipBlanks, skipComment } from './cursor.ts';

/** Reads the characters that a sticky pattern matches. */
function scanMatch(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.offset;
  const [match = ''] = pattern.exec(cursor.text) ?? [];
  cursor.offset += match.length;
  return match;
}

const word = /[-\w]*/y;

/** Reads the name of an anchor or alias after its first character. */
export function scanAnchor(cursor: Cursor): string {
  cursor.offset += 1;
  const name = scanMatch(cursor, word);
  const code = codeAt(cursor);
  if (name === '' || !(isBlankOrEnd(code) || '?:,]}%@`'.includes(String.fromCharCode(code))))
    throw createScanError(cursor, 'did not find expected alphabetic or numeric character');
  return name;
}

export interface Tag {
  /** Empty for a verbatim tag. */
  readonly handle: string;
  /** The suffix, or the whole tag. */
  readonly value: string;
}

export function scanTag(cursor: Cursor): Tag {
  const tag = codeAt(cursor, 1) === 0x3c ? scanVerbatimTag(cursor) : scanShorthandTag(cursor);
  if (!isBlankOrEnd(codeAt(cursor))) throw createScanError(cursor, 'did not find expected whitespace or line break');
  return tag;
}

function scanVerbatimTag(cursor: Cursor): Tag {
  cursor.offset += 2;
  const value = scanUri(cursor, false);
  if (codeAt(cursor) !== 0x3e) throw createScanError(cursor, "did not find the expected '>'");
  cursor.offset += 1;
  return { handle: '', value };
}

function scanShorthandTag(cursor: Cursor): Tag {
  const handle = scanHandle(cursor);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, value: scanUri(cursor, false) };
  const suffix = handle.slice(1) + scanUri(cursor, true);
  return suffix === '' ? { handle: '', value: '!' } : { handle: '!', value: suffix };
}

/** Reads "!", "!!" or "!name!", or the first of these and what may be the beginning of a suffix. */
function scanHandle(cursor: Cursor): string {
  if (codeAt(cursor) !== exclamation) throw createScanError(cursor, "did not find expected '!'");
  cursor.offset += 1;
  const name = scanMatch(cursor, word);
  if (codeAt(cursor) !== exclamation) return `!${name}`;
  cursor.offset += 1;
  return `!${name}!`;
}

const exclamation = 0x21;

function scanUri(cursor: Cursor, mayBeEmpty: boolean): string {
  const start = cursor.offset;
  let uri = '';
  for (;;) {
    uri += scanMatch(cursor, /[-\w;/?:@&=+$,.!~*'()[\]]*/y);
    if (codeAt(cursor) !== 0x25) break;
    const escapes = scanMatch(cursor, /(?:%[\da-fA-F]{2})*/y);
    if (escapes === '') throw createScanError(cursor, 'did not find URI escaped octet');
    uri += decodeOctets(cursor, escapes);
  }
  if (cursor.offset === start && !mayBeEmpty) throw createScanError(cursor, 'did not find expected tag URI');
  return uri;
}

function decodeOctets(cursor: Cursor, escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    throw createScanError(cursor, 'found an incorrect leading UTF-8 octet');
  }
}

export type Directive =
  | { readonly name: 'YAML'; readonly version: string }
  | { readonly name: 'TAG'; readonly handle: string; readonly prefix: string };

export function scanDirective(cursor: Cursor): Directive {
  cursor.offset += 1;
  const name = scanMatch(cursor, word);
  if (name === '') throw createScanError(cursor, 'could not find expected directive name');
  if (!isBlankOrEnd(codeAt(cursor))) throw createScanError(cursor, 'found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw createScanError(cursor, 'found unknown directive name');
  skipBlanks(cursor);
  const directive = name === 'YAML' ? scanVersion(cursor) : scanTagDirective(cursor);
  skipBlanks(cursor);
  skipComment(cursor);
  if (!isBreakOrEnd(codeAt(cursor))) throw createScanError(cursor, 'did not find expected comment or line break');
  if (codeAt(cursor) !== 0) readBreak(cursor);
  return directive;
}

function scanVersion(cursor: Cursor): Directive {
  const version = scanMatch(cursor, /\d{0,2}\.?\d{0,2}/y);
  if (!/^\d+\.\d+$/.test(version)) throw createScanError(cursor, 'did not find expected version number');
  return { name: 'YAML', version };
}

function scanTagDirective(cursor: Cursor): Directive {
  const handle = scanHandle(cursor);
  if (handle !== '!' && !handle.endsWith('!')) throw createScanError(cursor, "did not find expected '!'");
  if (skipBlanks(cursor) === 0) throw createScanError(cursor, 'did not find expected whitespace');
  const prefix = scanUri(cursor, false);
  if (!isBlankOrEnd(codeAt(cursor))) throw createScanError(cursor, 'did not find expected whitespace or line break');
  return { name: 'TAG', handle, prefix };
}
