import { isLongerThan, quote } from 'kube-endpoints/internal/apimachinery';
import { CelFailure, type CelPart } from '../library.ts';
import { cut } from './url.ts';

/** A version as defined by semver.org. Build metadata is dropped, since it has no meaning. */
export class CelSemver {
  readonly numbers: readonly bigint[];
  /** Empty if absent. */
  readonly prerelease: string;
  constructor(numbers: readonly bigint[], prerelease: string) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
  valueOf(): string {
    return `${this.numbers.join('.')}-${this.prerelease}`;
  }
}

const type = 'kubernetes.Semver';

/** Mirrors apiserver/pkg/cel/library/semverlib.go (1.36). */
export const semverFunctions: CelPart = {
  types: [{ name: type, ctor: CelSemver, equals: (a: CelSemver, b: CelSemver) => compare(a, b) === 0 }],
  functions: [
    { signature: `semver(string): ${type}`, run: (text: string) => parseOrThrow(text, false) },
    { signature: `semver(string, bool): ${type}`, run: parseOrThrow },
    { signature: 'isSemver(string): bool', run: (text: string) => isSemver(text, false) },
    { signature: 'isSemver(string, bool): bool', run: isSemver },
    ...['major', 'minor', 'patch'].map((name, i) => ({
      signature: `${type}.${name}(): int`,
      run: ({ numbers }: CelSemver) => BigInt.asIntN(64, numbers[i] as bigint),
    })),
    { signature: `${type}.isLessThan(${type}): bool`, run: (a: CelSemver, b: CelSemver) => compare(a, b) < 0 },
    { signature: `${type}.isGreaterThan(${type}): bool`, run: (a: CelSemver, b: CelSemver) => compare(a, b) > 0 },
    { signature: `${type}.compareTo(${type}): int`, run: (a: CelSemver, b: CelSemver) => BigInt(compare(a, b)) },
  ],
};

function parseOrThrow(text: string, normalize: boolean): CelSemver {
  const result = parse(text, normalize);
  if (typeof result === 'string') throw new CelFailure(result);
  return result;
}

function isSemver(text: string, normalize: boolean): boolean {
  return typeof parse(text, normalize) !== 'string';
}

function parse(text: string, normalize: boolean): CelSemver | string {
  try {
    return parseStrictly(normalize ? normalizeVersion(text) : text);
  } catch (error) {
    if (error instanceof CelFailure) return error.message;
    throw error;
  }
}

/** Drops a leading "v" and leading zeros, and appends ".0" for each missing number. */
function normalizeVersion(text: string): string {
  const parts = splitNumbers(text.startsWith('v') ? text.slice(1) : text).map((part) =>
    isLongerThan(part, 1) ? dropLeadingZeros(part) : part,
  );
  if (parts.length === 3) return parts.join('.');
  if (/[+-]/.test(parts.at(-1) as string)) throw new CelFailure('short version cannot contain PreRelease/Build meta data');
  return [...parts, '0', '0'].slice(0, 3).join('.');
}

function dropLeadingZeros(part: string): string {
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

function splitNumbers(text: string): string[] {
  const [major, rest] = cut(text, '.');
  if (rest === undefined) return [major];
  const [minor, patch] = cut(rest, '.');
  return patch === undefined ? [major, minor] : [major, minor, patch];
}

/** Mirrors Parse (github.com/blang/semver/v4). */
function parseStrictly(text: string): CelSemver {
  if (text === '') throw new CelFailure('Version string empty');
  const parts = splitNumbers(text);
  const [major, minor, rest] = parts as [string, string, string];
  if (parts.length < 3) throw new CelFailure('No Major.Minor.Patch elements found');
  const numbers = [parseNumber(major, 'major', 'Major'), parseNumber(minor, 'minor', 'Minor')];
  const [patchAndPrerelease, build] = cut(rest, '+');
  const [patch, prerelease] = cut(patchAndPrerelease, '-');
  numbers.push(parseNumber(patch, 'patch', 'Patch'));
  for (const [part] of prerelease?.matchAll(suspiciousPrereleaseParts) ?? []) checkPrereleasePart(part);
  for (const [part] of build?.matchAll(suspiciousBuildParts) ?? []) rejectBuildPart(part);
  return new CelSemver(numbers, prerelease ?? '');
}

function parseNumber(text: string, name: string, capitalizedName: string): bigint {
  if (!/^\d*$/.test(text)) throw new CelFailure(`Invalid character(s) found in ${name} number ${quote(text)}`);
  if (hasLeadingZeros(text)) throw new CelFailure(`${capitalizedName} number must not contain leading zeroes ${quote(text)}`);
  return parseUint(text);
}

/** Parts between dots that need a check: empty, with invalid characters, or numbers with leading zeros or many digits. */
const suspiciousBuildParts = /(?<![^.])(?:[^.]*[^0-9A-Za-z.-][^.]*|)(?![^.])/g;
const suspiciousPrereleaseParts = /(?<![^.])(?:\d{20,}|0\d+|[^.]*[^0-9A-Za-z.-][^.]*|)(?![^.])/g;

function checkPrereleasePart(text: string): void {
  if (text === '') throw new CelFailure('Prerelease is empty');
  if (!/^\d*$/.test(text)) throw new CelFailure(`Invalid character(s) found in prerelease ${quote(text)}`);
  if (hasLeadingZeros(text)) throw new CelFailure(`Numeric PreRelease version must not contain leading zeroes ${quote(text)}`);
  parseUint(text);
}

function rejectBuildPart(text: string): void {
  throw new CelFailure(text === '' ? 'Build meta data is empty' : `Invalid character(s) found in build meta data ${quote(text)}`);
}

const hasLeadingZeros = (text: string): boolean => text.length > 1 && text.startsWith('0');

/** Mirrors Go's ParseUint. */
function parseUint(digits: string): bigint {
  const createError = (reason: string): CelFailure => new CelFailure(`strconv.ParseUint: parsing ${quote(digits)}: ${reason}`);
  if (digits === '') throw createError('invalid syntax');
  const value = digits.length > 20 ? 1n << 64n : BigInt(digits);
  if (value >= 1n << 64n) throw createError('value out of range');
  return value;
}

/** @returns -1, 0 or 1 */
function compare(a: CelSemver, b: CelSemver): number {
  for (const [i, number] of a.numbers.entries()) {
    const order = compareValues(number, b.numbers[i] as bigint);
    if (order !== 0) return order;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === '' || b.prerelease === '') return a.prerelease === '' ? 1 : -1;
  return comparePrereleases(a.prerelease, b.prerelease);
}

/** Compares prereleases part by part. If one is a prefix of the other, the shorter one sorts first. */
function comparePrereleases(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  if (index === a.length && b[index] === '.') return -1;
  if (index === b.length && a[index] === '.') return 1;
  const start = a.slice(0, index).lastIndexOf('.') + 1;
  return compareParts(cut(a.slice(start), '.')[0], cut(b.slice(start), '.')[0]);
}

/** Compares two parts of a prerelease. Numbers sort before text; they have no leading zeros, so the longer one is larger. */
function compareParts(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return isNumberA && a.length !== b.length ? Math.sign(a.length - b.length) : compareValues(a, b);
}

function compareValues<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
