import { expect, test } from 'vitest';
import { pathsOf } from '../../../../src/patch/apply/field-set.ts';
import { formatPath } from '../../../../src/patch/apply/path-element.ts';
import { compare } from '../../../../src/patch/apply/typed/compare.ts';
import { toy } from '../../support.ts';

const item = (name: string) => `.items[kind="plain",name="${name}"]`;

test.each([
  [{ count: 1 }, { count: 1 }, [], [], []],
  [{ count: 1, flag: true }, { count: 2, kind: 'k' }, ['.kind'], ['.count'], ['.flag']],
  [{}, { labels: { a: 'b' } }, ['.labels', '.labels.a'], [], []],
  [{ labels: { a: 'b' } }, { labels: {} }, [], [], ['.labels.a']],
  [{ labels: {} }, { labels: null }, [], ['.labels'], []],
  [{ whole: [1] }, { whole: [2] }, [], ['.whole'], []],
  [{ tags: ['a', 'b'] }, { tags: ['b', 'c'] }, ['.tags[="c"]'], [], ['.tags[="a"]']],
  [{ items: [{ name: 'a', size: 1 }] }, { items: [{ name: 'a', size: 2 }] }, [], [`${item('a')}.size`], []],
  [{ items: [] }, { items: [{ name: 'a' }] }, [item('a'), `${item('a')}.name`], [], []],
  [{ tags: ['a', 'a'] }, { tags: ['a'] }, ['.tags[="a"]'], [], ['.tags[="a"]']],
  [{ tags: ['a'] }, { tags: ['a', 'a'] }, ['.tags[="a"]'], [], ['.tags[="a"]']],
  [{ items: [{ name: 'a' }, { name: 'a' }] }, { items: [{ name: 'a' }, { name: 'a', size: 1 }] }, [], [item('a')], []],
  [{ any: 1 }, { any: { a: 1 } }, ['.any.a'], ['.any'], []],
])('compare reports the differences from %j to %j', (left, right, added, modified, removed) => {
  const comparison = compare(left, right, toy);
  const formatPaths = (set: typeof comparison.added) => pathsOf(set).map((path) => formatPath(path));
  expect({
    added: formatPaths(comparison.added),
    modified: formatPaths(comparison.modified),
    removed: formatPaths(comparison.removed),
  }).toEqual({
    added,
    modified,
    removed,
  });
});
