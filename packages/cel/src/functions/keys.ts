import {
  type CelDuration,
  type CelEvaluator,
  type CelOptional,
  type CelUint,
  entriesOf,
  isMap,
  isOptional,
  kindOf,
  nanosecondsOf,
  typeNameOf,
} from './kinds.ts';
import { createVisitCounter } from './limits.ts';

type VisitCounter = (weight?: number) => void;

/** A set of values. An operation takes about constant time. */
export interface CelValueSet {
  /** Returns true if the set did not contain the value. */
  add(value: unknown): boolean;
  has(value: unknown): boolean;
}

/**
 * Creates an empty set. Values are equal as in `Equal` of cel-go 0.26's common/types: the types of numbers do not matter; NaN equals
 * nothing.
 */
export function createValueSet(evaluator: CelEvaluator): CelValueSet {
  const countVisit = createVisitCounter();
  const valuesByKey = new Map<string, unknown[]>();
  const has = (value: unknown, key: string): boolean =>
    valuesByKey.get(key)?.some((each) => isEqual(each, value, evaluator, countVisit)) === true;
  return {
    add(value) {
      const key = keyOf(value, countVisit);
      if (has(value, key)) return false;
      const bucket = valuesByKey.get(key);
      if (bucket) bucket.push(value);
      else valuesByKey.set(key, [value]);
      return true;
    },
    has: (value) => has(value, keyOf(value, countVisit)),
  };
}

/** Returns a hash key: equal values have the same key, and different values rarely do. */
function keyOf(value: unknown, countVisit: VisitCounter): string {
  countVisit(1 + (typeof value === 'string' || value instanceof Uint8Array ? value.length >> 6 : 0));
  if (typeof value === 'string') return `s${value.length} ${value}`;
  const kind = kindOf(value);
  const write = keyWriters[kind];
  if (write) return write(value as never, countVisit);
  return `?${kind}`;
}

const keyWriters: Readonly<Record<string, (value: never, countVisit: VisitCounter) => string>> = {
  bool: String,
  null_type: String,
  int: (value: bigint) => `n${value}`,
  uint: ({ value }: CelUint) => `n${value}`,
  double: (value: number) => `n${value === 0 ? 0 : Number.isInteger(value) ? BigInt(value) : value}`,
  bytes: (value: Uint8Array) => `b${value.join()}`,
  type: (value: object) => `t${typeNameOf(value)}`,
  'google.protobuf.Timestamp': (value: Date) => `d${value.getTime()}`,
  'google.protobuf.Duration': (value: CelDuration) => `u${nanosecondsOf(value)}`,
  // Only from the first elements, because the set stores the keys.
  list: (value: readonly unknown[], countVisit) =>
    `[${value.length},${value.slice(0, maxKeyElements).map((each) => keyOf(each, countVisit))}]`,
  map: (value: object, countVisit) => {
    const entries = entriesOf(value);
    if (entries.length > maxKeyElements) return `{${entries.length}}`;
    return `{${entries.map(([key, each]) => `${keyOf(each, countVisit)}@${String(key)}`).sort()}}`;
  },
};

const maxKeyElements = 20;

/** True if the values are equal in the sense of `createValueSet`. */
export function isEqual(a: unknown, b: unknown, evaluator: CelEvaluator, countVisit: VisitCounter): boolean {
  countVisit();
  if (Number.isNaN(a)) return false;
  if (Object.is(a, b)) return true;
  if (typeof a === 'string' || typeof b === 'string') return false;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return keyOf(a, countVisit) === keyOf(b, countVisit);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, i) => isEqual(each, b[i], evaluator, countVisit));
  if (isMap(a)) return isMap(b) && areEqualMaps(a, b, evaluator, countVisit);
  if (isOptional(a)) return isOptional(b) && areEqualOptionals(a, b, evaluator, countVisit);
  if (kindOf(a) in keyWriters) return keyOf(a, countVisit) === keyOf(b, countVisit);
  const [left, right] = [evaluator.debugType(a), evaluator.debugType(b)];
  if (left !== right) return false;
  const overload = evaluator.registry.findBinaryOverload('==', left, right);
  return overload !== false && overload.handler(a, b, undefined, evaluator);
}

function areEqualMaps(a: object, b: object, evaluator: CelEvaluator, countVisit: VisitCounter): boolean {
  const entriesOfB = new Map(entriesOf(b).map(([key, value]) => [String(key), value]));
  const entries = entriesOf(a);
  return (
    entries.length === entriesOfB.size &&
    entries.every(([key, value]) => entriesOfB.has(String(key)) && isEqual(value, entriesOfB.get(String(key)), evaluator, countVisit))
  );
}

function areEqualOptionals(a: CelOptional, b: CelOptional, evaluator: CelEvaluator, countVisit: VisitCounter): boolean {
  if (!a.hasValue() || !b.hasValue()) return a.hasValue() === b.hasValue();
  return isEqual(a.value(), b.value(), evaluator, countVisit);
}
