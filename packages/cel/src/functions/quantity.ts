import { fitsInt64, type QuantityText, scanQuantity } from 'kube-endpoints/internal';
import { CelFailure, type CelPart } from '../library.ts';
import {
  type Amount,
  compareAmounts,
  differenceOf,
  floatOf,
  integerOf,
  mostDigits,
  printAmount,
  scaledUp,
  sumOf,
  tooLong,
} from './decimal.ts';

/** An amount of something. */
export class CelQuantity {
  readonly amount: Amount;
  constructor(amount: Amount) {
    this.amount = amount;
  }
  valueOf(): string {
    return printAmount(this.amount);
  }
}

const type = 'kubernetes.Quantity';

/** Mirrors apiserver/pkg/cel/library/quantity.go (1.36). `sign` is no method there either, whatever its documentation says. */
export const quantityFunctions: CelPart = {
  types: [{ name: type, ctor: CelQuantity, same: (a: CelQuantity, b: CelQuantity) => compare(a, b) === 0 }],
  functions: [
    { signature: `quantity(string): ${type}`, run: (text: string) => new CelQuantity(parseAmount(text)) },
    { signature: 'isQuantity(string): bool', run: (text: string) => typeof scanQuantity(text) !== 'string' },
    { signature: `sign(${type}): int`, run: ({ amount }: CelQuantity) => BigInt(compareAmounts(amount, zero)) },
    { signature: `${type}.isInteger(): bool`, run: ({ amount }: CelQuantity) => integerOf(amount) !== undefined },
    { signature: `${type}.asInteger(): int`, run: asInteger },
    { signature: `${type}.asApproximateFloat(): double`, run: ({ amount }: CelQuantity) => floatOf(amount) },
    { signature: `${type}.isLessThan(${type}): bool`, run: (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0 },
    { signature: `${type}.isGreaterThan(${type}): bool`, run: (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0 },
    { signature: `${type}.compareTo(${type}): int`, run: (a: CelQuantity, b: CelQuantity) => BigInt(compare(a, b)) },
    ...[
      { name: 'add', reckon: sumOf },
      { name: 'sub', reckon: differenceOf },
    ].flatMap(({ name, reckon }) => [
      {
        signature: `${type}.${name}(${type}): ${type}`,
        run: (a: CelQuantity, b: CelQuantity) => new CelQuantity(reckon(a.amount, b.amount)),
      },
      { signature: `${type}.${name}(int): ${type}`, run: (a: CelQuantity, b: bigint) => new CelQuantity(reckon(a.amount, whole(b))) },
    ]),
  ],
};

const whole = (value: bigint): Amount => ({ value, scale: 0, isLong: false });

const zero = whole(0n);

const compare = (a: CelQuantity, b: CelQuantity): number => compareAmounts(a.amount, b.amount);

function asInteger({ amount }: CelQuantity): bigint {
  const value = integerOf(amount);
  if (value === undefined) throw new CelFailure('cannot convert value to integer');
  return value;
}

/**
 * Mirrors ParseQuantity (apimachinery/pkg/api/resource/quantity.go, 1.36), with more digits than the root's parseQuantity keeps.
 * @throws CelFailure if the text is no quantity, or has too many digits
 */
function parseAmount(text: string): Amount {
  const scanned = scanQuantity(text);
  if (typeof scanned === 'string') throw new CelFailure(scanned);
  return fitsInt64(scanned) ? shortAmount(scanned) : longAmount(scanned);
}

/** What fits 64 bits and takes no rounding. */
function shortAmount({ isNegative, whole, fraction, format, exponent }: QuantityText): Amount {
  const isBinary = format === 'binary';
  const magnitude = BigInt(whole + fraction) << BigInt(isBinary ? exponent : 0);
  return { value: isNegative ? -magnitude : magnitude, scale: isBinary ? 0 : exponent - fraction.length, isLong: false };
}

/** All else is rounded to billionths, away from zero. */
function longAmount({ isNegative, whole, fraction, format, exponent }: QuantityText): Amount {
  const isBinary = format === 'binary';
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
