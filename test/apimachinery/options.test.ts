import { expect, it } from 'vitest';
import { requireWholeNumber } from '../../src/apimachinery/index.ts';

it('requireWholeNumber accepts integers of at least the minimum', () => {
  expect([requireWholeNumber('workers', 1, 1), requireWholeNumber('limit', 0, 0)]).toStrictEqual([1, 0]);
});

it.each([
  [0, '0'],
  [1.5, '1.5'],
  [Number.NaN, 'NaN'],
  ['2', '"2"'],
  [undefined, 'undefined'],
  [2 ** 53, '9007199254740992'],
])('requireWholeNumber refuses %s', (value, shown) => {
  expect(() => requireWholeNumber('workers', value, 1)).toThrow(new RangeError(`workers is ${shown}: give a whole number of at least 1`));
});
