import { expect, test } from 'vitest';
import { capUpdateManagers, maxUpdateManagers } from '../../../src/patch/apply/cap.ts';
import { decodeManagedFields, encodeManagedFields } from '../../../src/patch/apply/managed-fields.ts';

const entries = (count: number, more = {}) =>
  Array.from({ length: count }, (_, index) => ({
    manager: `m${index}`,
    operation: 'Update',
    apiVersion: 'v1',
    time: `20${10 + index}-01-01T00:00:00Z`,
    fieldsType: 'FieldsV1',
    fieldsV1: { [`f:${index}`]: {} },
    ...more,
  }));
const cap = (list: readonly object[]) => encodeManagedFields(capUpdateManagers(decodeManagedFields(list))) ?? [];

test('managers up to the limit are kept', () => {
  expect(cap(entries(maxUpdateManagers))).toEqual(entries(maxUpdateManagers));
});

test('the oldest managers are merged into one with their latest time', () => {
  const result = cap(entries(12));
  expect(result).toHaveLength(maxUpdateManagers);
  expect(result[0]).toEqual({
    ...entries(12)[2],
    manager: 'ancient-changes',
    fieldsV1: { 'f:0': {}, 'f:1': {}, 'f:2': {} },
  });
  expect(result.slice(1)).toEqual(entries(12).slice(3));
});

test('managers of different versions are not merged', () => {
  const [first, ...rest] = entries(12);
  const result = cap([{ ...first, apiVersion: 'v0' }, ...rest]);
  expect(result.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`).slice(0, 2)).toEqual(['m0 v0', 'ancient-changes v1']);
});

test('appliers do not count towards the limit', () => {
  const list = entries(15, { operation: 'Apply' });
  expect(cap(list)).toEqual(list);
});
