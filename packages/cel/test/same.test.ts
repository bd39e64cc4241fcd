import * as library from '@marcbachmann/cel-js';
import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, test } from 'vitest';
import { createValueMaker, isSame } from '../src/internal.ts';

const { createDuration } = createValueMaker(library);
class CustomMap extends Map<string, unknown> {}

describe('isSame is true for', () => {
  test.each([
    ['equal numbers of two types', 1n, 1],
    ['equal texts', 'a', 'a'],
    ['null values', null, null],
    ['equal lists', [1n, [2n]], [1, [2]]],
    [
      'maps in another order',
      new Map([
        ['a', 1n],
        ['b', 2n],
      ]),
      new Map([
        ['b', 2n],
        ['a', 1n],
      ]),
    ],
    ['equal objects of one type', new CustomMap([['a', [1n]]]), new CustomMap([['a', [1n]]])],
    ['equal bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ['equal times', new Date(5), new Date(5)],
    ['equal durations', createDuration(1_500_000_000n), new Environment().evaluate('duration("1500ms")')],
  ])('%s', (_, a, b) => {
    expect(isSame(a, b)).toBe(true);
    expect(isSame(b, a)).toBe(true);
  });
});

describe('isSame is false for', () => {
  test.each([
    ['a number and a text', 1n, '1'],
    ['null and zero', null, 0],
    ['lists in another order', [1n, 2n], [2n, 1n]],
    ['a list and its prefix', [1n, 2n], [1n]],
    ['maps with different keys for null', new Map([['a', null]]), new Map([['b', null]])],
    ['an object and a map', new CustomMap([['a', 1n]]), new Map([['a', 1n]])],
    ['different times', new Date(5), new Date(6)],
    ['a time and its number', new Date(5), 5],
    ['different durations', createDuration(1n), createDuration(1_000_000_000n)],
    ['different bytes', new Uint8Array([1, 2]), new Uint8Array([1, 3])],
    ['plain objects, which no expression creates', {}, {}],
  ])('%s', (_, a, b) => {
    expect(isSame(a, b)).toBe(false);
    expect(isSame(b, a)).toBe(false);
  });
});
