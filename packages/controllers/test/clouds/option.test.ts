import { expect, it } from 'vitest';
import { wholeNumber } from '../../src/clouds/option.ts';

it.each([0, 7, Number.MAX_SAFE_INTEGER])('takes %s', (value) => {
  expect(wholeNumber('so many', value, 0)).toBe(value);
});

it.each<[unknown, string]>([
  [-1, '-1'],
  [1.5, '1.5'],
  [Number.NaN, 'NaN'],
  ['5', '"5"'],
  [null, 'null'],
])('refuses %s, and says what to give', (value, shown) => {
  expect(() => wholeNumber('so many', value, 0)).toThrow(new RangeError(`so many is ${shown}: give a whole number from 0 on`));
});
