/** Thrown if a text is not JSON, or has a form that needs the complete parser. */
export class ScanError extends Error {}

/** Called for a member of an object, with the offsets of its key without the quotes, and of its value. Returns the end of the value. */
export type MemberVisitor = (keyStart: number, keyEnd: number, valueStart: number) => number;

/**
 * Visits the members of an object that starts at `start`. Returns the offset after the object.
 * @throws ScanError if this is not an object, or if a key contains a backslash
 */
export function scanObject(bytes: Uint8Array, start: number, visit: MemberVisitor): number {
  expectByte(bytes, start, openBrace);
  let offset = skipSpace(bytes, start + 1);
  if (bytes[offset] === closeBrace) return offset + 1;
  for (;;) {
    const keyEnd = skipString(bytes, offset);
    const colon = skipSpace(bytes, keyEnd);
    expectByte(bytes, colon, colonByte);
    if (containsBackslash(bytes, offset, keyEnd)) throw new ScanError();
    const end = skipSpace(bytes, visit(offset + 1, keyEnd - 1, skipSpace(bytes, colon + 1)));
    if (bytes[end] === closeBrace) return end + 1;
    expectByte(bytes, end, comma);
    offset = skipSpace(bytes, end + 1);
  }
}

/** Visits the elements of a list that starts at `start`, with their offsets. Returns the offset after the list. @throws ScanError */
export function scanList(bytes: Uint8Array, start: number, visit: (valueStart: number) => number): number {
  expectByte(bytes, start, openBracket);
  let offset = skipSpace(bytes, start + 1);
  if (bytes[offset] === closeBracket) return offset + 1;
  for (;;) {
    const end = skipSpace(bytes, visit(offset));
    if (bytes[end] === closeBracket) return end + 1;
    expectByte(bytes, end, comma);
    offset = skipSpace(bytes, end + 1);
  }
}

/**
 * Returns the offset after the value that starts at `start`. Checks only strings, the balance of brackets and the nesting, because a value
 * that is needed is parsed afterwards. @throws ScanError
 */
export function skipValue(bytes: Uint8Array, start: number, maxNesting: number): number {
  const first = bytes[start];
  if (first === quote) return skipString(bytes, start);
  if (first !== openBrace && first !== openBracket) return skipScalar(bytes, start);
  const length = bytes.length;
  let depth = 0;
  let offset = start;
  while (offset < length) {
    const byte = bytes[offset] as number;
    if (byte === quote) {
      offset = skipString(bytes, offset);
      continue;
    }
    offset++;
    // A dump of kubectl is indented, so that most bytes are spaces.
    if (byte === space) while (bytes[offset] === space) offset++;
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > maxNesting) throw new ScanError();
    } else if (byte === closeBrace || byte === closeBracket) {
      if (--depth === 0) return offset;
    } else if (byte < space && !isSpace(byte)) throw new ScanError();
  }
  throw new ScanError();
}

/** Returns the offset after the string that starts at `start`. @throws ScanError if it does not end, or contains a control character */
function skipString(bytes: Uint8Array, start: number): number {
  expectByte(bytes, start, quote);
  const length = bytes.length;
  for (let offset = start + 1; offset < length; offset++) {
    const byte = bytes[offset] as number;
    if (byte === quote) return offset + 1;
    if (byte === backslash) offset += bytes[offset + 1] === quote || bytes[offset + 1] === backslash ? 1 : 0;
    else if (byte < space || byte === del) throw new ScanError();
  }
  throw new ScanError();
}

function skipScalar(bytes: Uint8Array, start: number): number {
  let offset = start;
  while (offset < bytes.length && isScalarByte(bytes[offset] as number)) offset++;
  if (offset === start) throw new ScanError();
  return offset;
}

/** Returns the offset of the first byte that is not white space. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let offset = start;
  while (offset < bytes.length && isSpace(bytes[offset] as number)) offset++;
  return offset;
}

/** Whether the bytes from `start` to `end` are these ASCII characters. */
export function equalsText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Decodes the bytes from `start` to `end`. */
export const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();

/** Creates a function that returns the 1-based line of an offset. Offsets in ascending order cost one pass over the bytes in total. */
export function createLineCounter(bytes: Uint8Array): (offset: number) => number {
  let counted = { offset: 0, line: 1 };
  return (offset) => {
    const from = offset < counted.offset ? { offset: 0, line: 1 } : counted;
    const part = bytes.subarray(from.offset, offset);
    let { line } = from;
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, end + 1)) line++;
    counted = { offset, line };
    return line;
  };
}

/** Returns the offset of a field in the valid value that starts at `start`; of its nearest ancestor if the field is missing. */
export function findOffset(bytes: Uint8Array, start: number, [step, ...rest]: readonly (string | number)[]): number {
  let found: number | undefined;
  const skip = (valueStart: number): number => skipValue(bytes, valueStart, Number.POSITIVE_INFINITY);
  if (typeof step === 'string' && bytes[start] === openBrace)
    scanObject(bytes, start, (keyStart, keyEnd, valueStart) => {
      if (textOf(bytes, keyStart, keyEnd) === step) found = valueStart;
      return skip(valueStart);
    });
  let index = 0;
  if (typeof step === 'number' && bytes[start] === openBracket)
    scanList(bytes, start, (valueStart) => {
      if (index++ === step) found = valueStart;
      return skip(valueStart);
    });
  return found === undefined ? start : findOffset(bytes, found, rest);
}

export function containsBackslash(bytes: Uint8Array, start: number, end: number): boolean {
  for (let offset = start; offset < end; offset++) if (bytes[offset] === backslash) return true;
  return false;
}

/** @throws ScanError if another byte is at the offset */
function expectByte(bytes: Uint8Array, offset: number, expected: number): void {
  if (bytes[offset] !== expected) throw new ScanError();
}

const isSpace = (byte: number): boolean => byte === space || byte === newline || byte === carriageReturn || byte === tab;

/** True for the characters of numbers and of true, false and null: all others end a scalar. */
const isScalarByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45;

const tab = 0x09;
export const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
export const quote = 0x22;
const comma = 0x2c;
const colonByte = 0x3a;
export const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
export const openBrace = 0x7b;
const closeBrace = 0x7d;
const del = 0x7f;
