import { escapeText } from 'kube-endpoints/internal/apimachinery';

/**
 * The error of Go's JSON scanner; undefined if the text is valid JSON. Duplicate keys, which JSON.parse does not report either, are valid.
 * Mirrors encoding/json's scanner.
 */
export function jsonSyntaxProblem(text: string): string | undefined {
  const scan: ScanState = { text, offset: 0 };
  try {
    skipSpace(scan);
    scanValue(scan);
    skipSpace(scan);
    if (scan.offset < text.length) fail(scan, 'after top-level value');
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}

interface ScanState {
  readonly text: string;
  offset: number;
}

class SyntaxProblem extends Error {}

function fail({ text, offset }: ScanState, context: string): never {
  const char = text.codePointAt(offset);
  if (char === undefined) throw new SyntaxProblem('unexpected end of JSON input');
  throw new SyntaxProblem(`invalid character ${quoteChar(String.fromCodePoint(char))} ${context}`);
}

function skipSpace(scan: ScanState): void {
  while (' \t\r\n'.includes(scan.text[scan.offset] ?? 'x')) scan.offset += 1;
}

/** Scans a value iteratively, so that deeply nested brackets do not overflow the stack. */
function scanValue(scan: ScanState): void {
  const closingStack: ('}' | ']')[] = [];
  for (;;) {
    const closing = scanValueStart(scan);
    if (closing === undefined) {
      if (!scanAfterValue(scan, closingStack)) return;
    } else if (!enterContainer(scan, closing, closingStack) && !scanAfterValue(scan, closingStack)) return;
  }
}

/** Scans a scalar and returns undefined, or scans an opening bracket and returns the matching closing bracket. */
function scanValueStart(scan: ScanState): '}' | ']' | undefined {
  const char = scan.text[scan.offset] ?? '';
  if (char === '{' || char === '[') {
    scan.offset += 1;
    skipSpace(scan);
    return char === '{' ? '}' : ']';
  }
  const literal = literals[char];
  if (char === '"') scanText(scan);
  else if (literal) scanLiteral(scan, literal);
  else if (/[-\d]/.test(char)) scanNumber(scan);
  else fail(scan, 'looking for beginning of value');
  return undefined;
}

const literals: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

/** Scans up to the first value of an object or array and returns true, or scans the closing bracket of an empty one and returns false. */
function enterContainer(scan: ScanState, closing: '}' | ']', closingStack: ('}' | ']')[]): boolean {
  if (scan.text[scan.offset] === closing) {
    scan.offset += 1;
    return false;
  }
  closingStack.push(closing);
  if (closing === '}') scanKey(scan);
  return true;
}

/** Scans what follows a value; true if another value follows. */
function scanAfterValue(scan: ScanState, closingStack: ('}' | ']')[]): boolean {
  for (;;) {
    const closing = closingStack.at(-1);
    if (closing === undefined) return false;
    skipSpace(scan);
    const char = scan.text[scan.offset];
    if (char === closing) {
      scan.offset += 1;
      closingStack.pop();
    } else if (char === ',') {
      scan.offset += 1;
      skipSpace(scan);
      if (closing === '}') scanKey(scan);
      return true;
    } else fail(scan, closing === '}' ? 'after object key:value pair' : 'after array element');
  }
}

function scanKey(scan: ScanState): void {
  if (scan.text[scan.offset] !== '"') fail(scan, 'looking for beginning of object key string');
  scanText(scan);
  skipSpace(scan);
  if (scan.text[scan.offset] !== ':') fail(scan, 'after object key');
  scan.offset += 1;
  skipSpace(scan);
}

function scanText(scan: ScanState): void {
  for (scan.offset += 1; scan.text[scan.offset] !== '"'; scan.offset += 1) {
    const char = scan.text[scan.offset] ?? '';
    if (char === '' || char < ' ') fail(scan, 'in string literal');
    if (char !== '\\') continue;
    scan.offset += 1;
    if (scan.text[scan.offset] === 'u') {
      for (let i = 0; i < 4; i += 1) {
        scan.offset += 1;
        if (!/[0-9a-fA-F]/.test(scan.text[scan.offset] ?? '')) fail(scan, 'in \\u hexadecimal character escape');
      }
    } else if (!'bfnrt\\/"'.includes(scan.text[scan.offset] ?? 'x')) fail(scan, 'in string escape code');
  }
  scan.offset += 1;
}

function scanLiteral(scan: ScanState, literal: string): void {
  for (const [i, char] of [...literal].entries()) {
    if (scan.text[scan.offset] !== char)
      fail(scan, i === 0 ? 'looking for beginning of value' : `in literal ${literal} (expecting '${char}')`);
    scan.offset += 1;
  }
}

function scanNumber(scan: ScanState): void {
  if (scan.text[scan.offset] === '-') scan.offset += 1;
  const isDigit = (): boolean => /\d/.test(scan.text[scan.offset] ?? '');
  if (!isDigit()) fail(scan, 'in numeric literal');
  if (scan.text[scan.offset] === '0') scan.offset += 1;
  else while (isDigit()) scan.offset += 1;
  if (scan.text[scan.offset] === '.') {
    scan.offset += 1;
    if (!isDigit()) fail(scan, 'after decimal point in numeric literal');
    while (isDigit()) scan.offset += 1;
  }
  if (!/[eE]/.test(scan.text[scan.offset] ?? '')) return;
  scan.offset += 1;
  if (/[+-]/.test(scan.text[scan.offset] ?? '')) scan.offset += 1;
  if (!isDigit()) fail(scan, 'in exponent of numeric literal');
  while (isDigit()) scan.offset += 1;
}

const quoteChar = (char: string): string => {
  if (char === "'") return String.raw`'\''`;
  return char === '"' ? `'"'` : `'${escapeText(char)}'`;
};
