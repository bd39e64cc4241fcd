import { describe, expect, it } from 'vitest';
import { findListDuplicates } from '../../../src/custom-resources/objects/list-types.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';

const set: Schema = { type: 'array', 'x-kubernetes-list-type': 'set', items: {} };
const map: Schema = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'], items: { type: 'object' } };
const problemsOf = (value: unknown, schema: Schema): string[] =>
  findListDuplicates(value, { properties: { list: schema } }).map(({ field, message }) => `${field}: ${message}`);

describe('findListDuplicates', () => {
  it('reports each duplicate value of a set once', () => {
    expect(problemsOf({ list: ['x', 'y', 'x', 'x', { b: 1, a: 2 }, { a: 2, b: 1 }] }, set)).toEqual([
      'list[2]: Duplicate value: "x"',
      'list[5]: Duplicate value: {"a":2,"b":1}',
    ]);
  });

  it('reports items with duplicate keys in a map', () => {
    const list = [{ a: 1, b: 1 }, { a: 1 }, { a: 1, c: 2 }, { a: 1, b: 1, c: 3 }];
    expect(problemsOf({ list }, map)).toEqual(['list[2]: Duplicate value: {"a":1}', 'list[3]: Duplicate value: {"a":1,"b":1}']);
  });

  it('requires objects in a map', () => {
    expect(problemsOf({ list: [{}, 'x'] }, map)).toEqual(['list[1]: Invalid value: "x": must be an object for an array of list-type map']);
  });

  it('reports duplicates within nested lists and maps', () => {
    const schema: Schema = { additionalProperties: { type: 'array', items: set } };
    expect(problemsOf({ list: { k: [['x'], ['y', 'y']] } }, schema)).toEqual(['list[k][1][1]: Duplicate value: "y"']);
    expect(problemsOf({ list: ['x', 'x'] }, { type: 'array' })).toEqual([]);
    expect(findListDuplicates(['x', 'x'], undefined)).toEqual([]);
  });
});
