import { expect, test } from 'vitest';
import { quietly } from '../src/happening.ts';

test('what is told must not stop what it is told of', () => {
  const dropped = { kind: 'dropped', transport: 'udp', reason: 'short' } as const;
  expect(() =>
    quietly(() => {
      throw new Error('deaf');
    })(dropped),
  ).not.toThrow();
  expect(() => quietly(undefined)(dropped)).not.toThrow();
});
