import { expect, test } from 'vitest';
import { deducedType, untyped } from '../../src/patch/types/type.ts';
import { parseTypes } from './type-text.ts';

const types = parseTypes(`
First
  any:any free:deduced int:n=0 list:[]Second map:[a,b]Second|merge,retainKeys|a
  next:*Second|retainKeys own:!First set:[set]s
Second atomic
  name:s="x=y" labels:{}s whole:{!}s
`);
const fields = types.get('First')?.resolve().map?.fields;

test('parseTypes reads scalars, defaults, strategies and pointers', () => {
  expect(fields?.get('int')).toMatchObject({ default: 0 });
  expect(fields?.get('int')?.type.resolve()).toEqual({ scalar: 'numeric' });
  expect(fields?.get('map')).toMatchObject({ strategies: ['merge', 'retainKeys'], mergeKey: 'a' });
  expect(fields?.get('next')).toMatchObject({ strategies: ['retainKeys'], pointer: true });
  expect(fields?.get('any')?.type).toBe(untyped);
  expect(fields?.get('free')?.type).toBe(deducedType);
});

test('parseTypes reads lists and maps', () => {
  expect(fields?.get('list')?.type.resolve().list).toMatchObject({ atomic: true, keys: [] });
  expect(fields?.get('set')?.type.resolve().list).toMatchObject({ atomic: false, keys: [] });
  expect(fields?.get('map')?.type.resolve().list).toMatchObject({ atomic: false, keys: ['a', 'b'], element: { name: 'Second' } });
  const second = types.get('Second')?.resolve().map;
  expect(second?.atomic).toBe(true);
  expect(second?.fields.get('labels')?.type.resolve().map?.atomic).toBe(false);
  expect(second?.fields.get('whole')?.type.resolve().map?.atomic).toBe(true);
});

test('types may refer to each other and to themselves', () => {
  expect(fields?.get('next')?.type.resolve()).toBe(types.get('Second')?.resolve());
  expect(fields?.get('own')?.type.resolve().map).toMatchObject({ atomic: true });
  expect(types.get('First')?.resolve().map?.atomic).toBe(false);
});

test('a reference to a missing type throws when resolved', () => {
  const broken = parseTypes('A\n  b:Nope').get('A')?.resolve().map?.fields.get('b')?.type;
  expect(() => broken?.resolve()).toThrow('there is no type Nope');
});
