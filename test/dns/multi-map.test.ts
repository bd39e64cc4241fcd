import { expect, it } from 'vitest';
import { createMultiMap } from '../../src/dns/store.ts';

it('createMultiMap returns a map that holds several distinct values for a key', () => {
  const map = createMultiMap<object>();
  const [a, b] = [{}, {}];
  expect([...map.get('x')]).toEqual([]);
  map.add('x', a);
  map.add('x', a);
  expect([...map.get('x')]).toEqual([a]);
  map.add('x', b);
  map.remove('x', {});
  expect([...map.get('x')]).toHaveLength(2);
  map.remove('x', a);
  expect([...map.get('x')][0]).toBe(b);
  map.remove('x', b);
  map.remove('y', b);
  expect([...map.get('x')]).toEqual([]);
  map.add('x', a);
  map.remove('x', b);
  expect([...map.get('x')][0]).toBe(a);
});
