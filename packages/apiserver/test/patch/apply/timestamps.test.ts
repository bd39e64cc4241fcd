import { expect, test } from 'vitest';
import { changesOnlyTimes } from '../../../src/patch/apply/timestamps.ts';

const object = (data: string, ...times: string[]) => ({
  metadata: { name: 'a', managedFields: times.map((time, index) => ({ manager: `m${index}`, time, fieldsV1: {} })) },
  data,
});

test('a write that changes times alone is none', () => {
  expect(changesOnlyTimes(object('x', '1', '2'), object('x', '1', '3'))).toBe(true);
  expect(changesOnlyTimes(object('x', '1'), object('y', '3'))).toBe(false);
  expect(changesOnlyTimes(object('x', '1'), object('x', '1', '2'))).toBe(false);
  expect(changesOnlyTimes(object('x'), object('x'))).toBe(false);
  expect(changesOnlyTimes({}, object('x', '1'))).toBe(false);
});
