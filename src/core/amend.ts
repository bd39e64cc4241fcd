import { type Draft, Immer } from 'immer';

/**
 * A copy of `object` in which only what `recipe` sets is different. It shares nothing with the original, which is neither
 * written to nor frozen and may be an instance of a class, as `@kubernetes/client-node` hands them out.
 */
export function amend<T extends object>(object: T, recipe: (draft: Draft<T>) => void): T {
  const { produce } = new Immer({ autoFreeze: false });
  return produce(plainCopy(object), recipe);
}

/** A deep copy in plain objects and arrays; fields that are undefined are left out, Dates stay Dates. */
export function plainCopy<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return new Date(value) as T;
  if (Array.isArray(value)) return value.map(plainCopy) as T;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, plainCopy(field)])) as T;
}
