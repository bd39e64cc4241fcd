import { describe, expect, it } from 'vitest';
import { isWhole, printFloat, printNumber, printPlain } from '../../../src/custom-resources/json-path/print.ts';

describe('printPlain', () => {
  it.each([
    ['text', 'text'],
    [true, 'true'],
    [null, '<nil>'],
    [{ b: [1, 'x'], a: null }, 'map[a:<nil> b:[1 x]]'],
    [1.5, '1.5'],
  ])('prints %j as Go does', (value, text) => {
    expect(printPlain(value)).toBe(text);
  });
});

describe('printNumber', () => {
  it.each([
    [1e15, '1000000000000000'],
    [1e18, '1000000000000000000'],
    [1e19, '1e+19'],
    [0.00001, '1e-05'],
    [0.0001, '0.0001'],
    [1234567.5, '1.2345675e+06'],
    [-0.5, '-0.5'],
  ])('prints %d', (value, text) => {
    expect(printNumber(value)).toBe(text);
  });

  it('takes whole numbers of 64 bits for such', () => {
    expect([isWhole(5), isWhole(2 ** 62), isWhole(2 ** 63), isWhole(1.5)]).toEqual([true, true, false, false]);
    expect(printFloat(0)).toBe('0');
  });
});
