import { describe, expect, test } from 'vitest';
import {
  decodeManagedFields,
  encodeManagedFields,
  identifierOf,
  infoOf,
  isReset,
  nobody,
  secondsOf,
} from '../../../src/patch/apply/managed-fields.ts';
import { refusal } from '../refusal.ts';

const entry = (manager: string, operation: string, more = {}) => ({
  manager,
  operation,
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:a': {} },
  ...more,
});

test('managers are told apart by operation, version and subresource, appliers not by version', () => {
  const info = { manager: '<m>', apiVersion: 'v1', subresource: 'status' } as const;
  expect(identifierOf({ ...info, operation: 'Update' })).toBe(
    '{"manager":"\\u003cm\\u003e","operation":"Update","apiVersion":"v1","subresource":"status"}',
  );
  expect(identifierOf({ ...info, operation: 'Apply' })).toBe('{"manager":"\\u003cm\\u003e","operation":"Apply","subresource":"status"}');
  expect(infoOf(identifierOf({ ...info, operation: 'Update' }))).toEqual({ ...info, operation: 'Update' });
});

test('entries are ordered by operation, time, manager, version and subresource', () => {
  const entries = [
    entry('z', 'Apply', { time: '2026-01-01T00:00:01Z' }),
    entry('a', 'Apply', { time: '2026-01-01T00:00:02Z' }),
    entry('n', 'Update'),
    entry('b', 'Update', { time: '2026-01-01T00:00:00Z' }),
    entry('c', 'Update', { time: '2026-01-01T00:00:00Z', apiVersion: 'v0' }),
    entry('c', 'Update', { time: '2026-01-01T00:00:00Z' }),
    entry('c', 'Update', { time: '2026-01-01T00:00:00Z', subresource: 'status' }),
  ];
  expect(encodeManagedFields(decodeManagedFields(entries.toReversed()))).toEqual(entries);
});

test('nobody manages nothing', () => {
  expect(encodeManagedFields(nobody)).toBeUndefined();
  expect(decodeManagedFields(undefined).managers.size).toBe(0);
});

describe('invalid entries', () => {
  test.each([
    [{}, 'operation must be `Apply` or `Update`'],
    [{ operation: 'Apply' }, 'apiVersion must not be empty'],
    [{ operation: 'Apply', apiVersion: 'v1' }, 'missing fieldsType in managed fields entry 0'],
    [{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'X' }, 'invalid fieldsType "X" in managed fields entry 0'],
    [entry('m', 'Apply', { fieldsV1: { a: {} } }), 'error decoding set: key must be 2 characters long:'],
  ])('%j', (invalid, message) => {
    expect(refusal(() => decodeManagedFields([invalid]))).toMatchObject({ code: 500, message });
  });
});

test('a write resets managed fields by an empty list or an empty entry', () => {
  expect([[], [{}], [{ time: null, manager: '' }]].map(isReset)).toEqual([true, true, true]);
  expect([undefined, null, [{ manager: 'm' }], [{}, {}]].map(isReset)).toEqual([false, false, false, false]);
});

test('times count in seconds', () => {
  expect(secondsOf('1970-01-01T00:01:00Z')).toBe(60);
  expect(secondsOf(undefined)).toBe(0);
});
