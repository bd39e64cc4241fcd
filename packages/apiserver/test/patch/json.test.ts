import { describe, expect, test } from 'vitest';
import { at, clone, equal, has, maxDepth, own, put, sortedKeys } from '../../src/patch/json.ts';
import { refusal } from './refusal.ts';

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) {
    value = level % 2 ? [value] : { a: value };
  }
  return value;
};

describe('keys are data', () => {
  const map = JSON.parse('{"__proto__": {"a": 1}, "toString": null}');

  test('reading finds own keys only', () => {
    expect(own(map, '__proto__')).toEqual({ a: 1 });
    expect(own({}, '__proto__')).toBeUndefined();
    expect(own(map, 'constructor')).toBeUndefined();
    expect(has(map, 'toString')).toBe(true);
    expect(has({ a: undefined }, 'a')).toBe(false);
    expect(at({ a: { b: [1] } }, 'a', 'b')).toEqual([1]);
    expect(at({ a: null }, 'a', 'b')).toBeUndefined();
  });

  test('writing makes own keys', () => {
    const target = {};
    put(target, '__proto__', { polluted: true });
    expect(Object.keys(target)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  });

  test('copying keeps them', () => {
    expect(JSON.stringify(clone(map))).toBe(JSON.stringify(map));
  });
});

test('a copy shares nothing and drops what is undefined', () => {
  const original = { a: [{ b: 1 }], c: undefined };
  const copy = clone(original);
  copy.a[0] = { b: 2 };
  expect(original.a).toEqual([{ b: 1 }]);
  expect(Object.keys(copy)).toEqual(['a']);
});

test('documents nest only so deep', () => {
  expect(clone(nested(maxDepth))).toBeDefined();
  expect(refusal(() => clone(nested(200_000)))).toEqual({ code: 400, reason: 'BadRequest', message: 'exceeded max depth' });
});

test('equality tells absent from null and does not look at the order of keys', () => {
  expect(equal({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
  expect(equal({ a: null }, {})).toBe(false);
  expect(equal({ a: 1 }, { b: 1 })).toBe(false);
  expect(equal([1, 2], [2, 1])).toBe(false);
  expect(equal({}, [])).toBe(false);
  expect(equal(JSON.parse('{"__proto__": 1}'), {})).toBe(false);
});

test('keys are sorted by their bytes in UTF-8', () => {
  expect(sortedKeys({ '\u{1f600}': 1, '\uffff': 1, b: 1, a: 1, '': 1 })).toEqual(['', 'a', 'b', '\uffff', '\u{1f600}']);
  expect(sortedKeys({ b: 1, B: 1, a: undefined })).toEqual(['B', 'b']);
});
