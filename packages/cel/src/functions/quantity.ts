import { fitsInt64, type QuantityText, scanQuantity } from 'kube-endpoints/internal/apimachinery';
import { CelFailure, type CelPart } from '../library.ts';

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

/**
 * Mirrors apiserver/pkg/cel/library/quantity.go (1.36). Like upstream, `sign` is a global function, although its documentation shows a
 * method.
 */
export const quantityFunctions: CelPart = {
  types: [{ name: type, ctor: CelQuantity, equals: (a: CelQuantity, b: CelQuantity) => compare(a, b) === 0 }],
  functions: [
    { signature: `quantity(string): ${type}`, run: (text: string) => new CelQuantity(parseAmount(text)) },
    { signature: 'isQuantity(string): bool', run: (text: string) => typeof scanQuantity(text) !== 'string' },
    { signature: `sign(${type}): int`, run: ({ amount }: CelQuantity) => BigInt(compareAmounts(amount, zero)) },
    { signature: `${type}.isInteger(): bool`, run: ({ amount }: CelQuantity) => toInteger(amount) !== undefined },
    { signature: `${type}.asInteger(): int`, run: asInteger },
    { signature: `${type}.asApproximateFloat(): double`, run: ({ amount }: CelQuantity) => toFloat(amount) },
    { signature: `${type}.isLessThan(${type}): bool`, run: (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0 },
    { signature: `${type}.isGreaterThan(${type}): bool`, run: (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0 },
    { signature: `${type}.compareTo(${type}): int`, run: (a: CelQuantity, b: CelQuantity) => BigInt(compare(a, b)) },
    ...[
      { name: 'add', operate: addAmounts },
      { name: 'sub', operate: subtractAmounts },
    ].flatMap(({ name, operate }) => [
      {
        signature: `${type}.${name}(${type}): ${type}`,
        run: (a: CelQuantity, b: CelQuantity) => new CelQuantity(operate(a.amount, b.amount)),
      },
      {
        signature: `${type}.${name}(int): ${type}`,
        run: (a: CelQuantity, b: bigint) => new CelQuantity(operate(a.amount, createIntegerAmount(b))),
      },
    ]),
  ],
};

const createIntegerAmount = (value: bigint): Amount => ({ value, scale: 0, isInfDec: false });

const zero = createIntegerAmount(0n);

const compare = (a: CelQuantity, b: CelQuantity): number => compareAmounts(a.amount, b.amount);

function asInteger({ amount }: CelQuantity): bigint {
  const value = toInteger(amount);
  if (value === undefined) throw new CelFailure('cannot convert value to integer');
  return value;
}

/**
 * Mirrors ParseQuantity (apimachinery/pkg/api/resource/quantity.go, 1.36), with more digits than the root package's parseQuantity keeps.
 * @throws CelFailure if the text is not a quantity or has too many digits
 */
function parseAmount(text: string): Amount {
  const scanned = scanQuantity(text);
  if (typeof scanned === 'string') throw new CelFailure(scanned);
  return fitsInt64(scanned) ? toInt64Amount(scanned) : toInfDecAmount(scanned);
}

/** Converts a quantity that fits 64 bits without rounding. */
function toInt64Amount({ isNegative, whole, fraction, format, exponent }: QuantityText): Amount {
  const isBinary = format === 'binary';
  const magnitude = BigInt(whole + fraction) << BigInt(isBinary ? exponent : 0);
  return { value: isNegative ? -magnitude : magnitude, scale: isBinary ? 0 : exponent - fraction.length, isInfDec: false };
}

/**
 * Converts any other quantity, rounding away from zero to billionths. Like upstream, limits a binary quantity above the maximum int64 to
 * it.
 * @throws CelFailure if the quantity has too many digits
 */
function toInfDecAmount({ isNegative, whole, fraction, format, exponent }: QuantityText): Amount {
  const isBinary = format === 'binary';
  const { digits, scale } = truncateDigits((whole + fraction).replace(/^0+/, ''), isBinary ? -fraction.length : exponent - fraction.length);
  if (digits === '') return { value: 0n, scale, isInfDec: true };
  if (digits.length > maxDigits) throw createTooLongError();
  const magnitude = BigInt(digits) << BigInt(isBinary ? exponent : 0);
  const rounded =
    scale < nanoScale ? divideRoundingUp(magnitude, 10n ** BigInt(nanoScale - scale)) : multiplyByPowerOf10(magnitude, scale - nanoScale);
  const amount = isBinary && rounded > maxInt64 * billion ? { value: maxInt64, scale: 0 } : { value: rounded, scale: nanoScale };
  return { ...amount, value: isNegative ? -amount.value : amount.value, isInfDec: true };
}

/**
 * Replaces the digits beyond 60 below billionths by a single digit: 1 if any of them is nonzero, else 0. The other digits suffice to round
 * to billionths, since a binary exponent doubles the number at most 60 times.
 */
function truncateDigits(digits: string, scale: number): { readonly digits: string; readonly scale: number } {
  const surplus = minScale - scale;
  if (surplus <= 0 || digits === '') return { digits, scale };
  const keptCount = Math.max(digits.length - surplus, 0);
  return { digits: `${digits.slice(0, keptCount)}${/[1-9]/.test(digits.slice(keptCount)) ? 1 : 0}`, scale: minScale - 1 };
}

const nanoScale = -9;
const minScale = nanoScale - 60;
const billion = 10n ** 9n;
const maxInt64 = 2n ** 63n - 1n;

const divideRoundingUp = (value: bigint, divisor: bigint): bigint => (value + divisor - 1n) / divisor;

/** The number `value * 10 ** scale`. */
export interface Amount {
  readonly value: bigint;
  readonly scale: number;
  /** True if Kubernetes stores the amount as an inf.Dec instead of an int64; then `isInteger` is always false. */
  readonly isInfDec: boolean;
}

/** The maximum number of digits, which limits the memory of a number. */
export const maxDigits = 1000;

/** @throws CelFailure if the result has too many digits */
export function multiplyByPowerOf10(value: bigint, exponent: number): bigint {
  if (exponent === 0 || value === 0n) return value;
  if (exponent > maxDigits) throw createTooLongError();
  const scaled = value * 10n ** BigInt(exponent);
  if (scaled > maxMagnitude || scaled < -maxMagnitude) throw createTooLongError();
  return scaled;
}

export const createTooLongError = (): CelFailure => new CelFailure(`quantities of more than ${maxDigits} digits are not supported`);

/** Mirrors Quantity.Cmp (apimachinery/pkg/api/resource/quantity.go, 1.36). The functions below mirror others of that file. */
export function compareAmounts(a: Amount, b: Amount): number {
  const [signA, signB] = [signOf(a.value), signOf(b.value)];
  if (signA !== signB || signA === 0) return Math.sign(signA - signB);
  const scaleDifference = a.scale - b.scale;
  if (Math.abs(scaleDifference) > maxDigits) return scaleDifference > 0 ? signA : -signA;
  const [scaledA, scaledB] = [
    a.value * 10n ** BigInt(Math.max(scaleDifference, 0)),
    b.value * 10n ** BigInt(Math.max(-scaleDifference, 0)),
  ];
  return signOf(scaledA - scaledB);
}

/** Mirrors Add. @throws CelFailure if the result has too many digits */
export function addAmounts(a: Amount, b: Amount): Amount {
  const isInfDec = a.isInfDec || b.isInfDec;
  if (!isInfDec && b.value === 0n) return a;
  if (!isInfDec && a.value === 0n) return b;
  const scale = Math.min(a.scale, b.scale);
  const [scaledA, scaledB] = [multiplyByPowerOf10(a.value, a.scale - scale), multiplyByPowerOf10(b.value, b.scale - scale)];
  const value = multiplyByPowerOf10(scaledA + scaledB, 0);
  return { value, scale, isInfDec: isInfDec || ![scaledA, scaledB, value].every(isInt64) };
}

/** Mirrors Sub, including its bug: the smallest 64-bit number has no negation, so it is added instead of subtracted. */
export function subtractAmounts(a: Amount, b: Amount): Amount {
  const result = addAmounts(a, { ...b, value: BigInt.asIntN(64, -b.value) });
  return result.isInfDec ? addAmounts(a, { ...b, value: -b.value, isInfDec: true }) : result;
}

/** Formats an amount, so that equal numbers have equal texts. */
export function printAmount({ value, scale }: Amount): string {
  const digits = `${value}`;
  const significantDigits = digits.replace(/0+$/, '');
  return significantDigits === '' ? '0' : `${significantDigits}e${scale + digits.length - significantDigits.length}`;
}

/**
 * Mirrors AsInt64: undefined if Kubernetes does not store the amount as an int64, if its scale is negative (even if its value is 0), or if
 * the integer does not fit 64 bits.
 */
export function toInteger({ value, scale, isInfDec }: Amount): bigint | undefined {
  if (isInfDec || scale < 0) return undefined;
  if (value === 0n) return 0n;
  if (scale > 18) return undefined;
  const scaled = value * 10n ** BigInt(scale);
  return isInt64(scaled) ? scaled : undefined;
}

/** Mirrors AsApproximateFloat64, which rounds twice. */
export function toFloat({ value, scale }: Amount): number {
  return scale === 0 ? Number(value) : Number(value) * powerOf10(scale);
}

/** Mirrors math.Pow10 (Go 1.26), which multiplies two table entries. */
function powerOf10(exponent: number): number {
  if (exponent < -323) return 0;
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  const rest = Math.abs(exponent) % 32;
  const multipleOf32 = Math.abs(exponent) - rest;
  return exponent < 0 ? Number(`1e-${multipleOf32}`) / Number(`1e${rest}`) : Number(`1e${multipleOf32}`) * Number(`1e${rest}`);
}

const maxMagnitude = 10n ** BigInt(maxDigits);

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);
