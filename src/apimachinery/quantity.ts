/** A `resource.Quantity`: its exact value in billionths, and its printed form. */
export interface Quantity {
  readonly nanos: bigint;
  readonly text: string;
}

/** The message of resource.ParseQuantity for a text that is not a quantity. */
export type QuantityProblem = string;

/** The suffix notations: "M", "e6" and "Mi". */
export type QuantityFormat = 'decimal' | 'exponent' | 'binary';

/** The parsed parts of a quantity: `whole.fraction * base ** exponent`. */
export interface QuantityText {
  readonly isNegative: boolean;
  /** The digits before the point, without leading zeros; "0" if there are none. */
  readonly whole: string;
  readonly fraction: string;
  readonly format: QuantityFormat;
  readonly exponent: number;
}

/**
 * Parses a quantity and converts it to canonical form as far as Kubernetes does: a text that is likely to be canonical is kept.
 * The value is capped if it has more than 400 digits.
 *
 * Mirrors ParseQuantity and String (1.36, apimachinery/pkg/api/resource/quantity.go).
 */
export function parseQuantity(text: string): Quantity | QuantityProblem {
  const scanned = scanQuantity(text);
  if (typeof scanned === 'string') return scanned;
  const { nanos: magnitude, isRounded } = computeMagnitude(scanned);
  const capped = scanned.format === 'binary' && magnitude > maxBinaryNanos ? maxBinaryNanos : magnitude;
  const nanos = scanned.isNegative ? -capped : capped;
  const isKept = text === '0' || (!isRounded && isLikelyCanonical(scanned));
  return { nanos, text: isKept ? text : printQuantity(nanos, scanned.format) };
}

export const isQuantity = (value: Quantity | QuantityProblem): value is Quantity => typeof value !== 'string';

/** The quantity of a field that is null or absent. */
export const zeroQuantity: Quantity = { nanos: 0n, text: '0' };

/** Converts billionths to thousandths, rounded away from zero, as Quantity.MilliValue rounds. */
export const milliValue = (nanos: bigint): bigint => divideUp(nanos, nanosPerUnit / 1000n);

/**
 * A quantity in billionths as a floating-point number, rounded away from zero and capped at 2^63 - 1 units; 0 if absent or
 * invalid. Much faster than `parseQuantity`, for values that the API server has validated.
 */
export function approximateNanos(quantity: string | number | null | undefined): number {
  const scanned = scanQuantity(String(quantity ?? ''));
  if (typeof scanned === 'string') return 0;
  const { isNegative, whole, fraction, format, exponent } = scanned;
  // parsing a text with an exponent rounds once; a multiplication would round a second time
  const scale = format === 'binary' ? 9 : exponent + 9;
  const nanos = Number(`${whole}.${fraction}e${scale}`) * (format === 'binary' ? 2 ** exponent : 1);
  const rounded = Math.min(Math.ceil(nanos), Number(maxBinaryNanos));
  return isNegative ? -rounded : rounded;
}

/** Splits the text of a quantity. Mirrors parseQuantityString, and the errors of ParseQuantity. */
export function scanQuantity(text: string): QuantityText | QuantityProblem {
  const [number, sign, digits, fraction] = /^([+-]?)(\d*)(?:\.(\d*))?/.exec(text) as unknown as [string, string, string, string?];
  const suffix = text.slice(number.length);
  if (text === '' || !/^[eEinumkKMGTP]*[+-]?\d*$/.test(suffix)) return formatProblem;
  const scale = parseSuffix(suffix);
  if (!scale) return suffixProblem;
  const scanned = { isNegative: sign === '-', whole: digits.replace(/^0+/, '') || '0', fraction: fraction ?? '', ...scale };
  return digits === '' && !fraction && !fitsInt64(scanned) ? numberProblem : scanned;
}

/** Whether ParseQuantity stores the number as 64 bits and a scale, without rounding. */
export function fitsInt64({ whole, fraction, format, exponent }: QuantityText): boolean {
  if (format !== 'binary') return whole.length + fraction.length <= 18 && exponent - fraction.length >= -9;
  return fraction === '' && whole.length + Math.floor((exponent * 3) / 10) <= 14;
}

/** Prints a value as Quantity.CanonicalizeBytes does. */
export function printQuantity(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return '0';
  const isSmall = nanos > -1024n * nanosPerUnit && nanos < 1024n * nanosPerUnit;
  if (format === 'binary' && !isSmall && nanos % nanosPerUnit === 0n) return printBinary(nanos / nanosPerUnit);
  return printDecimal(nanos, format === 'exponent');
}

const nanosPerUnit = 1_000_000_000n;
const maxBinaryNanos = (2n ** 63n - 1n) * nanosPerUnit;
const formatProblem = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixProblem = "unable to parse quantity's suffix";
const numberProblem = 'unable to parse numeric part of quantity';

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

function parseSuffix(suffix: string): Pick<QuantityText, 'format' | 'exponent'> | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { format: 'decimal', exponent: (decimal - 3) * 3 };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { format: 'binary', exponent: (binary + 1) * 10 };
  const [, sign, digits = ''] = /^[eE]([+-]?)0*(\d+)$/.exec(suffix) ?? [];
  if (digits === '' || digits.length > 19) return undefined;
  const exponent = sign === '-' ? -BigInt(digits) : BigInt(digits);
  // Go parses 64 bits and keeps the lower 32.
  const isInRange = BigInt.asIntN(64, exponent) === exponent;
  return isInRange ? { format: 'exponent', exponent: Number(BigInt.asIntN(32, exponent)) } : undefined;
}

function computeMagnitude({ whole, fraction, format, exponent }: QuantityText): { nanos: bigint; isRounded: boolean } {
  const digits = BigInt(whole + fraction);
  const [value, shift] = format === 'binary' ? [digits << BigInt(exponent), 9] : [digits, 9 + exponent];
  const places = Math.max(-maxDigits, Math.min(shift - fraction.length, maxDigits));
  if (places >= 0) return { nanos: value * 10n ** BigInt(places), isRounded: false };
  const divisor = 10n ** BigInt(-places);
  return { nanos: divideUp(value, divisor), isRounded: value % divisor !== 0n };
}

/** Limits memory use: no real quantity has more digits. */
const maxDigits = 400;

function divideUp(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

/** Whether ParseQuantity keeps its input text. */
function isLikelyCanonical(scanned: QuantityText): boolean {
  const { whole, fraction, format, exponent } = scanned;
  if (!fitsInt64(scanned)) return false;
  if (format === 'binary') return (BigInt(whole) & 7n) !== 0n;
  return (exponent - fraction.length) % 3 === 0 && !`${whole}${fraction}`.endsWith('000') && whole !== '0';
}

function printBinary(units: bigint): string {
  let [value, place] = [units, -1];
  while (value % 1024n === 0n && place < binarySuffixes.length - 1) [value, place] = [value / 1024n, place + 1];
  return `${value}${binarySuffixes[place] ?? ''}`;
}

function printDecimal(nanos: bigint, asExponent: boolean): string {
  let [value, exponent] = [nanos, -9];
  while (value % 1000n === 0n) [value, exponent] = [value / 1000n, exponent + 3];
  if (asExponent) return exponent === 0 ? `${value}` : `${value}e${exponent}`;
  // beyond "E", Kubernetes prints no suffix either
  return `${value}${decimalSuffixes[exponent / 3 + 3] ?? ''}`;
}
