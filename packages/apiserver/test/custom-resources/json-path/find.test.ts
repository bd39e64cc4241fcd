import { describe, expect, it } from 'vitest';
import { findAll } from '../../../src/custom-resources/json-path/find.ts';
import { type Path, parsePath } from '../../../src/custom-resources/json-path/parse.ts';

const object = {
  spec: { name: 'x', list: [1, 2, 3, 4], map: { b: 'B', a: 'A' }, none: null },
  conditions: [
    { type: 'Ready', status: 'True', n: 1 },
    { type: 'Idle', status: 'False', n: 2 },
  ],
};
const find = (path: string): readonly unknown[] | undefined => findAll(parsePath(path) as Path, object);

describe('findAll', () => {
  it.each([
    ['.spec.name', ['x']],
    ['.spec.nonesuch.further', []],
    ['.spec.list[0]', [1]],
    ['.spec.list[-1]', [4]],
    ['.spec.list[1:3]', [2, 3]],
    ['.spec.list[::2]', [1, 3]],
    ['.spec.list[*]', [1, 2, 3, 4]],
    ['.spec.map.*', ['A', 'B']],
    [".spec['name','map'].b", ['B']],
    ['.conditions[?(@.type=="Ready")].status', ['True']],
    ['.conditions[?(@.n>1)].type', ['Idle']],
    ['.conditions[?(@.type!="Ready")].n', [2]],
    ['.conditions[?(@.n<=2)].n', [1, 2]],
    ['.conditions[?(@.status)].n', [1, 2]],
    ['.conditions[?(@.n=="1")].n', []],
    ['..status', ['True', 'False']],
    ['.spec.__proto__', []],
  ])('evaluates the path %s', (path, expected) => {
    expect(find(path)).toEqual(expected);
  });

  it.each(['.spec.list[4]', '.spec.name[0]', '.spec.map[?(@.a)]', ".spec['list','name'][9]"])(
    'returns undefined for the failing path %s',
    (path) => {
      expect(find(path)).toBeUndefined();
    },
  );

  it('returns undefined if there are too many matches', () => {
    const wideObject = { a: Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 1)) };
    expect(findAll(parsePath('.a[*]') as Path, wideObject)).toHaveLength(200);
    expect(findAll(parsePath('.a[*][*]') as Path, wideObject)).toBeUndefined();
  });
});
