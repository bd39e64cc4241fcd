import { expect, test } from 'vitest';
import {
  validateEnvironment,
  validateFieldRef,
  validateFileVolumes,
  validateResourceRef,
} from '../../../../src/resources/pods/validate/env.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const check = (container: object): string[] =>
  fieldsOf(reportedCauses((causes) => validateEnvironment(container as Record<string, unknown>, 'c', causes)));

test('a variable has a name and one source', () => {
  expect(check({ env: [{ name: 'A', value: 'b' }] })).toEqual([]);
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.name' };
  const env = [
    { name: 'a=b' },
    {},
    { name: 'A', valueFrom: {} },
    { name: 'A', value: 'b', valueFrom: { fieldRef } },
    { name: 'A', valueFrom: { fieldRef, secretKeyRef: {} } },
  ];
  expect(check({ env })).toEqual([
    'c.env[0].name',
    'c.env[1].name',
    'c.env[2].valueFrom',
    'c.env[3].valueFrom',
    'c.env[4].valueFrom.secretKeyRef.name',
    'c.env[4].valueFrom.secretKeyRef.key',
    'c.env[4].valueFrom',
  ]);
});

test('envFrom requires one valid source', () => {
  expect(check({ envFrom: [{}, { prefix: '=', configMapRef: { name: 'B!' }, secretRef: {} }] })).toEqual([
    'c.envFrom',
    'c.envFrom[1].prefix',
    'c.envFrom[1].configMapRef.name',
    'c.envFrom[1].secretRef.name',
    'c.envFrom',
  ]);
});

test.each([
  ['metadata.name', undefined],
  ["metadata.labels['a']", undefined],
  ["metadata.labels['a b']", 'FieldValueInvalid f:'],
  ["metadata.annotations['A/b']", undefined],
  [
    "spec.x['a']",
    'FieldValueInvalid f.fieldPath: Invalid value: "spec.x[\'a\']": error converting fieldPath: field label does not support subscript',
  ],
  ['nothing', 'FieldValueInvalid f.fieldPath: Invalid value: "nothing": error converting fieldPath: field label not supported'],
  ['status.phase', 'FieldValueNotSupported f.fieldPath'],
  ['', 'FieldValueRequired f.fieldPath'],
])('validateFieldRef checks the field %s', (fieldPath, problem) => {
  const lines = reportedCauses((causes) => validateFieldRef({ apiVersion: 'v1', fieldPath }, ['metadata.name'], 'f', causes));
  expect(lines[0]?.slice(0, problem?.length)).toBe(problem);
});

test.each([
  ['limits.cpu', '1m', 0],
  ['limits.cpu', '1k', 1],
  ['requests.memory', '1Ki', 0],
  ['requests.memory', '3', 1],
  ['limits.hugepages-2Mi', '1Mi', 0],
  ['odd', '', 1],
  ['', '', 1],
])('validateResourceRef of %s with the divisor %s reports %d errors', (resource, divisor, errorCount) => {
  expect(reportedCauses((causes) => validateResourceRef({ resource, divisor }, false, 'f', causes))).toHaveLength(errorCount);
  expect(fieldsOf(reportedCauses((causes) => validateResourceRef({ resource }, true, 'f', causes)))).toEqual(['f.containerName']);
});

test('fileKeyRef requires an emptyDir volume', () => {
  const containerWithRef = (volumeName: string): object => ({ env: [{ valueFrom: { fileKeyRef: { volumeName } } }] });
  const spec = {
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'b', secret: {} },
    ],
    containers: ['a', 'b', 'c'].map(containerWithRef),
  };
  expect(fieldsOf(reportedCauses((causes) => validateFileVolumes(spec, causes)))).toEqual(
    [1, 2].map((i) => `spec.containers[${i}].env[0].valueFrom.fileKeyRef.volumeName`),
  );
});
