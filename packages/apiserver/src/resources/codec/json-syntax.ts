import { escapeText } from 'kube-endpoints/internal';

/**
 * The error of Go's JSON scanner; undefined if the text is valid JSON. Duplicate keys, which JSON.parse does not report either, are valid.
 * Mirrors encoding/json's scanner.
 */
export function jsonSyntaxProblem(text: string): string | undefined {
  const scan: Scan = { text, at: 0 };
  try {
    skipSpace(scan);
    scanValue(scan);
    skipSpace(scan);
    if (scan.at < text.length) fail(scan, 'after top-level value');
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}

interface Scan {
  readonly text: string;
  at: number;
}

class SyntaxProblem extends Error {}

function fail({ text, at }: Scan, context: string): never {
  const char = text.codePointAt(at);
  if (char === undefined) throw new SyntaxProblem('unexpected end of JSON input');
  throw new SyntaxProblem(`invalid character ${quoteChar(String.fromCodePoint(char))} ${context}`);
}

function skipSpace(scan: Scan): void {
  while (' \t\r\n'.includes(scan.text[scan.at] ?? 'x')) scan.at += 1;
}

/** Iterative, so that deeply nested brackets do not overflow the stack. */
function scanValue(scan: Scan): void {
  const open: ('}' | ']')[] = [];
  for (;;) {
    const started = scanStart(scan);
    if (started === undefined) {
      if (!scanEnds(scan, open)) return;
    } else if (!enter(scan, started, open) && !scanEnds(scan, open)) return;
  }
}

/** Scans a scalar, or the opening bracket of an object or array, and returns the matching closing bracket. */
function scanStart(scan: Scan): '}' | ']' | undefined {
  const char = scan.text[scan.at] ?? '';
  if (char === '{' || char === '[') {
    scan.at += 1;
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

/** True if the object or array is not empty; its first value is next. */
function enter(scan: Scan, closing: '}' | ']', open: ('}' | ']')[]): boolean {
  if (scan.text[scan.at] === closing) {
    scan.at += 1;
    return false;
  }
  open.push(closing);
  if (closing === '}') scanKey(scan);
  return true;
}

/** Scans what follows a value; true if another value follows. */
function scanEnds(scan: Scan, open: ('}' | ']')[]): boolean {
  for (;;) {
    const closing = open.at(-1);
    if (closing === undefined) return false;
    skipSpace(scan);
    const char = scan.text[scan.at];
    if (char === closing) {
      scan.at += 1;
      open.pop();
    } else if (char === ',') {
      scan.at += 1;
      skipSpace(scan);
      if (closing === '}') scanKey(scan);
      return true;
    } else fail(scan, closing === '}' ? 'after object key:value pair' : 'after array element');
  }
}

function scanKey(scan: Scan): void {
  if (scan.text[scan.at] !== '"') fail(scan, 'looking for beginning of object key string');
  scanText(scan);
  skipSpace(scan);
  if (scan.text[scan.at] !== ':') fail(scan, 'after object key');
  scan.at += 1;
  skipSpace(scan);
}

function scanText(scan: Scan): void {
  for (scan.at += 1; scan.text[scan.at] !== '"'; scan.at += 1) {
    const char = scan.text[scan.at] ?? '';
    if (char === '' || char < ' ') fail(scan, 'in string literal');
    if (char !== '\\') continue;
    scan.at += 1;
    if (scan.text[scan.at] === 'u') {
      for (let i = 0; i < 4; i += 1) {
        scan.at += 1;
        if (!/[0-9a-fA-F]/.test(scan.text[scan.at] ?? '')) fail(scan, 'in \\u hexadecimal character escape');
      }
    } else if (!'bfnrt\\/"'.includes(scan.text[scan.at] ?? 'x')) fail(scan, 'in string escape code');
  }
  scan.at += 1;
}

function scanLiteral(scan: Scan, literal: string): void {
  for (const [i, char] of [...literal].entries()) {
    if (scan.text[scan.at] !== char) fail(scan, i === 0 ? 'looking for beginning of value' : `in literal ${literal} (expecting '${char}')`);
    scan.at += 1;
  }
}

function scanNumber(scan: Scan): void {
  if (scan.text[scan.at] === '-') scan.at += 1;
  const digit = (): boolean => /\d/.test(scan.text[scan.at] ?? '');
  if (!digit()) fail(scan, 'in numeric literal');
  if (scan.text[scan.at] === '0') scan.at += 1;
  else while (digit()) scan.at += 1;
  if (scan.text[scan.at] === '.') {
    scan.at += 1;
    if (!digit()) fail(scan, 'after decimal point in numeric literal');
    while (digit()) scan.at += 1;
  }
  if (!/[eE]/.test(scan.text[scan.at] ?? '')) return;
  scan.at += 1;
  if (/[+-]/.test(scan.text[scan.at] ?? '')) scan.at += 1;
  if (!digit()) fail(scan, 'in exponent of numeric literal');
  while (digit()) scan.at += 1;
}

const quoteChar = (char: string): string => {
  if (char === "'") return String.raw`'\''`;
  return char === '"' ? `'"'` : `'${escapeText(char)}'`;
};
