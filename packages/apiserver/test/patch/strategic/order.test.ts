import { describe, expect, test } from 'vitest';
import { orderMergedItems } from '../../../src/patch/strategic/order.ts';
import { catchApiError } from '../refusal.ts';

const toItems = (text: string) => [...text].map((name) => ({ name }));
const order = (merged: string, patch: string, live: string) =>
  orderMergedItems(toItems(merged), toItems(patch), toItems(live), 'name', true)
    .map((item) => (item as { name: string }).name)
    .join('');

describe('orderMergedItems places items', () => {
  test.each([
    ['in the order of the patch', 'abc', 'cab', 'abc', 'cab'],
    ['that the patch omits at their positions in the live list', 'abcd', 'bd', 'abcd', 'abcd'],
    ['before the first patch item that followed them in the live list', 'abcd', 'da', 'abcd', 'bcda'],
    ['of the live list after new items', 'abx', 'x', 'ab', 'xab'],
    ['in live order if the patch has no items', 'ba', '', 'ab', 'ab'],
    ['in reverse order if no list determines their position', 'xyz', '', '', 'zyx'],
  ])('%s', (_, merged, patch, live, expected) => {
    expect(order(merged, patch, live)).toBe(expected);
  });

  test('orders scalars by the same rules', () => {
    expect(orderMergedItems(['a', 'b', 'c'], ['c', 'b'], ['a', 'b', 'c'], '', false)).toEqual(['a', 'c', 'b']);
  });
});

describe('orderMergedItems refuses', () => {
  test.each([
    [[{ x: 1 }], [], 'map: map[x:1] does not contain declared merge key: name'],
    [['x'], [], 'expected a map[string]interface {}, but received a string'],
    [[{ name: 'a' }], ['x'], 'value for key 0 is not a map'],
    [[{ name: 'a' }], [{ name: 'a' }, 'x'], 'expected a map[string]interface {}, but received a string'],
    [[{ name: 'a' }], [{ y: 1 }], 'map: map[y:1] does not contain declared merge key: name'],
  ])('merged items %j with the patch %j', (merged, patch, message) => {
    expect(catchApiError(() => orderMergedItems(merged, patch, [], 'name', true))).toMatchObject({ code: 500, message });
  });
});
