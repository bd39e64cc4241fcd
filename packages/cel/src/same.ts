/** True if two expression values are equal: numbers by value, lists in order, maps in any order. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1 are the same number
  if (isNumber(a) && isNumber(b)) return a == b;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a.constructor !== b.constructor) return false;
  if (a instanceof Map) return isSameMap(a, b as ReadonlyMap<unknown, unknown>);
  if (Array.isArray(a) || a instanceof Uint8Array) return isSameList(a as ArrayLike<unknown>, b as ArrayLike<unknown>);
  return hasPrimitiveValue(a) && hasPrimitiveValue(b) && a.valueOf() === b.valueOf();
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** True if `valueOf` returns a primitive, as for timestamps and durations. */
const hasPrimitiveValue = (value: object): boolean => typeof value.valueOf() !== 'object';

function isSameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)));
}

function isSameList(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  return a.length === b.length && Array.from(a).every((value, i) => isSame(value, b[i]));
}
