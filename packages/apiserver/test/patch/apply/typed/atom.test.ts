import { describe, expect, test } from 'vitest';
import { deduce, handle, identify, listIn, mapIn, typeAt } from '../../../../src/patch/apply/typed/atom.ts';
import { deduced, type MapAtom } from '../../../../src/patch/types/type.ts';
import { toy } from '../../support.ts';

const any = deduced.resolve();
const kind = (value: unknown) => handle(deduce(any, value), { map: () => 'map', list: () => 'list', scalar: () => 'scalar' });

test.each([
  [1, 'scalar'],
  ['a', 'scalar'],
  [false, 'scalar'],
  [[], 'list'],
  [{}, 'map'],
  [null, 'map'],
  [undefined, 'map'],
])('deduce treats %j as a %s', (value, expected) => {
  expect(kind(value)).toBe(expected);
});

test('deduce keeps the type for a value that the type does not allow', () => {
  expect(deduce({ scalar: 'string' }, [])).toEqual({ scalar: 'string' });
  expect(deduce(any, 1)).toEqual(deduce(any, 'a'));
  expect(deduce(any, 1)).not.toEqual(deduce(any, []));
});

describe('list items', () => {
  const list = (name: string) =>
    (toy.resolve().map as MapAtom).fields.get(name)?.type.resolve().list ?? { element: deduced, atomic: true, keys: [] };

  test('are identified by their keys with defaults, or by their value', () => {
    expect(identify(list('items'), { name: 'a' })).toEqual({ element: 'k:{"kind":"plain","name":"a"}' });
    expect(identify(list('tags'), 'a')).toEqual({ element: 'v:"a"' });
  });

  test('of an atomic list have no identity', () => {
    expect(identify(list('whole'), {})).toEqual({ error: 'invalid indexing of non-associative list' });
  });
});

test('typeAt returns the type of a field, or the element type of the map', () => {
  const map = toy.resolve().map as MapAtom;
  expect(typeAt(map, 'count')?.resolve()).toEqual({ scalar: 'numeric' });
  expect(typeAt(map, 'nope')).toBeUndefined();
  expect(typeAt(any.map as MapAtom, 'nope')).toBe(deduced);
});

test('mapIn and listIn return undefined for values of another kind', () => {
  expect([mapIn([]), mapIn(null), listIn({})]).toEqual([undefined, undefined, undefined]);
});
