import { describe, expect, it } from 'vitest';
import { deepEqual, semanticEqual } from '../../src/apimachinery/index.ts';

describe('deepEqual', () => {
  it('compares nested values, with keys in any order', () => {
    expect(deepEqual({ a: [1, { b: 'x' }], c: undefined }, { c: undefined, a: [1, { b: 'x' }] })).toBe(true);
    expect(deepEqual(undefined, undefined)).toBe(true);
  });

  it.each([
    [1, 2],
    [undefined, {}],
    [null, {}],
    [{}, 'x'],
    [{}, []],
    [[1], [1, 2]],
    [{ a: 1 }, { b: 1 }],
    [{ a: [1] }, { a: [2] }],
    [{ a: undefined }, {}],
  ])('distinguishes %j from %j', (a, b) => {
    expect([deepEqual(a, b), deepEqual(b, a)]).toStrictEqual([false, false]);
  });
});

describe('semanticEqual', () => {
  it.each([
    [undefined, null],
    [null, {}],
    [[], undefined],
    [{}, []],
    [{ a: null, b: [], c: { d: undefined } }, {}],
    [{ a: [{ b: null }] }, { a: [{}] }],
    [
      { a: '', b: 0 },
      { b: 0, a: '', c: {} },
    ],
  ])('treats %j and %j as equal', (a, b) => {
    expect([semanticEqual(a, b), semanticEqual(b, a)]).toStrictEqual([true, true]);
  });

  it.each([
    [undefined, ''],
    [null, 0],
    [null, false],
    [{ a: '' }, {}],
    [[1], []],
    [[1], [1, null]],
    [[null], []],
    [{ a: [1] }, { a: { 0: 1 } }],
    [{ a: 'x' }, 'x'],
    [JSON.parse('{"__proto__":{"a":1}}'), {}],
    [{ toString: 1 }, {}],
  ])('distinguishes %j from %j', (a, b) => {
    expect([semanticEqual(a, b), semanticEqual(b, a)]).toStrictEqual([false, false]);
  });
});
