import { expect, test } from 'vitest';
import { dns1123Label } from '../../../src/formats/names.ts';
import * as metadata from '../../../src/resources/metadata/validate.ts';
import { validateFieldManager, validateManagedFields } from '../../../src/resources/metadata/validate.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const rules = { namespaced: true, name: dns1123Label, knownFinalizers: true };
const check = (value: object): string[] => reportedCauses((causes) => metadata.validateMetadata({ metadata: value }, rules, causes));

test('validateMetadata requires a name and a namespace', () => {
  expect(check({})).toEqual([
    'FieldValueRequired metadata.name: Required value: name or generateName is required',
    'FieldValueRequired metadata.namespace: Required value',
  ]);
  expect(check({ name: 'a', namespace: 'b', generateName: 'a-' })).toEqual([]);
  expect(
    fieldsOf(
      reportedCauses((causes) =>
        metadata.validateMetadata({ metadata: { name: 'a', namespace: 'b' } }, { ...rules, namespaced: false }, causes),
      ),
    ),
  ).toEqual(['metadata.namespace']);
});

test('validateMetadata checks all common fields', () => {
  const owner = { apiVersion: 'v1', kind: 'Event', name: 'a', uid: '', controller: true };
  const invalidMetadata = {
    name: 'a.b',
    namespace: 'b',
    generation: -1,
    labels: { 'a b': 'c d' },
    annotations: { 'A B': '', big: 'x'.repeat(262_144) },
    ownerReferences: [owner, owner],
    finalizers: ['odd', 'orphan', 'foregroundDeletion'],
  };
  const fields = fieldsOf(check(invalidMetadata));
  expect(fields.filter((field) => field === 'metadata.labels')).toHaveLength(2);
  expect(new Set(fields)).toEqual(
    new Set([
      'metadata.name',
      'metadata.generation',
      'metadata.labels',
      'metadata.annotations',
      'metadata.ownerReferences',
      'metadata.ownerReferences.uid',
      'metadata.finalizers',
      'metadata.finalizers[0]',
    ]),
  );
});

test('validateMetadataUpdate reports changes of immutable fields', () => {
  const old = { metadata: { name: 'a', uid: 'u', generation: 2, deletionTimestamp: 't', finalizers: ['x/a'] } };
  const lines = reportedCauses((causes) =>
    metadata.validateMetadataUpdate({ metadata: { name: 'b', generation: 1, finalizers: ['x/b'] } }, old, {}, causes),
  );
  expect(fieldsOf(lines)).toEqual(
    ['finalizers', 'resourceVersion', 'generation', 'name', 'uid', 'deletionTimestamp'].map((name) => `metadata.${name}`),
  );
  expect(lines[0]).toMatch(/found new finalizers \[\]string\{"x\/b"\}$/);
});

test('maskTrailingDash replaces the last two characters of a name that ends with a dash', () => {
  expect([metadata.maskTrailingDash('web-'), metadata.maskTrailingDash('-'), metadata.maskTrailingDash('web')]).toEqual([
    'wea',
    '-',
    'web',
  ]);
});

test('validateManagedFields checks operations, types and lengths', () => {
  const entries = [
    { operation: 'Apply', fieldsType: 'FieldsV1', manager: 'a' },
    { operation: 'Odd', fieldsType: 'V2', subresource: 'x'.repeat(257), manager: 'x'.repeat(129) },
  ];
  expect(fieldsOf(reportedCauses((causes) => validateManagedFields(entries, causes)))).toEqual(
    ['operation', 'fieldsType', 'manager', 'subresource'].map((name) => `metadata.managedFields[1].${name}`),
  );
});

test('validateFieldManager requires printable characters', () => {
  expect(reportedCauses((causes) => validateFieldManager('é\u0001', 'f', causes))).toEqual([
    'FieldValueInvalid f: Invalid value: "é\\x01": invalid character U+0001 (at position 2)',
  ]);
});
