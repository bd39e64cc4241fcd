import { expect, test } from 'vitest';
import { quietly } from '../../src/webhook/happening.ts';

test('what is told must not stop what it is told of', () => {
  const told: number[] = [];
  quietly((number: number) => void told.push(number))(1);
  quietly(() => {
    throw new Error('no');
  })();
  quietly(undefined)();
  expect(told).toEqual([1]);
});
