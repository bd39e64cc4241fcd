import { expect, test } from 'vitest';
import { createListTable, type EncodedLists } from '../../src/page/lists.ts';

function decode({ texts, lists }: EncodedLists, index: number): string[] {
  const [near, removed, added] = lists[index] ?? [0, [], []];
  const before = index === 0 ? [] : decode({ texts, lists }, near);
  const removedTexts = removed.map((each) => texts[each]);
  return [...before.filter((text) => !removedTexts.includes(text)), ...added.map((each) => texts[each] ?? '')].sort();
}

test('stores a list as its difference from a similar one', () => {
  const table = createListTable();
  const first = table.indexOf(['a', 'b', 'c'], 0);
  const second = table.indexOf(['a', 'c', 'd'], first);
  expect(table.lists.slice(1)).toStrictEqual([
    [0, [], [0, 1, 2]],
    [first, [1], [3]],
  ]);
  expect([first, second].map((index) => decode(table, index))).toStrictEqual([
    ['a', 'b', 'c'],
    ['a', 'c', 'd'],
  ]);
});

test('stores equal lists once, whatever their order', () => {
  const table = createListTable();
  expect(table.indexOf(['b', 'a'], 0)).toBe(table.indexOf(['a', 'b'], 0));
  expect(table.indexOf([], 1)).toBe(0);
  expect(table.lists).toHaveLength(2);
});
