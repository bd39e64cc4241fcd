import { fc } from '../support/property.ts';
import { sampledRunCount } from '../support/sample.ts';
import { versions } from './releases.ts';

/** Checks a property for generated values in each release of `versions`. */
export function checkInEveryRelease<T>(arbitrary: fc.Arbitrary<T>, check: (value: T, version: string) => void, numRuns = 60): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      for (const version of versions) check(value, version);
    }),
    { numRuns: sampledRunCount(numRuns) },
  );
}

/** Freezes a value recursively, except for Dates, which cannot be protected against their setters. */
export function freezeDeeply<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !(value instanceof Date)) {
    Object.freeze(value);
    for (const each of Object.values(value)) freezeDeeply(each);
  }
  return value;
}

/** Changes every part of a value. */
export function scramble(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  if (value instanceof Date) {
    value.setTime(0);
    return;
  }
  for (const each of Object.values(value)) scramble(each);
  if (Array.isArray(value)) value.push('scrambled');
  else
    for (const key of [...Object.keys(value), 'scrambled'])
      Object.defineProperty(value, key, { value: 'scrambled', enumerable: true, configurable: true, writable: true });
}
