import { CelFailure } from '../library.ts';

/** A number of `value * 10 ** scale`. */
export interface Amount {
  readonly value: bigint;
  readonly scale: number;
  /** Whether the original holds it as a number of any length; else its value has 64 bits. Of such it never says that it is an integer. */
  readonly isLong: boolean;
}

/** How many digits a number may have. More are an amount of nothing, only a way to fill memory. */
export const mostDigits = 1000;

/** @throws CelFailure where it would have too many digits */
export function scaledUp(value: bigint, by: number): bigint {
  if (by === 0 || value === 0n) return value;
  if (by > mostDigits) throw tooLong();
  const scaled = value * 10n ** BigInt(by);
  if (scaled > largest || scaled < -largest) throw tooLong();
  return scaled;
}

export const tooLong = (): CelFailure => new CelFailure(`quantities of more than ${mostDigits} digits cannot be reckoned with`);

/** Mirrors Quantity.Cmp (apimachinery/pkg/api/resource/quantity.go, 1.36), as the functions below do those of that file. */
export function compareAmounts(a: Amount, b: Amount): number {
  const [signA, signB] = [signOf(a.value), signOf(b.value)];
  if (signA !== signB || signA === 0) return Math.sign(signA - signB);
  const apart = a.scale - b.scale;
  if (Math.abs(apart) > mostDigits) return apart > 0 ? signA : -signA;
  const [scaledA, scaledB] = [a.value * 10n ** BigInt(Math.max(apart, 0)), b.value * 10n ** BigInt(Math.max(-apart, 0))];
  return signOf(scaledA - scaledB);
}

/** Add. */
export function sumOf(a: Amount, b: Amount): Amount {
  const isLong = a.isLong || b.isLong;
  if (!isLong && b.value === 0n) return a;
  if (!isLong && a.value === 0n) return b;
  const scale = Math.min(a.scale, b.scale);
  const [scaledA, scaledB] = [scaledUp(a.value, a.scale - scale), scaledUp(b.value, b.scale - scale)];
  const value = scaledUp(scaledA + scaledB, 0);
  return { value, scale, isLong: isLong || ![scaledA, scaledB, value].every(isShort) };
}

/** Sub: the smallest of the numbers of 64 bits has no opposite among them, and is added where it should be taken away. */
export function differenceOf(a: Amount, b: Amount): Amount {
  const short = sumOf(a, { ...b, value: BigInt.asIntN(64, -b.value) });
  return short.isLong ? sumOf(a, { ...b, value: -b.value, isLong: true }) : short;
}

/** The same text for the same number. */
export function printAmount({ value, scale }: Amount): string {
  const digits = `${value}`;
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${short}e${scale + digits.length - short.length}`;
}

/** AsInt64: undefined where it has none, which is so of fractions of zeros as well. */
export function integerOf({ value, scale, isLong }: Amount): bigint | undefined {
  if (isLong || scale < 0) return undefined;
  if (value === 0n) return 0n;
  if (scale > 18) return undefined;
  const scaled = value * 10n ** BigInt(scale);
  return isShort(scaled) ? scaled : undefined;
}

/** AsApproximateFloat64: rounded twice. */
export function floatOf({ value, scale }: Amount): number {
  return scale === 0 ? Number(value) : Number(value) * power(scale);
}

/** Mirrors math.Pow10 (Go 1.26), whose powers are made of two numbers. */
function power(exponent: number): number {
  if (exponent < -323) return 0;
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  const rest = Math.abs(exponent) % 32;
  const most = Math.abs(exponent) - rest;
  return exponent < 0 ? Number(`1e-${most}`) / Number(`1e${rest}`) : Number(`1e${most}`) * Number(`1e${rest}`);
}

const largest = 10n ** BigInt(mostDigits);

const isShort = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);
