import { expect, test } from 'vitest';
import { setOf } from '../../../../src/patch/apply/field-set.ts';
import { removeFields } from '../../../../src/patch/apply/typed/remove.ts';
import { toy } from '../../support.ts';

const a = 'k:{"kind":"plain","name":"a"}';

test.each([
  [{ count: 1, flag: true }, [['f:count']], { flag: true }],
  [{ labels: { a: '1', b: '2' } }, [['f:labels', 'f:a']], { labels: { b: '2' } }],
  [{ labels: { a: '1' }, count: 1 }, [['f:labels', 'f:a']], { labels: null, count: 1 }],
  [{ items: [{ name: 'a', size: 1 }, { name: 'b' }] }, [['f:items', a]], { items: [{ name: 'b' }] }],
  [{ items: [{ name: 'a', size: 1 }] }, [['f:items', a, 'f:size']], { items: [{ name: 'a' }] }],
  [{ tags: ['a', 'b', 'a'] }, [['f:tags', 'v:"a"']], { tags: ['b'] }],
  [{ whole: [1], count: 1 }, [['f:whole', 'i:0']], { whole: null, count: 1 }],
  [{ count: 1 }, [['f:nope', 'f:x']], { count: 1 }],
  [{ count: 1 }, [['f:count']], null],
])('%j without %j is %j', (value, paths, expected) => {
  const before = JSON.stringify(value);
  expect(removeFields(value, setOf(...paths), toy)).toEqual(expected);
  expect(JSON.stringify(value)).toBe(before);
});
