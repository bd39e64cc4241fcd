import { describe, expect, test } from 'vitest';
import { applyStrategicMergePatch } from '../../../src/patch/strategic/merge.ts';
import { refusal } from '../refusal.ts';
import { toy } from '../support.ts';

const named = (text: string) => [...text].map((name) => ({ name }));
const names = (object: Record<string, unknown>) => ((object['items'] ?? []) as { name: string }[]).map(({ name }) => name).join('');

describe('the order of a list', () => {
  test.each([
    ['changes alone', 'abc', undefined, 'cab', 'cab'],
    ['holds for what is added', 'ab', 'x', 'axb', 'axb'],
    ['leaves what it does not name in place', 'abcd', undefined, 'db', 'acdb'],
    ['holds for a list that was not there', '', 'ba', 'ba', 'ba'],
  ])('%s', (_, live, changes, order, expected) => {
    const patch = { '$setElementOrder/items': named(order), ...(changes && { items: named(changes) }) };
    expect(names(applyStrategicMergePatch(live === '' ? {} : { items: named(live) }, patch, toy))).toBe(expected);
  });

  test('together with deletions', () => {
    const patch = { '$setElementOrder/items': named('ca'), items: [{ name: 'b', $patch: 'delete' }] };
    expect(names(applyStrategicMergePatch({ items: named('abc') }, patch, toy))).toBe('ca');
  });

  test('of scalars', () => {
    expect(applyStrategicMergePatch({ tags: ['a', 'b'] }, { tags: ['c'], '$setElementOrder/tags': ['b', 'c', 'a'] }, toy)).toEqual({
      tags: ['b', 'c', 'a'],
    });
  });

  test('of nothing is nothing', () => {
    expect(applyStrategicMergePatch({}, { '$setElementOrder/items': named('a') }, toy)).toEqual({});
  });
});

describe('refusals', () => {
  test.each([
    [{ '$setElementOrder/items': 5 }, 'expected a []interface {}, but received a int64'],
    [{ '$setElementOrder/items': [{ x: 1 }] }, 'map: map[x:1] does not contain declared merge key: name'],
    [{ '$setElementOrder/items': named('a'), items: null }, 'expected a []interface {}, but received a %!s(<nil>)'],
    [
      { '$setElementOrder/items': named('ab'), items: named('ba') },
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ],
    [{ '$setElementOrder/nope': [] }, 'unable to find api field in struct Toy for the json field "nope"'],
    [{ '$setElementOrder/items': [], items: [] }, undefined],
  ])('%j', (patch, message) => {
    const run = () => applyStrategicMergePatch({ items: named('a') }, patch, toy);
    if (message === undefined) {
      expect(run()).toEqual({ items: named('a') });
    } else {
      expect(refusal(run)).toMatchObject({ code: 500, message });
    }
  });
});
