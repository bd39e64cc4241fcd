import { namedEscapes } from 'kube-endpoints/internal';
import { CelFailure, type CelPart } from '../library.ts';
import { kindOf } from './kinds.ts';
import { checkText } from './limits.ts';
import { ownName, replaced } from './replaced.ts';

/** Mirrors ext/strings.go of cel-go 0.26 at version 2, except `format`. Indices count code points. */
export const stringFunctions: CelPart = {
  namespaces: ['strings'],
  functions: [
    ...(['indexOf', 'lastIndexOf', 'split', 'substring'] as const).flatMap((name) => [replaced(name, 1), replaced(name, 2)]),
    replaced('join', 1),
    { signature: 'string.charAt(int): string', run: charAt },
    { signature: `string.${ownName('indexOf')}(string): int`, run: (text: string, part: string) => indexOf(text, part, 0n) },
    { signature: `string.${ownName('indexOf')}(string, int): int`, run: indexOf },
    { signature: `string.${ownName('lastIndexOf')}(string): int`, run: lastIndexOf },
    { signature: `string.${ownName('lastIndexOf')}(string, int): int`, run: lastIndexOfFrom },
    { signature: `list<string>.${ownName('join')}(string): string`, run: join },
    { signature: 'string.replace(string, string): string', run: (text: string, old: string, by: string) => replace(text, old, by, -1n) },
    { signature: 'string.replace(string, string, int): string', run: replace },
    { signature: `string.${ownName('split')}(string): list<string>`, run: (text: string, at: string) => split(text, at, -1n) },
    { signature: `string.${ownName('split')}(string, int): list<string>`, run: split },
    { signature: `string.${ownName('substring')}(int): string`, run: (text: string, from: bigint) => substring(text, from) },
    { signature: `string.${ownName('substring')}(int, int): string`, run: substring },
    { signature: 'strings.quote(string): string', run: (_: object, text: string) => quote(text) },
  ],
};

function charAt(text: string, index: bigint): string {
  const chars = charsOf(text);
  return checkIndex(index, chars.length) === chars.length ? '' : (chars[Number(index)] as string);
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) throw outOfRange(from);
  return pointsBefore(text, text.indexOf(part, unitsBefore(text, from)));
}

function lastIndexOf(text: string, part: string): bigint {
  if (part === '') return sizeOf(text);
  return text.length < part.length ? -1n : pointsBefore(text, text.lastIndexOf(part));
}

function lastIndexOfFrom(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) throw outOfRange(from);
  if (from >= sizeOf(text)) return -1n;
  return pointsBefore(text, text.lastIndexOf(part, unitsBefore(text, from)));
}

function join(texts: readonly unknown[], between: string): string {
  let length = 0;
  for (const text of texts) {
    if (typeof text !== 'string') throw new CelFailure(`join: invalid input: ${printed(text)}`);
    length += text.length + between.length;
    checkText(length - between.length);
  }
  return texts.join(between);
}

const printed = (value: unknown): string => (typeof value === 'object' && value !== null ? kindOf(value) : String(value));

function replace(text: string, old: string, by: string, most: bigint): string {
  if (most === 0n || old === by) return text;
  const parts = old === '' ? ['', ...charsOf(text), ''] : text.split(old);
  const count = Math.min(parts.length - 1, most < 0n ? parts.length : Number(most));
  checkText(text.length + count * (by.length - old.length));
  return `${parts.slice(0, count + 1).join(by)}${parts
    .slice(count + 1)
    .map((part) => old + part)
    .join('')}`;
}

function split(text: string, at: string, most: bigint): readonly string[] {
  if (most === 0n) return [];
  const parts = at === '' ? charsOf(text) : text.split(at);
  if (most < 0n || parts.length <= most) return parts;
  const count = Number(most) - 1;
  return [...parts.slice(0, count), parts.slice(count).join(at)];
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
  checkText(escaped.length);
  return `"${escaped}"`;
}

const outOfRange = (index: bigint): CelFailure => new CelFailure(`index out of range: ${index}`);

function checkIndex(index: bigint, length: number): number {
  if (index < 0n || index > length) throw outOfRange(index);
  return Number(index);
}

/** The code points of a text. */
const charsOf = (text: string): string[] => (hasPairs.test(text) ? Array.from(text) : text.split(''));
const hasPairs = /[\ud800-\udbff]/;

const sizeOf = (text: string): bigint => pointsBefore(text, text.length);

/** The number of code points before a UTF-16 index; negative indexes are returned unchanged. */
function pointsBefore(text: string, units: number): bigint {
  if (units < 0 || !hasPairs.test(text)) return BigInt(units);
  return BigInt(Array.from(text.slice(0, units)).length);
}

/** The UTF-16 index of a code point. */
function unitsBefore(text: string, points: bigint): number {
  if (points >= text.length) return text.length;
  return hasPairs.test(text) ? Array.from(text).slice(0, Number(points)).join('').length : Number(points);
}
