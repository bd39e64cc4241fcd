import { expect, test } from 'vitest';
import { createFieldSet, pathsOf } from '../../../../src/patch/apply/field-set.ts';
import { formatPath } from '../../../../src/patch/apply/path-element.ts';
import { fieldsOf, removeFields } from '../../../../src/patch/apply/typed/fields-of.ts';
import { toy } from '../../support.ts';

const fields = (value: unknown) => pathsOf(fieldsOf(value, toy)).map((path) => formatPath(path));

test.each([
  [{ count: 1, nest: { left: 'l' } }, ['.count', '.nest.left']],
  [{ labels: { a: 'b' } }, ['.labels.a']],
  [{ labels: {}, nest: null, raw: null }, ['.labels', '.nest', '.raw']],
  [{ whole: [{ size: 1 }], raw: { a: 1 } }, ['.raw', '.whole']],
  [{ nest: { pick: { name: 'a' } } }, ['.nest.pick']],
  [{ tags: ['b', 'a'] }, ['.tags[="a"]', '.tags[="b"]']],
  [
    { items: [{ name: 'a', size: 1 }] },
    ['.items[kind="plain",name="a"]', '.items[kind="plain",name="a"].name', '.items[kind="plain",name="a"].size'],
  ],
  [{ items: [{ name: 'a', size: 1 }, { name: 'a' }] }, ['.items[kind="plain",name="a"]']],
  [{ any: { x: [1], y: { z: 1 } } }, ['.any.x', '.any.y', '.any.y.z']],
  [{ tags: [], items: [] }, []],
])('fieldsOf %j is %j', (value, expected) => {
  expect(fields(value)).toEqual(expected);
});

const itemKey = 'k:{"kind":"plain","name":"a"}';

test.each([
  [{ count: 1, flag: true }, [['f:count']], { flag: true }],
  [{ labels: { a: '1', b: '2' } }, [['f:labels', 'f:a']], { labels: { b: '2' } }],
  [{ labels: { a: '1' }, count: 1 }, [['f:labels', 'f:a']], { labels: null, count: 1 }],
  [{ items: [{ name: 'a', size: 1 }, { name: 'b' }] }, [['f:items', itemKey]], { items: [{ name: 'b' }] }],
  [{ items: [{ name: 'a', size: 1 }] }, [['f:items', itemKey, 'f:size']], { items: [{ name: 'a' }] }],
  [{ tags: ['a', 'b', 'a'] }, [['f:tags', 'v:"a"']], { tags: ['b'] }],
  [{ whole: [1], count: 1 }, [['f:whole', 'i:0']], { whole: null, count: 1 }],
  [{ count: 1 }, [['f:nope', 'f:x']], { count: 1 }],
  [{ count: 1 }, [['f:count']], null],
])('removeFields from %j, given the fields %j, returns %j', (value, paths, expected) => {
  const before = JSON.stringify(value);
  expect(removeFields(value, createFieldSet(...paths), toy)).toEqual(expected);
  expect(JSON.stringify(value)).toBe(before);
});
