import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { splitList } from '../../src/input/yaml.ts';

/** The texts of the items, and the rest of the document. */
function splitTexts(text: string) {
  const list = splitList(text);
  return list && { rest: list.rest, items: list.items.map(({ start, end }) => text.slice(start, end)) };
}

describe('a YAML list', () => {
  test.each<[string, string, { rest: string; items: string[] }]>([
    [
      'dashes in the first column',
      'kind: List\nitems:\n- a: 1\n- b: 2\n',
      { rest: 'kind: List\nitems: []\n', items: ['- a: 1\n', '- b: 2\n'] },
    ],
    [
      'indented dashes',
      'items:\n  - a: 1\n  - b: 2\nkind: List\n',
      { rest: 'items: []\nkind: List\n', items: ['  - a: 1\n', '  - b: 2\n'] },
    ],
    ['items of several lines', 'items:\n- a: 1\n  b:\n  - c\n- d\n', { rest: 'items: []\n', items: ['- a: 1\n  b:\n  - c\n', '- d\n'] }],
    [
      'blank lines and comments, which belong to the preceding item',
      'items:\n- a\n\n# x\n- b\nz: 1\n',
      { rest: 'items: []\nz: 1\n', items: ['- a\n\n# x\n', '- b\n'] },
    ],
    ['no newline at the end', 'items:\n- a\n- b', { rest: 'items: []\n', items: ['- a\n', '- b'] }],
    ['CRLF', 'items:\r\n- a: 1\r\n\r\n- b\r\nz: 1\r\n', { rest: 'items: []\nz: 1\r\n', items: ['- a: 1\r\n\r\n', '- b\r\n'] }],
    ['spaces after the colon', 'items: \t\n- a\n', { rest: 'items: []\n', items: ['- a\n'] }],
    [
      'a deeper field named items, which is ignored',
      'x:\n  items:\n  - no\nitems:\n- a\n',
      { rest: 'x:\n  items:\n  - no\nitems: []\n', items: ['- a\n'] },
    ],
  ])('is split with %s', (_, text, expected) => {
    expect(splitTexts(text)).toEqual(expected);
  });
});

describe('other YAML', () => {
  test.each([
    ['no items', 'kind: List\n'],
    ['items in brackets', 'items: [a, b]\n'],
    ['empty items', 'items:\nkind: List\n'],
    ['a deeper field only', 'x:\n  items:\n  - a\n'],
    ['a comment after the colon', 'items: # x\n- a\n'],
    ['a key that ends with items', 'myitems:\n- a\n'],
    ['a dash without a space', 'items:\n-a\n'],
  ])('is not split: %s', (_, text) => {
    expect(splitList(text)).toBe(undefined);
  });
});

test.each([[{ indentSeq: false }], [{ indentSeq: true }]])('splitList keeps the items and the rest of the document (%j)', (options) => {
  const items = [{ a: 'x\n- y\n\n- z\n' }, { b: [['- c'], '# d'] }, 'e', { f: { items: [1] } }, null];
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
  const text = stringify(list, options);
  const split = splitTexts(text);
  expect(split?.items.map((item) => parse(item)[0])).toEqual(items);
  expect(parse(split?.rest ?? '')).toEqual({ ...list, items: [] });
});
