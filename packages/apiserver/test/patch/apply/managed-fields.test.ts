import { describe, expect, test } from 'vitest';
import { createFieldSet, pathsOf } from '../../../src/patch/apply/field-set.ts';
import {
  changesOnlyTimes,
  decodeManagedFields,
  encodeManagedFields,
  identifierOf,
  isResetRequest,
  managerOf,
  noManagers,
  parseIdentifier,
  secondsOf,
  stripMeta,
} from '../../../src/patch/apply/managed-fields.ts';
import { catchApiError } from '../refusal.ts';

const entry = (manager: string, operation: string, more = {}) => ({
  manager,
  operation,
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:a': {} },
  ...more,
});

test('identifierOf distinguishes operation, version and subresource, but not the version of appliers', () => {
  const info = { manager: '<m>', apiVersion: 'v1', subresource: 'status' } as const;
  expect(identifierOf({ ...info, operation: 'Update' })).toBe(
    '{"manager":"\\u003cm\\u003e","operation":"Update","apiVersion":"v1","subresource":"status"}',
  );
  expect(identifierOf({ ...info, operation: 'Apply' })).toBe('{"manager":"\\u003cm\\u003e","operation":"Apply","subresource":"status"}');
  expect(parseIdentifier(identifierOf({ ...info, operation: 'Update' }))).toEqual({ ...info, operation: 'Update' });
});

test('encodeManagedFields sorts by operation, time, manager, version and subresource', () => {
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

test('encodeManagedFields returns undefined without managers', () => {
  expect(encodeManagedFields(noManagers)).toBeUndefined();
  expect(decodeManagedFields(undefined).managers.size).toBe(0);
});

describe('decodeManagedFields refuses', () => {
  test.each([
    [{}, 'operation must be `Apply` or `Update`'],
    [{ operation: 'Apply' }, 'apiVersion must not be empty'],
    [{ operation: 'Apply', apiVersion: 'v1' }, 'missing fieldsType in managed fields entry 0'],
    [{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'X' }, 'invalid fieldsType "X" in managed fields entry 0'],
    [entry('m', 'Apply', { fieldsV1: { a: {} } }), 'error decoding set: key must be 2 characters long:'],
  ])('%j', (invalid, message) => {
    expect(catchApiError(() => decodeManagedFields([invalid]))).toMatchObject({ code: 500, message });
  });
});

test('isResetRequest is true for an empty list or a single empty entry', () => {
  expect([[], [{}], [{ time: null, manager: '' }]].map(isResetRequest)).toEqual([true, true, true]);
  expect([undefined, null, [{ manager: 'm' }], [{}, {}]].map(isResetRequest)).toEqual([false, false, false, false]);
});

test('secondsOf converts times to seconds', () => {
  expect(secondsOf('1970-01-01T00:01:00Z')).toBe(60);
  expect(secondsOf(undefined)).toBe(0);
});

test.each([
  ['mine', 'kubectl/v1', 'mine'],
  [undefined, 'kubectl/v1.36.3 (linux/amd64)', 'kubectl'],
  ['', 'curl', 'curl'],
  [undefined, 'a\tb\u200bc d', 'abc d'],
  [undefined, '', ''],
  [undefined, 'é'.repeat(100), 'é'.repeat(64)],
])('managerOf %j with user agent %j is %j', (manager, agent, expected) => {
  expect(managerOf(manager, agent)).toBe(expected);
});

const object = (data: string, ...times: string[]) => ({
  metadata: { name: 'a', managedFields: times.map((time, index) => ({ manager: `m${index}`, time, fieldsV1: {} })) },
  data,
});

test('changesOnlyTimes is true if only times of managed fields differ', () => {
  expect(changesOnlyTimes(object('x', '1', '2'), object('x', '1', '3'))).toBe(true);
  expect(changesOnlyTimes(object('x', '1'), object('y', '3'))).toBe(false);
  expect(changesOnlyTimes(object('x', '1'), object('x', '1', '2'))).toBe(false);
  expect(changesOnlyTimes(object('x'), object('x'))).toBe(false);
  expect(changesOnlyTimes({}, object('x', '1'))).toBe(false);
});

const createVersionedSet = (...paths: string[][]) => ({ set: createFieldSet(...paths), apiVersion: 'v1', applied: false });

test('stripMeta removes the fields that identify an object from the set of one manager', () => {
  const managers = new Map([
    ['a', createVersionedSet(['f:apiVersion'], ['f:metadata', 'f:name'], ['f:metadata', 'f:labels'], ['f:spec'])],
    ['b', createVersionedSet(['f:metadata', 'f:name'])],
  ]);
  expect(pathsOf(stripMeta(managers, 'a').get('a')?.set ?? createFieldSet())).toEqual([['f:spec'], ['f:metadata', 'f:labels']]);
  expect(stripMeta(managers, 'a').get('b')).toBe(managers.get('b'));
});

test('stripMeta removes a manager that owns no other fields', () => {
  expect(stripMeta(new Map([['b', createVersionedSet(['f:kind'], ['f:metadata'])]]), 'b').size).toBe(0);
  expect(stripMeta(new Map(), 'c').size).toBe(0);
});
