import { sizeOf } from './intern.ts';

/** What is known of values that several objects have as they stand: what each takes of memory. It is forgotten together with them. */
const sizes = new WeakMap<object, number>();

/** Freezes a value of JSON all the way down: from then on, objects that are stored have it in common, and not a copy each. */
export function share<T extends object>(value: T): T {
  freezeWhole(value);
  sizes.set(value, sizeOf(value));
  return value;
}

/** The bytes that a value takes which is shared; undefined for all others. */
export const sizeOfShared = (value: object): number | undefined => sizes.get(value);

function freezeWhole(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const each of Object.values(value)) freezeWhole(each);
}
