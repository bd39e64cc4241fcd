import { describe, expect, test } from 'vitest';
import { mergeOrder } from '../../../src/patch/strategic/order.ts';
import { refusal } from '../refusal.ts';

const named = (text: string) => [...text].map((name) => ({ name }));
const order = (merged: string, patch: string, live: string) =>
  mergeOrder(named(merged), named(patch), named(live), 'name', true)
    .map((item) => (item as { name: string }).name)
    .join('');

describe('inOrder places items', () => {
  test.each([
    ['as the patch says', 'abc', 'cab', 'abc', 'cab'],
    ['where they stood, the others between them', 'abcd', 'bd', 'abcd', 'abcd'],
    ['before the first of the patch that stood behind them', 'abcd', 'da', 'abcd', 'bcda'],
    ['behind what is new', 'abx', 'x', 'ab', 'xab'],
    ['as they stood where the patch names none', 'ba', '', 'ab', 'ab'],
    ['the other way round where nobody knows their place', 'xyz', '', '', 'zyx'],
  ])('%s', (_, merged, patch, live, expected) => {
    expect(order(merged, patch, live)).toBe(expected);
  });

  test('orders scalars by the same rules', () => {
    expect(mergeOrder(['a', 'b', 'c'], ['c', 'b'], ['a', 'b', 'c'], '', false)).toEqual(['a', 'c', 'b']);
  });
});

describe('inOrder refuses', () => {
  test.each([
    [[{ x: 1 }], [], 'map: map[x:1] does not contain declared merge key: name'],
    [['x'], [], 'expected a map[string]interface {}, but received a string'],
    [[{ name: 'a' }], ['x'], 'value for key 0 is not a map'],
    [[{ name: 'a' }], [{ name: 'a' }, 'x'], 'expected a map[string]interface {}, but received a string'],
    [[{ name: 'a' }], [{ y: 1 }], 'map: map[y:1] does not contain declared merge key: name'],
  ])('%j by %j', (merged, patch, message) => {
    expect(refusal(() => mergeOrder(merged, patch, [], 'name', true))).toMatchObject({ code: 500, message });
  });
});
