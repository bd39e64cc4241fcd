import { CelFailure, type CelFunction } from '../library.ts';
import { type CelDuration, type CelEvaluator, type CelUint, classOf, kindOf, nanosecondsOf } from './kinds.ts';

type Sum = (this: CelEvaluator, list: never) => unknown;

const sumsByKind: Readonly<Record<string, Sum>> = {
  int: (list: readonly bigint[]) => within(total(list), -(2n ** 63n), 2n ** 63n - 1n, 'integer overflow'),
  uint(list: readonly CelUint[]) {
    const sum = total(list.map(({ value }) => value));
    return new (classOf<new (value: bigint) => CelUint>(this, 'uint'))(within(sum, 0n, 2n ** 64n - 1n, 'unsigned integer overflow'));
  },
  double: (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0),
  'google.protobuf.Duration': function (list: readonly CelDuration[]) {
    const sum = within(total(list.map(nanosecondsOf)), -(2n ** 63n), 2n ** 63n - 1n, 'integer overflow');
    const Duration = classOf<new (seconds: bigint, nanos: number) => CelDuration>(this, 'google.protobuf.Duration');
    return new Duration(sum / second, Number(sum % second));
  },
};

/** Mirrors `sum` of pkg/cel/library/lists.go of Kubernetes 1.36. */
export const sums: readonly CelFunction[] = Object.keys(sumsByKind).map((kind) => ({
  signature: `list<${kind}>.sum(): ${kind}`,
  // where the type is not known the first is called, and so the elements are asked
  run(this: CelEvaluator, list: readonly unknown[]) {
    const [first = kind, ...others] = new Set(list.map(kindOf));
    const sum = sumsByKind[first];
    if (!sum) throw new CelFailure('no such overload: sum(list)');
    if (others.length > 0) throw new CelFailure('no such overload');
    return sum.call(this, list as never);
  },
}));

const second = 1_000_000_000n;

const total = (list: readonly bigint[]): bigint => list.reduce((sum, each) => sum + each, 0n);

function within(sum: bigint, least: bigint, most: bigint, problem: string): bigint {
  if (sum < least || sum > most) throw new CelFailure(problem);
  return sum;
}
