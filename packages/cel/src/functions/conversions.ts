import { CelFailure, type CelFunction } from '../library.ts';
import { writeText } from './format-values.ts';
import { type CelDuration, type CelEvaluator, type CelUint, classOf } from './kinds.ts';
import { replacementName } from './replacements.ts';
import { parseNanoseconds, parseTime, timeOf } from './times.ts';

/** Conversions that the library lacks; they are registered under both names. */
const missingInLibrary: ReadonlySet<string> = new Set([
  'int(uint)',
  'int(google.protobuf.Timestamp)',
  'string(google.protobuf.Timestamp)',
  'string(google.protobuf.Duration)',
  'timestamp(google.protobuf.Timestamp)',
  'duration(google.protobuf.Duration)',
]);

/** Mirrors the conversions of cel-go 0.26's common/types. They replace the library's own: see replacement-functions.ts. */
export const conversions: readonly CelFunction[] = [
  ...from('int', {
    int: same,
    uint: ({ value }: CelUint) => int(value),
    double: (value: number) => int(wholeOf(value, 2 ** 63, 'integer overflow')),
    string: (text: string) => int(digitsOf(text, /^[+-]?\d+$/, 'int'), conversionError('int')),
    'google.protobuf.Timestamp': (time: Date) => BigInt(Math.floor(time.getTime() / 1000)),
  }),
  ...from('uint', { uint: same, int: toUint(same), double: toUint(uintOfDouble), string: toUint(uintOfText) }),
  ...from('double', { double: same, int: Number, uint: ({ value }: CelUint) => Number(value), string: doubleOfText }),
  ...from('bool', { bool: same, string: boolOfText }),
  ...from('string', {
    ...texts(['bool', 'int', 'uint', 'double', 'google.protobuf.Timestamp', 'google.protobuf.Duration']),
    string: same,
    bytes: decode,
  }),
  ...from('timestamp', { 'google.protobuf.Timestamp': same, string: parseTime, int: timeOf }, 'google.protobuf.Timestamp'),
  ...from('duration', { 'google.protobuf.Duration': same, string: durationOf }, 'google.protobuf.Duration'),
];

function from(name: string, byType: Readonly<Record<string, CelFunction['run']>>, type = name): readonly CelFunction[] {
  return Object.entries(byType).map(([given, run]) => ({
    signature: `${missingInLibrary.has(`${name}(${given})`) ? name : replacementName(name)}(${given}): ${type}`,
    run,
  }));
}

function same<Of>(value: Of): Of {
  return value;
}

function texts(types: readonly string[]): Readonly<Record<string, (value: never) => string>> {
  return Object.fromEntries(types.map((type) => [type, writeText]));
}

const conversionError = (type: string): string => `type conversion error from 'string' to '${type}'`;

function int(value: bigint, problem = 'integer overflow'): bigint {
  if (value < -(2n ** 63n) || value >= 2n ** 63n) throw new CelFailure(problem);
  return value;
}

function wholeOf(value: number, limit: number, problem: string): bigint {
  if (!(value > -limit && value < limit)) throw new CelFailure(problem);
  return BigInt(Math.trunc(value));
}

/** The maximum length of a number in characters. */
const maxNumberLength = 1000;

/** Rejects texts with more digits than a 64-bit number can have, without parsing them. */
function digitsOf(text: string, form: RegExp, type: string): bigint {
  const digits = text.length <= maxNumberLength && form.test(text) ? text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1') : '';
  if (digits === '' || digits.length > 20) throw new CelFailure(conversionError(type));
  return BigInt(digits);
}

function toUint<Of>(convert: (given: Of) => bigint): (this: CelEvaluator, given: Of) => CelUint {
  return function (given) {
    const value = convert(given);
    if (value < 0n || value >= 2n ** 64n) throw new CelFailure('unsigned integer overflow');
    return new (classOf<new (value: bigint) => CelUint>(this, 'uint'))(value);
  };
}

function uintOfDouble(value: number): bigint {
  if (value < 0) throw new CelFailure('unsigned integer overflow');
  return wholeOf(value, 2 ** 64, 'unsigned integer overflow');
}

function uintOfText(text: string): bigint {
  const value = digitsOf(text, /^\d+$/, 'uint');
  if (value >= 2n ** 64n) throw new CelFailure(conversionError('uint'));
  return value;
}

function doubleOfText(text: string): number {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const value =
    text.length <= maxNumberLength &&
    /^[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?$/.test(text) &&
    !misplacedUnderscore.test(text);
  const double = value ? Number(text.replaceAll('_', '')) : Number.NaN;
  if (!Number.isFinite(double)) throw new CelFailure(conversionError('double'));
  return double;
}

/** An underscore must stand between two digits. */
const misplacedUnderscore = /_(?!\d)|(?<!\d)_/;

function boolOfText(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw new CelFailure(conversionError('bool'));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelFailure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function durationOf(this: CelEvaluator, text: string): CelDuration {
  const nanoseconds = parseNanoseconds(text);
  const Duration = classOf<new (seconds: bigint, nanos: number) => CelDuration>(this, 'google.protobuf.Duration');
  return new Duration(nanoseconds / 1_000_000_000n, Number(nanoseconds % 1_000_000_000n));
}
