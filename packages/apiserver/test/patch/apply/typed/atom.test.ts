import { describe, expect, test } from 'vitest';
import { asList, asMap, deduce, handle, identify, typeAt } from '../../../../src/patch/apply/typed/atom.ts';
import { deducedType, type MapAtom } from '../../../../src/patch/types/type.ts';
import { toy } from '../../support.ts';

const anyType = deducedType.resolve();
const deducedKind = (value: unknown) => handle(deduce(anyType, value), { map: () => 'map', list: () => 'list', scalar: () => 'scalar' });

test.each([
  [1, 'scalar'],
  ['a', 'scalar'],
  [false, 'scalar'],
  [[], 'list'],
  [{}, 'map'],
  [null, 'map'],
  [undefined, 'map'],
])('deduce treats %j as a %s', (value, expected) => {
  expect(deducedKind(value)).toBe(expected);
});

test('deduce keeps the type for a value that the type does not allow', () => {
  expect(deduce({ scalar: 'string' }, [])).toEqual({ scalar: 'string' });
  expect(deduce(anyType, 1)).toEqual(deduce(anyType, 'a'));
  expect(deduce(anyType, 1)).not.toEqual(deduce(anyType, []));
});

describe('list items', () => {
  const list = (name: string) =>
    (toy.resolve().map as MapAtom).fields.get(name)?.type.resolve().list ?? { element: deducedType, atomic: true, keys: [] };

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
  expect(typeAt(anyType.map as MapAtom, 'nope')).toBe(deducedType);
});

test('asMap and asList return undefined for values of another kind', () => {
  expect([asMap([]), asMap(null), asList({})]).toEqual([undefined, undefined, undefined]);
});
