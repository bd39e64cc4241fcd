import { sizeOf } from './intern.ts';

/** Approximate bytes of each shared value; entries disappear with the value. */
const sizes = new WeakMap<object, number>();

/** Freezes a JSON value at every depth and records its size, so that stored objects can reference it instead of a copy. */
export function share<T extends object>(value: T): T {
  deepFreeze(value);
  sizes.set(value, sizeOf(value));
  return value;
}

/** Approximate bytes of a value that was passed to `share`; undefined for other values. */
export const sizeOfShared = (value: object): number | undefined => sizes.get(value);

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
