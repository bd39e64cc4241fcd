import { expect, test } from 'vitest';
import * as read from '../../../src/resources/field/read.ts';

test('readers return the zero value for a field of another type', () => {
  for (const wrongValue of [null, undefined, 5, 'x', [], [5], true]) {
    const object = { a: wrongValue } as Record<string, unknown>;
    expect(read.child(object, 'a')).toEqual({});
    expect(read.entries(object, 'a')).toEqual([]);
    expect(read.has(object, 'a')).toBe(wrongValue !== null && wrongValue !== undefined);
  }
  expect([read.text({ a: 5 }, 'a'), read.number({ a: 'x' }, 'a'), read.flag({ a: 1 }, 'a')]).toEqual(['', 0, false]);
  expect(read.list({ a: [1, { b: 2 }] }, 'a')).toEqual([{}, { b: 2 }]);
  expect(read.texts({ a: [1, 'b'] }, 'a')).toEqual(['', 'b']);
});

test('ensureChild creates a missing struct, and draftList returns the items of a list', () => {
  const draft: read.Draft = {};
  read.ensureChild(draft, 'spec')['a'] = 1;
  expect(draft).toEqual({ spec: { a: 1 } });
  expect(read.draftList({ list: [{ a: 1 }] }, 'list')).toEqual([{ a: 1 }]);
});

test('copyOf shares nothing and keeps __proto__', () => {
  const original = JSON.parse('{"a":[{"b":1}],"__proto__":{"c":2}}') as { a: { b: number }[] };
  const copy = read.copyOf(original);
  expect(copy).toEqual(original);
  expect(copy.a[0]).not.toBe(original.a[0]);
  expect(Object.keys(copy)).toEqual(['a', '__proto__']);
});

test.each([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: undefined }, {}, true],
  [{ a: null }, {}, true],
  [[1, 2], [2, 1], false],
  [[1], { 0: 1 }, false],
  [{ a: {} }, {}, false],
])('sameValue compares %j with %j', (a, b, same) => expect(read.sameValue(a, b)).toBe(same));
