import { expect, it } from 'vitest';
import { sizeOf } from '../../src/store/intern.ts';
import { share, sizeOfShared } from '../../src/store/shared.ts';

it('share freezes a value deeply and records its size', () => {
  const value = { a: Object.freeze({ b: [{ c: 1 }] }), d: 'x' };
  expect(share(value)).toBe(value);
  expect([value, value.a, value.a.b, value.a.b[0]].map(Object.isFrozen)).toEqual([true, true, true, true]);
  expect(sizeOfShared(value)).toBe(sizeOf(value));
  expect(sizeOfShared(value.a)).toBeUndefined();
});
