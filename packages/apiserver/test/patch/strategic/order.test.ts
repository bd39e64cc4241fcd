import { describe, expect, test } from 'vitest';
import { mergeOrder } from '../../../src/patch/strategic/order.ts';
import { catchApiError } from '../refusal.ts';

const toItems = (text: string) => [...text].map((name) => ({ name }));
const order = (merged: string, patch: string, live: string) =>
  mergeOrder(toItems(merged), toItems(patch), toItems(live), 'name', true)
    .map((item) => (item as { name: string }).name)
    .join('');

describe('mergeOrder places items', () => {
  test.each([
    ['in the order of the patch', 'abc', 'cab', 'abc', 'cab'],
    ['of the live list at their positions, and the others between them', 'abcd', 'bd', 'abcd', 'abcd'],
    ['before the first patch item that followed them in the live list', 'abcd', 'da', 'abcd', 'bcda'],
    ['after new items', 'abx', 'x', 'ab', 'xab'],
    ['in live order if the patch has no items', 'ba', '', 'ab', 'ab'],
    ['in reverse order if no list determines their position', 'xyz', '', '', 'zyx'],
  ])('%s', (_, merged, patch, live, expected) => {
    expect(order(merged, patch, live)).toBe(expected);
  });

  test('orders scalars by the same rules', () => {
    expect(mergeOrder(['a', 'b', 'c'], ['c', 'b'], ['a', 'b', 'c'], '', false)).toEqual(['a', 'c', 'b']);
  });
});

describe('mergeOrder refuses', () => {
  test.each([
    [[{ x: 1 }], [], 'map: map[x:1] does not contain declared merge key: name'],
    [['x'], [], 'expected a map[string]interface {}, but received a string'],
    [[{ name: 'a' }], ['x'], 'value for key 0 is not a map'],
    [[{ name: 'a' }], [{ name: 'a' }, 'x'], 'expected a map[string]interface {}, but received a string'],
    [[{ name: 'a' }], [{ y: 1 }], 'map: map[y:1] does not contain declared merge key: name'],
  ])('merged items %j with the patch %j', (merged, patch, message) => {
    expect(catchApiError(() => mergeOrder(merged, patch, [], 'name', true))).toMatchObject({ code: 500, message });
  });
});
