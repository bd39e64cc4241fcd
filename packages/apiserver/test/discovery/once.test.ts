import { expect, test } from 'vitest';
import { once } from '../../src/discovery/once.ts';

test('a value is made when it is asked for, and only then, even if it is nothing', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});
