import { expect, it } from 'vitest';
import { keyOf } from '../../src/cache/index.ts';

it('keyOf says the namespace where there is one', () => {
  expect(keyOf({ namespace: 'shop', name: 'web' })).toBe('shop/web');
  expect(keyOf({ name: 'node-1' })).toBe('node-1');
  expect(keyOf({ namespace: '', name: 'node-1' })).toBe('node-1');
});
