/** A range of costs or sizes, both of which are unsigned integers of 64 bits. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

/** The greatest cost or size; larger results are replaced by it. */
export const maxUint64: bigint = 2n ** 64n - 1n;

export const fixed = (value: bigint | number): Range => ({ min: BigInt(value), max: BigInt(value) });
export const zero: Range = fixed(0);
export const one: Range = fixed(1);
export const unknownSize: Range = { min: 0n, max: maxUint64 };

const limit = (value: bigint): bigint => (value > maxUint64 ? maxUint64 : value);

export const add = (a: Range, b: Range): Range => ({ min: limit(a.min + b.min), max: limit(a.max + b.max) });
export const sum = (ranges: readonly Range[]): Range => ranges.reduce(add, zero);
export const multiply = (a: Range, b: Range): Range => ({ min: limit(a.min * b.min), max: limit(a.max * b.max) });
export const union = (a: Range, b: Range): Range => ({ min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max });

/** Multiplies by a factor, in floating-point numbers and rounded up as upstream. */
export const scale = ({ min, max }: Range, factor: number): Range => ({ min: scaleValue(min, factor), max: scaleValue(max, factor) });

function scaleValue(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? maxUint64 : BigInt(product);
}

/** The cost to traverse a text of one unit of size. */
export const traversalFactor = 0.1;
/** The cost of a regular expression of one unit of size. */
export const patternFactor = 0.25;
export const listCost: Range = fixed(10);
export const mapCost: Range = fixed(30);
