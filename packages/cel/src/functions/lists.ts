import { CelFailure, type CelFunction, type CelPart, nanosecondsPerSecond } from '../library.ts';
import { createValueSet, isEqual } from './keys.ts';
import { type CelDuration, type CelEvaluator, type CelUint, classOf, kindOf, nanosecondsOf } from './kinds.ts';
import { checkElementCount, createVisitCounter } from './limits.ts';
import { compareValues, isComparable } from './order.ts';
import { replacementName } from './replacements.ts';

type SumFunction = (this: CelEvaluator, list: never) => unknown;

const sumsByKind: Readonly<Record<string, SumFunction>> = {
  int: (list: readonly bigint[]) => checkRange(addAll(list), -(2n ** 63n), 2n ** 63n - 1n, 'integer overflow'),
  uint(list: readonly CelUint[]) {
    const sum = addAll(list.map(({ value }) => value));
    return new (classOf<new (value: bigint) => CelUint>(this, 'uint'))(checkRange(sum, 0n, 2n ** 64n - 1n, 'unsigned integer overflow'));
  },
  double: (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0),
  'google.protobuf.Duration': function (list: readonly CelDuration[]) {
    const sum = checkRange(addAll(list.map(nanosecondsOf)), -(2n ** 63n), 2n ** 63n - 1n, 'integer overflow');
    const Duration = classOf<new (seconds: bigint, nanos: number) => CelDuration>(this, 'google.protobuf.Duration');
    return new Duration(sum / nanosecondsPerSecond, Number(sum % nanosecondsPerSecond));
  },
};

/** Mirrors `sum` of pkg/cel/library/lists.go of Kubernetes 1.36. */
export const sumFunctions: readonly CelFunction[] = Object.keys(sumsByKind).map((kind) => ({
  signature: `list<${kind}>.sum(): ${kind}`,
  // If the static type is unknown, the library calls the first overload, so the elements decide.
  run(this: CelEvaluator, list: readonly unknown[]) {
    const [first = kind, ...others] = new Set(list.map(kindOf));
    const sum = sumsByKind[first];
    if (!sum) throw new CelFailure('no such overload: sum(list)');
    if (others.length > 0) throw new CelFailure('no such overload');
    return sum.call(this, list as never);
  },
}));

const addAll = (list: readonly bigint[]): bigint => list.reduce((sum, each) => sum + each, 0n);

function checkRange(sum: bigint, min: bigint, max: bigint, problem: string): bigint {
  if (sum < min || sum > max) throw new CelFailure(problem);
  return sum;
}

type List = readonly unknown[];

/**
 * Mirrors pkg/cel/library/lists.go of Kubernetes 1.36, and ext/lists.go of cel-go 0.26 at version 3, except `sortBy`. `indexOf` and
 * `lastIndexOf` require the string functions to be registered, too.
 */
export const listFunctions: CelPart = {
  namespaces: ['lists'],
  functions: [
    ...createOverloads('isSorted', () => 'bool', isSorted),
    ...createOverloads(
      'min',
      (type) => type,
      (list) => findExtreme(list, 'min', 1),
    ),
    ...createOverloads(
      'max',
      (type) => type,
      (list) => findExtreme(list, 'max', -1),
    ),
    ...createOverloads('sort', (type) => `list<${type}>`, sort),
    ...sumFunctions,
    // `list<dyn>`, so that lists of mixed types can be searched.
    { signature: `list<dyn>.${replacementName('indexOf')}(dyn): int`, run: indexOf },
    { signature: `list<dyn>.${replacementName('lastIndexOf')}(dyn): int`, run: lastIndexOf },
    { signature: 'list<A>.slice(int, int): list<A>', run: slice },
    { signature: 'list<list<A>>.flatten(): list<A>', run: (list: List) => flatten(list, 1n) },
    { signature: 'list<A>.flatten(int): list<dyn>', run: flatten },
    { signature: 'list<A>.distinct(): list<A>', run: distinct },
    { signature: 'list<A>.reverse(): list<A>', run: (list: List) => list.toReversed() },
    { signature: 'lists.range(int): list<int>', run: (_: object, count: bigint) => range(count) },
  ],
};

/** Creates an overload for each comparable element type. */
function createOverloads(name: string, returnTypeOf: (type: string) => string, run: (list: List) => unknown): readonly CelFunction[] {
  const types = ['int', 'uint', 'double', 'bool', 'google.protobuf.Duration', 'google.protobuf.Timestamp', 'string', 'bytes'];
  return types.map((type) => ({ signature: `list<${type}>.${name}(): ${returnTypeOf(type)}`, run }));
}

function isSorted(list: List): boolean {
  return list.every((each, i) => i === 0 || (compareValues(list[i - 1], each) ?? 0) <= 0);
}

/** @param replacingSign the sign of comparing the best element so far with an element that replaces it */
function findExtreme(list: List, name: string, replacingSign: 1 | -1): unknown {
  if (list.length === 0) throw new CelFailure(`${name} called on empty list`);
  return list.reduce((best, each) => (Math.sign(compareValues(best, each) ?? 0) === replacingSign ? each : best));
}

function sort(list: List): List {
  if (list.length > 0 && !isComparable(list[0])) throw new CelFailure('list elements must be comparable');
  const kinds = new Set(list.map(kindOf));
  if (kinds.size > 1) throw new CelFailure('list elements must have the same type');
  return list.toSorted((a, b) => compareValues(a, b) ?? 0);
}

function indexOf(this: CelEvaluator, list: List, element: unknown): bigint {
  const countVisit = createVisitCounter();
  return BigInt(list.findIndex((each) => isEqual(each, element, this, countVisit)));
}

function lastIndexOf(this: CelEvaluator, list: List, element: unknown): bigint {
  const countVisit = createVisitCounter();
  return BigInt(list.findLastIndex((each) => isEqual(each, element, this, countVisit)));
}

function slice(list: List, from: bigint, to: bigint): List {
  const fail = (reason: string): CelFailure => new CelFailure(`cannot slice(${from}, ${to}), ${reason}`);
  if (from < 0n || to < 0n) throw fail('negative indexes not supported');
  if (from > to) throw fail('start index must be less than or equal to end index');
  if (list.length < to) throw fail(`list is length ${list.length}`);
  return list.slice(Number(from), Number(to));
}

function flatten(list: List, depth: bigint): List {
  if (depth < 0n) throw new CelFailure('level must be non-negative');
  const flattened: unknown[] = [];
  const countVisit = createVisitCounter();
  const add = (each: unknown, remainingDepth: bigint): void => {
    countVisit();
    if (Array.isArray(each) && remainingDepth >= 0n) for (const inner of each) add(inner, remainingDepth - 1n);
    else flattened.push(each);
    checkElementCount(flattened.length);
  };
  add(list, depth);
  return flattened;
}

function distinct(this: CelEvaluator, list: List): List {
  const valueSet = createValueSet(this);
  return list.filter((each) => valueSet.add(each));
}

function range(count: bigint): List {
  const length = count < 0n ? 0 : Number(count);
  checkElementCount(length);
  return Array.from({ length }, (_, i) => BigInt(i));
}
