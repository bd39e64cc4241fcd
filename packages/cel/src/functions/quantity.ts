import { CelFailure, type CelPart } from '../library.ts';
import { parseAmount, scanAmount } from './amount.ts';
import { type Amount, compareAmounts, differenceOf, floatOf, integerOf, printAmount, sumOf } from './decimal.ts';

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
    { signature: 'isQuantity(string): bool', run: (text: string) => typeof scanAmount(text) !== 'string' },
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
