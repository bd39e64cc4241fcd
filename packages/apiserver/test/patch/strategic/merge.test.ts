import { describe, expect, test } from 'vitest';
import { applyStrategicMergePatch, strategicPatchText } from '../../../src/patch/strategic/merge.ts';
import { refusal } from '../refusal.ts';
import { toy } from '../support.ts';

describe('fields', () => {
  test.each([
    ['scalars are replaced', { count: 1, kind: 'a' }, { count: 2 }, { count: 2, kind: 'a' }],
    ['null removes', { count: 1, kind: 'a' }, { count: null }, { kind: 'a' }],
    ['maps are merged', { labels: { a: '1', b: '2' } }, { labels: { b: null, c: '3' } }, { labels: { a: '1', c: '3' } }],
    ['nulls of what was not there are left out', {}, { nest: { left: null, right: 'r' } }, { nest: { right: 'r' } }],
    ['a map is replaced', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['a map is emptied', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    ['a directive for what is not there is dropped', {}, { nest: { deep: { $patch: 'delete' }, left: 'l' } }, { nest: { left: 'l' } }],
    ['lists without a key are replaced', { whole: [{ size: 1 }] }, { whole: [] }, { whole: [] }],
    [
      'all but the retained keys go',
      { nest: { left: 'l', right: 'r' } },
      { nest: { $retainKeys: ['right'], right: 'x' } },
      { nest: { right: 'x' } },
    ],
    ['a value of another type replaces', { labels: { a: '1' } }, { labels: 'x' }, { labels: 'x' }],
    ['items of sets are deleted', { tags: ['a', 'b', 'c'] }, { '$deleteFromPrimitiveList/tags': ['b', 'x'] }, { tags: ['a', 'c'] }],
    ['from a list that is not there nothing is deleted', {}, { '$deleteFromPrimitiveList/tags': ['b'] }, {}],
  ])('%s', (_, object, patch, expected) => {
    expect(applyStrategicMergePatch(object, patch, toy)).toEqual(expected);
  });

  test('no patch changes nothing', () => {
    expect(applyStrategicMergePatch({ count: 1 }, null, toy)).toEqual({ count: 1 });
  });

  test('a key called __proto__ is a key', () => {
    const value = applyStrategicMergePatch(
      { labels: {} },
      JSON.parse('{"labels": {"__proto__": "x"}, "nest": {"__proto__": {"a": 1}}}'),
      toy,
    );
    expect(JSON.stringify(value)).toBe('{"labels":{"__proto__":"x"},"nest":{"__proto__":{"a":1}}}');
  });

  test('the result shares nothing with object or patch', () => {
    const [object, patch] = [{ whole: [{ size: 1 }] }, { nest: { left: 'l' } }];
    const value = applyStrategicMergePatch(object, patch, toy) as { whole: unknown; nest: unknown };
    expect(value.whole).not.toBe(object.whole);
    expect(value.nest).not.toBe(patch.nest);
  });
});

describe('refusals', () => {
  const bad = (code: number, message: string) => ({ code, message });

  test.each([
    [{ labels: { $patch: 'merge' } }, bad(500, 'unknown patch type: merge in map: map[$patch:merge]')],
    [{ labels: { $patch: 5 } }, bad(500, 'unknown patch type: %!s(int64=5) in map: map[$patch:5]')],
    [{ $retainKeys: 'x' }, bad(400, 'invalid patch format of retainKeys')],
    [{ $retainKeys: [], count: 1 }, bad(400, 'invalid patch format of retainKeys')],
    [{ $deleteFromPrimitiveList: ['a'] }, bad(400, 'invalid patch format of primitive list')],
    [{ '$setElementOrderX/items': [] }, bad(400, 'invalid patch format of setElementOrder list')],
    [[], bad(400, 'json: cannot unmarshal array into Go value of type map[string]interface {}')],
  ])('%j', (patch, expected) => {
    expect(refusal(() => applyStrategicMergePatch({ labels: { a: 'x' } }, patch, toy))).toMatchObject(expected);
  });
});

test('a patch is printed as applying it leaves it', () => {
  const object = { nest: { left: 'l' } };
  const patch = { nest: { $retainKeys: ['right'], right: 'x' }, labels: { a: null, b: '1' }, count: 2.5e30 };
  expect(strategicPatchText(object, patch, toy)).toBe('map[count:2.5e+30 labels:map[b:1] nest:map[right:x]]');
  expect(patch.labels).toEqual({ a: null, b: '1' });
});
