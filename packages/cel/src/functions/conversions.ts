import { CelFailure, type CelFunction } from '../library.ts';
import { writeText } from './format-values.ts';
import { type CelDuration, type CelEvaluator, type CelUint, classOf } from './kinds.ts';
import { replacementName } from './replacements.ts';
import { parseNanoseconds, parseTime, timeFromSeconds } from './times.ts';

/** Conversions that the library lacks. They are registered under two names: their own, and that of the replacement. */
const missingConversions: ReadonlySet<string> = new Set([
  'int(uint)',
  'int(google.protobuf.Timestamp)',
  'string(google.protobuf.Timestamp)',
  'string(google.protobuf.Duration)',
  'timestamp(google.protobuf.Timestamp)',
  'duration(google.protobuf.Duration)',
]);

/** Mirrors the conversions of cel-go 0.26's common/types. They replace the library's own: see replacement-functions.ts. */
export const conversions: readonly CelFunction[] = [
  ...createConversions('int', {
    int: identity,
    uint: ({ value }: CelUint) => checkInt64(value),
    double: (value: number) => checkInt64(truncateDouble(value, 2 ** 63, 'integer overflow')),
    string: (text: string) => checkInt64(parseDigits(text, /^[+-]?\d+$/, 'int'), conversionMessage('int')),
    'google.protobuf.Timestamp': (time: Date) => BigInt(Math.floor(time.getTime() / 1000)),
  }),
  ...createConversions('uint', { uint: identity, int: toUint(identity), double: toUint(doubleToUint), string: toUint(textToUint) }),
  ...createConversions('double', { double: identity, int: Number, uint: ({ value }: CelUint) => Number(value), string: textToDouble }),
  ...createConversions('bool', { bool: identity, string: textToBool }),
  ...createConversions('string', {
    ...createTextConversions(['bool', 'int', 'uint', 'double', 'google.protobuf.Timestamp', 'google.protobuf.Duration']),
    string: identity,
    bytes: decodeUtf8,
  }),
  ...createConversions(
    'timestamp',
    { 'google.protobuf.Timestamp': identity, string: parseTime, int: timeFromSeconds },
    'google.protobuf.Timestamp',
  ),
  ...createConversions('duration', { 'google.protobuf.Duration': identity, string: textToDuration }, 'google.protobuf.Duration'),
];

function createConversions(name: string, byType: Readonly<Record<string, CelFunction['run']>>, type = name): readonly CelFunction[] {
  return Object.entries(byType).map(([sourceType, run]) => ({
    signature: `${missingConversions.has(`${name}(${sourceType})`) ? name : replacementName(name)}(${sourceType}): ${type}`,
    run,
  }));
}

function identity<Value>(value: Value): Value {
  return value;
}

function createTextConversions(types: readonly string[]): Readonly<Record<string, (value: never) => string>> {
  return Object.fromEntries(types.map((type) => [type, writeText]));
}

const conversionMessage = (type: string): string => `type conversion error from 'string' to '${type}'`;

function checkInt64(value: bigint, problem = 'integer overflow'): bigint {
  if (value < -(2n ** 63n) || value >= 2n ** 63n) throw new CelFailure(problem);
  return value;
}

function truncateDouble(value: number, limit: number, problem: string): bigint {
  if (!(value > -limit && value < limit)) throw new CelFailure(problem);
  return BigInt(Math.trunc(value));
}

const maxNumberLength = 1000;

/**
 * Parses a decimal integer. Rejects a text with more digits than a 64-bit number can have before it converts the text. @throws CelFailure
 */
function parseDigits(text: string, pattern: RegExp, type: string): bigint {
  const digits = text.length <= maxNumberLength && pattern.test(text) ? text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1') : '';
  if (digits === '' || digits.length > 20) throw new CelFailure(conversionMessage(type));
  return BigInt(digits);
}

function toUint<Value>(convert: (value: Value) => bigint): (this: CelEvaluator, value: Value) => CelUint {
  return function (value) {
    const converted = convert(value);
    if (converted < 0n || converted >= 2n ** 64n) throw new CelFailure('unsigned integer overflow');
    return new (classOf<new (value: bigint) => CelUint>(this, 'uint'))(converted);
  };
}

function doubleToUint(value: number): bigint {
  if (value < 0) throw new CelFailure('unsigned integer overflow');
  return truncateDouble(value, 2 ** 64, 'unsigned integer overflow');
}

function textToUint(text: string): bigint {
  const value = parseDigits(text, /^\d+$/, 'uint');
  if (value >= 2n ** 64n) throw new CelFailure(conversionMessage('uint'));
  return value;
}

function textToDouble(text: string): number {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const isNumber =
    text.length <= maxNumberLength &&
    /^[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?$/.test(text) &&
    !misplacedUnderscore.test(text);
  const double = isNumber ? Number(text.replaceAll('_', '')) : Number.NaN;
  if (!Number.isFinite(double)) throw new CelFailure(conversionMessage('double'));
  return double;
}

/** An underscore is valid only between two digits. */
const misplacedUnderscore = /_(?!\d)|(?<!\d)_/;

function textToBool(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw new CelFailure(conversionMessage('bool'));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelFailure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function textToDuration(this: CelEvaluator, text: string): CelDuration {
  const nanoseconds = parseNanoseconds(text);
  const Duration = classOf<new (seconds: bigint, nanos: number) => CelDuration>(this, 'google.protobuf.Duration');
  return new Duration(nanoseconds / 1_000_000_000n, Number(nanoseconds % 1_000_000_000n));
}
