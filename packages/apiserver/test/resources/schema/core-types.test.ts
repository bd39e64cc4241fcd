import { expect, test } from 'vitest';
import { coreTypes } from '../../../src/resources/schema/core-types.ts';

test('coreTypes is sorted and has each type once', () => {
  const names = coreTypes
    .trim()
    .split('\n')
    .map((line) => /^[\w.]+/.exec(line)?.[0] as string);
  expect(names).toContain('core.Pod');
  expect(new Set(names).size).toBe(names.length);
  expect([...names].sort()).toEqual(names);
});
