import { expect, test } from 'vitest';
import { bytesOfBase64, configMaps, maxDataBytes, validateImmutable } from '../../../src/resources/simple/config-maps.ts';
import { reportedCauses } from '../support.ts';

const check = (fields: object): string[] =>
  reportedCauses((causes) => configMaps.strategy.validate({ metadata: { name: 'a', namespace: 'b' }, ...fields }, causes));

test('ConfigMap keys are file names, each in one map only', () => {
  expect(check({ data: { a: '1' }, binaryData: { b: 'AAEC' } })).toEqual([]);
  expect(check({ data: { '..a': '', b: '' }, binaryData: { b: '' } })).toEqual([
    `FieldValueInvalid data[..a]: Invalid value: "..a": must not start with '..'`,
    'FieldValueInvalid data[b]: Invalid value: "b": duplicate of key present in binaryData',
  ]);
});

test('a ConfigMap holds at most 1 MiB', () => {
  expect(check({ data: { a: 'x'.repeat(maxDataBytes - 3) }, binaryData: { b: 'AAEC' } })).toEqual([]);
  expect(check({ data: { a: 'x'.repeat(maxDataBytes - 3) }, binaryData: { b: 'AAECAA==' } })).toHaveLength(1);
  expect(['', 'AAEC', 'AAE=', 'AA=='].map(bytesOfBase64)).toEqual([0, 3, 2, 1]);
});

test('an immutable object cannot change', () => {
  const old = { immutable: true, data: { a: '1' } };
  expect(reportedCauses((causes) => validateImmutable({ data: { a: '2' } }, old, ['data'], causes))).toHaveLength(2);
  expect(reportedCauses((causes) => validateImmutable({ data: {} }, {}, ['data'], causes))).toEqual([]);
});

test('the table shows the number of keys', () => {
  expect(configMaps.cells({ metadata: { name: 'a' }, data: { x: '' }, binaryData: { y: '' } }, new Date())).toEqual(['a', 2, '<unknown>']);
});
