import { namedEscapes } from 'kube-endpoints/internal/apimachinery';
import { CelFailure, type CelPart } from '../library.ts';
import { kindOf } from './kinds.ts';
import { checkTextLength } from './limits.ts';
import { createReplacementMacro, replacementName } from './replacements.ts';

/** Mirrors ext/strings.go of cel-go 0.26 at version 2, except `format`. Indices count code points. */
export const stringFunctions: CelPart = {
  namespaces: ['strings'],
  functions: [
    ...(['indexOf', 'lastIndexOf', 'split', 'substring'] as const).flatMap((name) => [
      createReplacementMacro(name, 1),
      createReplacementMacro(name, 2),
    ]),
    createReplacementMacro('join', 1),
    { signature: 'string.charAt(int): string', run: charAt },
    { signature: `string.${replacementName('indexOf')}(string): int`, run: (text: string, part: string) => indexOf(text, part, 0n) },
    { signature: `string.${replacementName('indexOf')}(string, int): int`, run: indexOf },
    { signature: `string.${replacementName('lastIndexOf')}(string): int`, run: lastIndexOf },
    { signature: `string.${replacementName('lastIndexOf')}(string, int): int`, run: lastIndexOfFrom },
    { signature: `list<string>.${replacementName('join')}(string): string`, run: join },
    {
      signature: 'string.replace(string, string): string',
      run: (text: string, old: string, replacement: string) => replace(text, old, replacement, -1n),
    },
    { signature: 'string.replace(string, string, int): string', run: replace },
    {
      signature: `string.${replacementName('split')}(string): list<string>`,
      run: (text: string, separator: string) => split(text, separator, -1n),
    },
    { signature: `string.${replacementName('split')}(string, int): list<string>`, run: split },
    { signature: `string.${replacementName('substring')}(int): string`, run: (text: string, from: bigint) => substring(text, from) },
    { signature: `string.${replacementName('substring')}(int, int): string`, run: substring },
    { signature: 'strings.quote(string): string', run: (_: object, text: string) => quote(text) },
  ],
};

function charAt(text: string, index: bigint): string {
  const chars = charsOf(text);
  return checkIndex(index, chars.length) === chars.length ? '' : (chars[Number(index)] as string);
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) throw createRangeError(from);
  return countCodePointsBefore(text, text.indexOf(part, utf16IndexOf(text, from)));
}

function lastIndexOf(text: string, part: string): bigint {
  if (part === '') return countCodePoints(text);
  return text.length < part.length ? -1n : countCodePointsBefore(text, text.lastIndexOf(part));
}

function lastIndexOfFrom(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) throw createRangeError(from);
  if (from >= countCodePoints(text)) return -1n;
  return countCodePointsBefore(text, text.lastIndexOf(part, utf16IndexOf(text, from)));
}

function join(texts: readonly unknown[], separator: string): string {
  let length = 0;
  for (const text of texts) {
    if (typeof text !== 'string') throw new CelFailure(`join: invalid input: ${describe(text)}`);
    length += text.length + separator.length;
    checkTextLength(length - separator.length);
  }
  return texts.join(separator);
}

const describe = (value: unknown): string => (typeof value === 'object' && value !== null ? kindOf(value) : String(value));

function replace(text: string, old: string, replacement: string, limit: bigint): string {
  if (limit === 0n || old === replacement) return text;
  const parts = old === '' ? ['', ...charsOf(text), ''] : text.split(old);
  const count = Math.min(parts.length - 1, limit < 0n ? parts.length : Number(limit));
  checkTextLength(text.length + count * (replacement.length - old.length));
  return `${parts.slice(0, count + 1).join(replacement)}${parts
    .slice(count + 1)
    .map((part) => old + part)
    .join('')}`;
}

function split(text: string, separator: string, limit: bigint): readonly string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? charsOf(text) : text.split(separator);
  if (limit < 0n || parts.length <= limit) return parts;
  const count = Number(limit) - 1;
  return [...parts.slice(0, count), parts.slice(count).join(separator)];
}

function substring(text: string, from: bigint, to?: bigint): string {
  if (to !== undefined && from > to) throw new CelFailure(`invalid substring range. start: ${from}, end: ${to}`);
  const chars = charsOf(text);
  const start = checkIndex(from, chars.length);
  return chars.slice(start, to === undefined ? chars.length : checkIndex(to, chars.length)).join('');
}

function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are escaped
  const escaped = text.toWellFormed().replace(/[\u0007-\r\\"]/g, (char) => namedEscapes[char] ?? char);
  checkTextLength(escaped.length);
  return `"${escaped}"`;
}

const createRangeError = (index: bigint): CelFailure => new CelFailure(`index out of range: ${index}`);

function checkIndex(index: bigint, length: number): number {
  if (index < 0n || index > length) throw createRangeError(index);
  return Number(index);
}

const charsOf = (text: string): string[] => (highSurrogate.test(text) ? Array.from(text) : text.split(''));
const highSurrogate = /[\ud800-\udbff]/;

const countCodePoints = (text: string): bigint => countCodePointsBefore(text, text.length);

/** Counts the code points before a UTF-16 index. Returns a negative index unchanged. */
function countCodePointsBefore(text: string, utf16Index: number): bigint {
  if (utf16Index < 0 || !highSurrogate.test(text)) return BigInt(utf16Index);
  return BigInt(Array.from(text.slice(0, utf16Index)).length);
}

/** Converts the index of a code point to a UTF-16 index. An index beyond the end becomes the length of the text. */
function utf16IndexOf(text: string, codePointIndex: bigint): number {
  if (codePointIndex >= text.length) return text.length;
  return highSurrogate.test(text) ? Array.from(text).slice(0, Number(codePointIndex)).join('').length : Number(codePointIndex);
}
