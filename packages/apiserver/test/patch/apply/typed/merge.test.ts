import { describe, expect, test } from 'vitest';
import { merge } from '../../../../src/patch/apply/typed/merge.ts';
import { toy } from '../../support.ts';

test.each([
  [
    'combines fields',
    { count: 1, nest: { left: 'l' } },
    { flag: true, nest: { right: 'r' } },
    { count: 1, flag: true, nest: { left: 'l', right: 'r' } },
  ],
  ['replaces a scalar by null', { count: 1 }, { count: null }, { count: null }],
  ['keeps a map if the configuration has null', { labels: { a: 'b' } }, { labels: null }, { labels: { a: 'b' } }],
  ['replaces null by an empty map', { labels: null }, { labels: {} }, { labels: {} }],
  [
    'replaces atomic values',
    { whole: [1, 2], nest: { pick: { name: 'a' } } },
    { whole: [3], nest: { pick: {} } },
    { whole: [3], nest: { pick: {} } },
  ],
  ['unites sets', { tags: ['a', 'b'] }, { tags: ['c', 'b'] }, { tags: ['a', 'c', 'b'] }],
  ['replaces a value by one of another kind', { any: [1] }, { any: { a: 1 } }, { any: { a: 1 } }],
])('merge %s', (_, left, right, expected) => {
  expect(merge(left, right, toy)).toEqual(expected);
});

describe('merge keeps items in the order of the configuration', () => {
  const names = (text: string) => [...text].map((name) => ({ name }));
  const order = (left: string, right: string) =>
    ((merge({ items: names(left) }, { items: names(right) }, toy) as { items: { name: string }[] }).items ?? [])
      .map(({ name }) => name)
      .join('');

  test.each([
    ['abc', 'ca', 'bca'],
    ['abcd', 'dxb', 'acdxb'],
    ['ab', 'xy', 'abxy'],
    ['axbyc', 'cba', 'xycba'],
    ['', 'ba', 'ba'],
    ['ab', '', 'ab'],
    ['aab', 'ab', 'ab'],
  ])('live items %s merged with %s become %s', (left, right, expected) => {
    expect(order(left, right)).toBe(expected);
  });
});

test('merge combines items with equal keys', () => {
  const left = { items: [{ name: 'a', size: 1, inner: [{ key: 'k', value: 'v' }] }] };
  expect(merge(left, { items: [{ name: 'a', inner: [{ key: 'l' }] }] }, toy)).toEqual({
    items: [{ name: 'a', size: 1, inner: [{ key: 'k', value: 'v' }, { key: 'l' }] }],
  });
});

test('merge treats __proto__ as an ordinary key', () => {
  expect(JSON.stringify(merge({ labels: { a: '1' } }, { labels: JSON.parse('{"__proto__":"x"}') }, toy))).toBe(
    '{"labels":{"a":"1","__proto__":"x"}}',
  );
});
