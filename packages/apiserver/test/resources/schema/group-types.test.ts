import { expect, test } from 'vitest';
import { groupTypes } from '../../../src/resources/schema/group-types.ts';

test('groupTypes is sorted and has each type once', () => {
  const names = groupTypes
    .trim()
    .split('\n')
    .map((line) => /^[\w.]+/.exec(line)?.[0] as string);
  expect(names).toContain('discovery.EndpointSlice');
  expect(new Set(names).size).toBe(names.length);
  expect([...names].sort()).toEqual(names);
});
