import { quote } from 'kube-endpoints/internal/apimachinery';
import { CelFailure, nanosecondsPerSecond } from '../library.ts';
import { type CelDuration, type CelUint, entriesOf, kindOf, nanosecondsOf, typeNameOf } from './kinds.ts';
import { checkTextLength } from './limits.ts';

/** Formats a value as `%s` does. @throws CelFailure if there is no format for the type of the value */
export function writeText(value: unknown): string {
  const write = writers[kindOf(value)];
  if (!write) throw new CelFailure(`no formatting function for ${kindOf(value)}`);
  return write(value as never);
}

const writers: Readonly<Record<string, (value: never) => string>> = {
  string: (value: string) => value,
  bool: String,
  null_type: String,
  int: String,
  uint: ({ value }: CelUint) => String(value),
  double: formatShortest,
  bytes: decodeUtf8,
  type: typeNameOf,
  'google.protobuf.Duration': writeDuration,
  'google.protobuf.Timestamp': writeTime,
  list: (list: readonly unknown[]) => `[${mapWithLimit(list, writeLiteral).join(', ')}]`,
  map: writeMap,
};

/** Formats a value inside of a list or map, as a literal. */
function writeLiteral(value: unknown): string {
  const kind = kindOf(value);
  const write = literalWriters[kind];
  return write ? write(value as never) : writeText(value);
}

const literalWriters: Readonly<Record<string, (value: never) => string>> = {
  string: quote,
  bytes: (value: Uint8Array) => `b${quote(decodeUtf8(value))}`,
  double: (value: number) => (Number.isFinite(value) ? formatPlainFixed(value, 6) : quote(formatShortest(value))),
  'google.protobuf.Duration': (value: CelDuration) => `duration(${quote(writeDuration(value))})`,
  'google.protobuf.Timestamp': (value: Date) => `timestamp(${quote(writeTime(value))})`,
};

function writeMap(map: object): string {
  const entries = mapWithLimit(entriesOf(map), ([key, value]) => {
    if (!keyKinds.has(kindOf(key))) throw new CelFailure(`no formatting function for map key of type ${kindOf(key)}`);
    return { key: writeLiteral(key), text: `${writeLiteral(key)}:${writeLiteral(value)}` };
  });
  return `{${entries
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ text }) => text)
    .join(', ')}}`;
}

const keyKinds: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'uint']);

/** Maps a list, checking the total length of the texts. */
function mapWithLimit<Item, Result>(list: readonly Item[], write: (each: Item) => Result): Result[] {
  let length = 0;
  return list.map((each) => {
    const formatted = write(each);
    length += typeof formatted === 'string' ? formatted.length : (formatted as { readonly text: string }).text.length;
    checkTextLength(length);
    return formatted;
  });
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelFailure('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string');
  }
}

function writeDuration(duration: CelDuration): string {
  const nanoseconds = nanosecondsOf(duration);
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(magnitude % nanosecondsPerSecond)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${magnitude / nanosecondsPerSecond}${fraction && `.${fraction}`}s`;
}

function writeTime(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}

// The functions below format numbers as Go does: from their exact decimal digits, rounding half to even.

/** Converts an argument of %f or %e: a number, or the text "NaN", "Infinity" or "-Infinity". Undefined for any other text. */
export const doubleOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : ({ NaN, Infinity, '-Infinity': -Infinity } as Readonly<Record<string, number>>)[value as string];

/** Formats with a fixed precision and with commas between thousands, as golang.org/x/text formats for the United States. */
export function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  const [integerDigits = '', fraction] = roundDecimal(value, precision).split('.');
  const grouped = integerDigits.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Formats a finite number with a fixed precision, without commas. */
export const formatPlainFixed = (value: number, precision: number): string =>
  `${value < 0 || Object.is(value, -0) ? '-' : ''}${roundDecimal(value, precision)}`;

/** Formats with six decimals and an exponent of at least two digits. */
export function formatScientific(value: number): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  const { digits, point } = toExactDigits(Math.abs(value));
  const rounded = value === 0 ? '0'.repeat(7) : roundDigits(digits, 7);
  const exponent = value === 0 ? 0 : point - 1 + (rounded.length - 7);
  const power = `${exponent < 0 ? '⁻' : ''}${String(Math.abs(exponent))
    .padStart(2, '0')
    .replace(/\d/g, (digit) => superscripts[Number(digit)] as string)}`;
  return `${value < 0 ? '-' : ''}${rounded[0]}.${rounded.slice(1, 7)}×10${power}`;
}

export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - text.length)) + text;
}

/** Formats with the fewest digits that identify the number: strconv's format 'g'. */
export function formatShortest(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const formatNonFinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞');

function roundDecimal(value: number, precision: number): string {
  const { digits, point } = toExactDigits(Math.abs(value));
  const paddedDigits = point > 0 ? digits.padEnd(point, '0') : '0'.repeat(1 - point) + digits;
  const integerDigitCount = Math.max(point, 1);
  const rounded = roundDigits(paddedDigits, integerDigitCount + precision);
  const integerLength = rounded.length - precision;
  return precision === 0 ? rounded : `${rounded.slice(0, integerLength)}.${rounded.slice(integerLength)}`;
}

/** Rounds to the first `count` digits, half to even. Returns one digit more if all of them are 9 and are rounded up. */
function roundDigits(digits: string, count: number): string {
  if (digits.length <= count) return digits.padEnd(count, '0');
  const prefix = digits.slice(0, count);
  const rest = digits.slice(count);
  const isTie = /^50*$/.test(rest);
  const roundsUp = isTie ? Number(prefix.at(-1)) % 2 === 1 : rest >= '5';
  return roundsUp ? (BigInt(prefix) + 1n).toString().padStart(count, '0') : prefix;
}

/** Returns all significant digits of a number; `point` is the number of digits before the decimal point. */
function toExactDigits(value: number): { readonly digits: string; readonly point: number } {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] as bigint;
  const exponent = Number(bits >> 52n);
  const mantissa = (bits & 0xfffffffffffffn) + (exponent === 0 ? 0n : 1n << 52n);
  // The value is mantissa * 2 ** power: 1075 is the exponent's bias, 1023, and the 52 bits of the mantissa.
  const power = Math.max(exponent, 1) - 1075;
  // The digits of n / 2 ** k are those of n * 5 ** k.
  const digits = (power < 0 ? mantissa * 5n ** BigInt(-power) : mantissa << BigInt(power)).toString();
  return { digits, point: digits.length + Math.min(power, 0) };
}
