import { CelFailure } from '../library.ts';
import { type Amount, mostDigits, scaledUp, tooLong } from './decimal.ts';

/** What a text of a quantity is made of. */
export interface AmountText {
  readonly isNegative: boolean;
  /** Without zeros in front, but for one that stands alone. */
  readonly whole: string;
  readonly fraction: string;
  readonly base: 2 | 10;
  readonly exponent: number;
}

/**
 * Mirrors ParseQuantity (apimachinery/pkg/api/resource/quantity.go, 1.36).
 * @throws CelFailure where it is none, or has too many digits
 */
export function parseAmount(text: string): Amount {
  const scanned = scanAmount(text);
  if (typeof scanned === 'string') throw new CelFailure(scanned);
  return shortAmount(scanned) ?? longAmount(scanned);
}

/** @returns what is wrong where it is no quantity */
export function scanAmount(text: string): AmountText | string {
  const [number, sign, digits, fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?/.exec(text) as unknown as [string, string, string, string?];
  const suffix = text.slice(number.length);
  if (text === '' || !/^[eEinumkKMGTP]*[+-]?\d*$/.test(suffix)) return badFormat;
  const scale = scaleOf(suffix);
  if (!scale) return badSuffix;
  const scanned = { isNegative: sign === '-', whole: digits.replace(/^0+/, '') || '0', fraction, ...scale };
  return digits === '' && fraction === '' && !shortAmount(scanned) ? badNumber : scanned;
}

const badFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const badSuffix = "unable to parse quantity's suffix";
const badNumber = 'unable to parse numeric part of quantity';

type Scale = Pick<AmountText, 'base' | 'exponent'>;

function scaleOf(suffix: string): Scale | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { base: 10, exponent: (decimal - 3) * 3 };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { base: 2, exponent: (binary + 1) * 10 };
  const [, sign, digits = ''] = /^[eE]([+-]?)0*(\d+)$/.exec(suffix) ?? [];
  if (digits === '' || digits.length > 19) return undefined;
  const exponent = sign === '-' ? -BigInt(digits) : BigInt(digits);
  // what does not fit 32 bits loses those in front
  return BigInt.asIntN(64, exponent) === exponent ? { base: 10, exponent: Number(BigInt.asIntN(32, exponent)) } : undefined;
}

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** What fits 64 bits and takes no rounding. */
function shortAmount({ isNegative, whole, fraction, base, exponent }: AmountText): Amount | undefined {
  const isBinary = base === 2;
  const spare = isBinary ? 14 - whole.length - Math.floor((exponent * 3) / 10) : 18 - whole.length - fraction.length;
  const scale = isBinary ? 0 : exponent - fraction.length;
  if (spare < 0 || scale < nano || (isBinary && fraction !== '')) return undefined;
  const magnitude = BigInt(whole + fraction) << BigInt(isBinary ? exponent : 0);
  return { value: isNegative ? -magnitude : magnitude, scale, isLong: false };
}

/** All else is rounded to billionths, away from zero. */
function longAmount({ isNegative, whole, fraction, base, exponent }: AmountText): Amount {
  const isBinary = base === 2;
  const { digits, scale } = shortened((whole + fraction).replace(/^0+/, ''), isBinary ? -fraction.length : exponent - fraction.length);
  if (digits === '') return { value: 0n, scale, isLong: true };
  if (digits.length > mostDigits) throw tooLong();
  const magnitude = BigInt(digits) << BigInt(isBinary ? exponent : 0);
  const rounded = scale < nano ? dividedUp(magnitude, 10n ** BigInt(nano - scale)) : scaledUp(magnitude, scale - nano);
  const amount = isBinary && rounded > largestBinary * billion ? { value: largestBinary, scale: 0 } : { value: rounded, scale: nano };
  return { ...amount, value: isNegative ? -amount.value : amount.value, isLong: true };
}

/**
 * Digits that cannot change what a number is rounded to make way for one that tells whether there were any. As many stay as there are
 * billionths, and as a number that doubles 60 times may move into them.
 */
function shortened(digits: string, scale: number): { readonly digits: string; readonly scale: number } {
  const surplus = lowest - scale;
  if (surplus <= 0 || digits === '') return { digits, scale };
  const at = Math.max(digits.length - surplus, 0);
  return { digits: `${digits.slice(0, at)}${/[1-9]/.test(digits.slice(at)) ? 1 : 0}`, scale: lowest - 1 };
}

const nano = -9;
const lowest = nano - 60;
const billion = 10n ** 9n;
const largestBinary = 2n ** 63n - 1n;

const dividedUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;
