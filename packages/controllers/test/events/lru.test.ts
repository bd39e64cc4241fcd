import { expect, test } from 'vitest';
import { createLru } from '../../src/events/correlate.ts';

test('it holds so many, and forgets what was not used for longest', () => {
  const lru = createLru<number>(3);
  for (const [i, key] of ['a', 'b', 'c'].entries()) lru.set(key, i);
  expect(lru.get('a')).toBe(0);
  lru.set('d', 3);
  expect([lru.size, lru.get('b'), lru.get('a'), lru.get('c'), lru.get('d')]).toEqual([3, undefined, 0, 2, 3]);
  lru.set('a', 10);
  lru.set('e', 4);
  expect([lru.size, lru.get('c'), lru.get('a')]).toEqual([3, undefined, 10]);
});
