/** A `resource.Quantity`: exact, in billionths, and how it is printed. */
export interface Quantity {
  readonly nanos: bigint;
  readonly text: string;
}

/** What is wrong with a text that is no quantity, as apimachinery/pkg/api/resource words it (1.36). */
export type QuantityProblem = string;

/** Reads a quantity and puts it in canonical form. Mirrors ParseQuantity and CanonicalizeBytes (apimachinery/pkg/api/resource, 1.36). */
export function parseQuantity(text: string): Quantity | QuantityProblem {
  const match = /^([+-]?)(\d*)(?:(\.)(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/.exec(text);
  if (text === '' || !match) return badFormat;
  const [, sign, whole = '', point, fraction = '', suffix = ''] = match;
  const scale = scaleOf(suffix);
  if (!scale) return badSuffix;
  if (whole === '' && fraction === '' && point === undefined && suffix !== '') return badNumber;
  const digits = `${whole === '' ? '0' : whole}${fraction}`;
  const { nanos: magnitude, rounded } = inNanos(BigInt(digits), fraction.length, scale);
  const capped = scale.format === 'binary' && magnitude > largestBinary ? largestBinary : magnitude;
  const nanos = sign === '-' ? -capped : capped;
  const asWritten = !rounded && keepsItsText(digits, fraction.length, scale);
  return { nanos, text: asWritten ? text : printQuantity(nanos, scale.format) };
}

/** The zero that stands in for a quantity that is null or left out. */
export const zeroQuantity: Quantity = { nanos: 0n, text: '0' };

export const isQuantity = (value: Quantity | QuantityProblem): value is Quantity => typeof value !== 'string';

/** The next thousandth away from zero, as Quantity.MilliValue rounds. */
export const millisOf = (nanos: bigint): bigint => divideUp(nanos, nano / 1000n);

export type QuantityFormat = 'decimal' | 'exponent' | 'binary';

interface Scale {
  readonly format: QuantityFormat;
  /** Of ten or of two. */
  readonly exponent: number;
}

const nano = 1_000_000_000n;
const largestBinary = (2n ** 63n - 1n) * nano;
const badFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const badSuffix = "unable to parse quantity's suffix";
const badNumber = 'unable to parse numeric part of quantity';

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

function scaleOf(suffix: string): Scale | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { format: 'decimal', exponent: (decimal - 3) * 3 };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { format: 'binary', exponent: (binary + 1) * 10 };
  const exponent = /^[eE]([+-]?\d{1,9})$/.exec(suffix);
  return exponent ? { format: 'exponent', exponent: Number(exponent[1]) } : undefined;
}

function inNanos(digits: bigint, decimals: number, { format, exponent }: Scale): { nanos: bigint; rounded: boolean } {
  const [multiplied, shift] = format === 'binary' ? [digits << BigInt(exponent), 9 - decimals] : [digits, 9 - decimals + exponent];
  if (shift >= 0) return { nanos: multiplied * 10n ** BigInt(Math.min(shift, longest)), rounded: false };
  const divisor = 10n ** BigInt(Math.min(-shift, longest));
  return { nanos: divideUp(multiplied, divisor), rounded: multiplied % divisor !== 0n };
}

/** Digits beyond this are no quantity of anything, only a way to fill memory. */
const longest = 400;

function divideUp(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

/** The original remembers the text of what it reads the fast way, where it is likely to be canonical. */
function keepsItsText(digits: string, decimals: number, { format, exponent }: Scale): boolean {
  if (digits.length > 18) return false;
  if (format === 'binary') {
    const precision = 15 - digits.length - Math.floor((exponent * 3) / 10) - 1;
    return decimals === 0 && precision >= 0 && (BigInt(digits) & 7n) !== 0n;
  }
  const scale = exponent - decimals;
  return scale >= -9 && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

export function printQuantity(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return '0';
  const small = nanos > -1024n * nano && nanos < 1024n * nano;
  if (format === 'binary' && !small && nanos % nano === 0n) return printBinary(nanos / nano);
  return printDecimal(nanos, format === 'exponent');
}

function printBinary(whole: bigint): string {
  let [value, place] = [whole, -1];
  while (value % 1024n === 0n && place < binarySuffixes.length - 1) [value, place] = [value / 1024n, place + 1];
  return `${value}${binarySuffixes[place] ?? ''}`;
}

function printDecimal(nanos: bigint, asExponent: boolean): string {
  let [value, exponent] = [nanos, -9];
  while (value % 1000n === 0n && (asExponent || exponent < 18)) [value, exponent] = [value / 1000n, exponent + 3];
  if (asExponent) return exponent === 0 ? `${value}` : `${value}e${exponent}`;
  return `${value}${decimalSuffixes[exponent / 3 + 3] ?? ''}`;
}
