import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { createTable, keyOf, lowerBound, merge, prefixOf } from '../../src/store/table.ts';
import { nodes, pod, pods } from './support.ts';

const version = { object: pod('a'), revision: 1, size: 1 };

test('sortedKeys stays sorted after puts and removals', () => {
  const step = fc.tuple(fc.constantFrom('put', 'remove', 'list'), fc.constantFrom('a', 'b', 'c', 'd', 'e'));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const table = createTable(pods);
      for (const [action, key] of steps) {
        if (action === 'put') table.put(key, version);
        else if (action === 'remove') table.remove(key);
        else table.sortedKeys();
      }
      expect(table.sortedKeys()).toEqual([...table.versions.keys()].sort());
    }),
  );
});

test('sortedKeys does not retain removed keys', () => {
  const table = createTable(pods);
  table.put('stays', version);
  for (let i = 0; i < 5000; i++) {
    table.put(`p${i}`, version);
    table.remove(`p${i}`);
  }
  expect(table.sortedKeys()).toEqual(['stays']);
});

test('keyOf orders keys as kube-apiserver lists them', () => {
  expect(keyOf(pods, { namespace: 'a-b', name: 'x' }) < keyOf(pods, { namespace: 'a', name: 'x' })).toBe(true);
  expect(keyOf(nodes, { name: 'n' })).toBe('n');
  expect(keyOf(nodes, { namespace: 'ignored', name: 'n' })).toBe('n');
});

test('prefixOf covers one namespace, or all', () => {
  expect([prefixOf(pods, 'ns'), prefixOf(pods, ''), prefixOf(pods, undefined), prefixOf(nodes, 'ns')]).toEqual(['ns/', '', '', '']);
});

test('merge and lowerBound work on sorted keys', () => {
  expect(merge(['a', 'c', 'e'], ['b', 'c', 'f'])).toEqual(['a', 'b', 'c', 'e', 'f']);
  expect(merge([], ['a'])).toEqual(['a']);
  expect(['0', 'a', 'b', 'z'].map((key) => lowerBound(['a', 'c'], key))).toEqual([0, 0, 1, 2]);
});
