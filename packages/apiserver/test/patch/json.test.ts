import { describe, expect, test } from 'vitest';
import { clone, equal, getOwn, getSortedKeys, has, maxDepth, put, valueAt } from '../../src/patch/json.ts';
import { catchApiError } from './refusal.ts';

const createNestedValue = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) {
    value = level % 2 ? [value] : { a: value };
  }
  return value;
};

describe('keys of Object.prototype', () => {
  const map = JSON.parse('{"__proto__": {"a": 1}, "toString": null}');

  test('are read only as own keys', () => {
    expect(getOwn(map, '__proto__')).toEqual({ a: 1 });
    expect(getOwn({}, '__proto__')).toBeUndefined();
    expect(getOwn(map, 'constructor')).toBeUndefined();
    expect(has(map, 'toString')).toBe(true);
    expect(has({ a: undefined }, 'a')).toBe(false);
    expect(valueAt({ a: { b: [1] } }, 'a', 'b')).toEqual([1]);
    expect(valueAt({ a: null }, 'a', 'b')).toBeUndefined();
  });

  test('are written as own keys', () => {
    const target = {};
    put(target, '__proto__', { polluted: true });
    expect(Object.keys(target)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  });

  test('are copied', () => {
    expect(JSON.stringify(clone(map))).toBe(JSON.stringify(map));
  });
});

test('clone shares no values with the original and drops undefined fields', () => {
  const original = { a: [{ b: 1 }], c: undefined };
  const copy = clone(original);
  copy.a[0] = { b: 2 };
  expect(original.a).toEqual([{ b: 1 }]);
  expect(Object.keys(copy)).toEqual(['a']);
});

test('clone limits the depth', () => {
  expect(clone(createNestedValue(maxDepth))).toBeDefined();
  expect(catchApiError(() => clone(createNestedValue(200_000)))).toEqual({
    code: 400,
    reason: 'BadRequest',
    message: 'exceeded max depth',
  });
});

test('equal distinguishes absent from null and ignores key order', () => {
  expect(equal({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
  expect(equal({ a: null }, {})).toBe(false);
  expect(equal({ a: 1 }, { b: 1 })).toBe(false);
  expect(equal([1, 2], [2, 1])).toBe(false);
  expect(equal({}, [])).toBe(false);
  expect(equal(JSON.parse('{"__proto__": 1}'), {})).toBe(false);
});

test('getSortedKeys sorts by UTF-8 bytes and omits keys of undefined values', () => {
  expect(getSortedKeys({ '\u{1f600}': 1, '\uffff': 1, b: 1, a: 1, '': 1 })).toEqual(['', 'a', 'b', '\uffff', '\u{1f600}']);
  expect(getSortedKeys({ b: 1, B: 1, a: undefined })).toEqual(['B', 'b']);
});
