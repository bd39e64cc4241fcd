import { describe, expect, test } from 'vitest';
import {
  applyStrategicMergePatch,
  formatStrategicPatch,
  listNameIn,
  setWithoutDirectives,
  withoutDirectives,
  withoutNulls,
} from '../../../src/patch/strategic/merge.ts';
import { catchApiError } from '../refusal.ts';
import { toy } from '../support.ts';

describe('applyStrategicMergePatch on fields', () => {
  test.each([
    ['scalars are replaced', { count: 1, kind: 'a' }, { count: 2 }, { count: 2, kind: 'a' }],
    ['a null removes the field', { count: 1, kind: 'a' }, { count: null }, { kind: 'a' }],
    ['maps are merged', { labels: { a: '1', b: '2' } }, { labels: { b: null, c: '3' } }, { labels: { a: '1', c: '3' } }],
    ['nulls in a new object are dropped', {}, { nest: { left: null, right: 'r' } }, { nest: { right: 'r' } }],
    ['a map is replaced', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['a map is emptied', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    ['a directive for a missing field is dropped', {}, { nest: { deep: { $patch: 'delete' }, left: 'l' } }, { nest: { left: 'l' } }],
    ['lists without a key are replaced', { whole: [{ size: 1 }] }, { whole: [] }, { whole: [] }],
    [
      '$retainKeys removes all other keys',
      { nest: { left: 'l', right: 'r' } },
      { nest: { $retainKeys: ['right'], right: 'x' } },
      { nest: { right: 'x' } },
    ],
    ['a value of another type replaces the old value', { labels: { a: '1' } }, { labels: 'x' }, { labels: 'x' }],
    ['items of sets are deleted', { tags: ['a', 'b', 'c'] }, { '$deleteFromPrimitiveList/tags': ['b', 'x'] }, { tags: ['a', 'c'] }],
    ['a deletion from a missing list has no effect', {}, { '$deleteFromPrimitiveList/tags': ['b'] }, {}],
  ])('%s', (_, object, patch, expected) => {
    expect(applyStrategicMergePatch(object, patch, toy)).toEqual(expected);
  });

  test('changes nothing for a null patch', () => {
    expect(applyStrategicMergePatch({ count: 1 }, null, toy)).toEqual({ count: 1 });
  });

  test('treats __proto__ as an ordinary key', () => {
    const value = applyStrategicMergePatch(
      { labels: {} },
      JSON.parse('{"labels": {"__proto__": "x"}, "nest": {"__proto__": {"a": 1}}}'),
      toy,
    );
    expect(JSON.stringify(value)).toBe('{"labels":{"__proto__":"x"},"nest":{"__proto__":{"a":1}}}');
  });

  test('shares no values with the object or the patch', () => {
    const [object, patch] = [{ whole: [{ size: 1 }] }, { nest: { left: 'l' } }];
    const value = applyStrategicMergePatch(object, patch, toy) as { whole: unknown; nest: unknown };
    expect(value.whole).not.toBe(object.whole);
    expect(value.nest).not.toBe(patch.nest);
  });
});

describe('applyStrategicMergePatch refuses', () => {
  const createError = (code: number, message: string) => ({ code, message });

  test.each([
    [{ labels: { $patch: 'merge' } }, createError(500, 'unknown patch type: merge in map: map[$patch:merge]')],
    [{ labels: { $patch: 5 } }, createError(500, 'unknown patch type: %!s(int64=5) in map: map[$patch:5]')],
    [{ $retainKeys: 'x' }, createError(400, 'invalid patch format of retainKeys')],
    [{ $retainKeys: [], count: 1 }, createError(400, 'invalid patch format of retainKeys')],
    [{ $deleteFromPrimitiveList: ['a'] }, createError(400, 'invalid patch format of primitive list')],
    [{ '$setElementOrderX/items': [] }, createError(400, 'invalid patch format of setElementOrder list')],
    [[], createError(400, 'json: cannot unmarshal array into Go value of type map[string]interface {}')],
  ])('%j', (patch, expected) => {
    expect(catchApiError(() => applyStrategicMergePatch({ labels: { a: 'x' } }, patch, toy))).toMatchObject(expected);
  });
});

test('formatStrategicPatch prints the patch after it is applied, without directives', () => {
  const object = { nest: { left: 'l' } };
  const patch = { nest: { $retainKeys: ['right'], right: 'x' }, labels: { a: null, b: '1' }, count: 2.5e30 };
  expect(formatStrategicPatch(object, patch, toy)).toBe('map[count:2.5e+30 labels:map[b:1] nest:map[right:x]]');
  expect(patch.labels).toEqual({ a: null, b: '1' });
});

test('listNameIn returns the list name of a directive', () => {
  expect(listNameIn('$setElementOrder/a/b', '$setElementOrder')).toBe('a/b');
  expect(catchApiError(() => listNameIn('$setElementOrder', '$setElementOrder')).message).toBe(
    'invalid patch format of setElementOrder list',
  );
  expect(catchApiError(() => listNameIn('$deleteFromPrimitiveListX/a', '$deleteFromPrimitiveList')).message).toBe(
    'invalid patch format of primitive list',
  );
});

test('withoutDirectives and setWithoutDirectives remove objects with directives', () => {
  expect(withoutDirectives({ a: [{ $patch: 'delete' }, { b: { $patch: 'replace' }, c: null }], d: 1 })).toEqual({ a: [{ c: null }], d: 1 });
  expect(withoutDirectives({ $patch: 'delete' })).toBeUndefined();
  const target: Record<string, unknown> = { a: 1, b: 1 };
  setWithoutDirectives(target, 'a', { $patch: 'delete' });
  setWithoutDirectives(target, 'b', { c: 1 });
  expect(target).toEqual({ b: { c: 1 } });
});

test('withoutNulls removes nulls from objects, but not from lists', () => {
  expect(withoutNulls({ a: null, b: [null, { c: null }], d: { e: null } })).toEqual({ b: [null, {}], d: {} });
});

const toItems = (text: string) => [...text].map((name) => ({ name }));
const joinNames = (object: Record<string, unknown>) => ((object['items'] ?? []) as { name: string }[]).map(({ name }) => name).join('');

describe('$setElementOrder', () => {
  test.each([
    ['orders a list without other changes', 'abc', undefined, 'cab', 'cab'],
    ['orders added items', 'ab', 'x', 'axb', 'axb'],
    ['keeps the positions of items that it does not name', 'abcd', undefined, 'db', 'acdb'],
    ['orders a new list', '', 'ba', 'ba', 'ba'],
  ])('%s', (_, live, changes, order, expected) => {
    const patch = { '$setElementOrder/items': toItems(order), ...(changes && { items: toItems(changes) }) };
    expect(joinNames(applyStrategicMergePatch(live === '' ? {} : { items: toItems(live) }, patch, toy))).toBe(expected);
  });

  test('applies together with deletions', () => {
    const patch = { '$setElementOrder/items': toItems('ca'), items: [{ name: 'b', $patch: 'delete' }] };
    expect(joinNames(applyStrategicMergePatch({ items: toItems('abc') }, patch, toy))).toBe('ca');
  });

  test('orders scalars', () => {
    expect(applyStrategicMergePatch({ tags: ['a', 'b'] }, { tags: ['c'], '$setElementOrder/tags': ['b', 'c', 'a'] }, toy)).toEqual({
      tags: ['b', 'c', 'a'],
    });
  });

  test('creates no list if neither the object nor the patch has one', () => {
    expect(applyStrategicMergePatch({}, { '$setElementOrder/items': toItems('a') }, toy)).toEqual({});
  });
});

describe('$setElementOrder validation', () => {
  test.each([
    [{ '$setElementOrder/items': 5 }, 'expected a []interface {}, but received a int64'],
    [{ '$setElementOrder/items': [{ x: 1 }] }, 'map: map[x:1] does not contain declared merge key: name'],
    [{ '$setElementOrder/items': toItems('a'), items: null }, 'expected a []interface {}, but received a %!s(<nil>)'],
    [
      { '$setElementOrder/items': toItems('ab'), items: toItems('ba') },
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ],
    [{ '$setElementOrder/nope': [] }, 'unable to find api field in struct Toy for the json field "nope"'],
    [{ '$setElementOrder/items': [], items: [] }, undefined],
  ])('checks the patch %j', (patch, message) => {
    const run = () => applyStrategicMergePatch({ items: toItems('a') }, patch, toy);
    if (message === undefined) {
      expect(run()).toEqual({ items: toItems('a') });
    } else {
      expect(catchApiError(run)).toMatchObject({ code: 500, message });
    }
  });
});
