import { expect, test } from 'vitest';
import { isStale, observe } from '../../src/election/ownership.ts';

test('counts from when it was first seen as it is', () => {
  const first = observe(undefined, 'a', 100);
  expect(first).toEqual({ text: 'a', at: 100 });
  expect(observe(first, 'a', 200)).toEqual({ text: 'a', at: 100 });
  expect(observe(first, 'b', 200)).toEqual({ text: 'b', at: 200 });
});

test('is stale once it has not changed for that long', () => {
  const seen = observe(undefined, 'a', 100);
  expect(isStale(seen, 15, 114)).toBe(false);
  expect(isStale(seen, 15, 115)).toBe(true);
});
