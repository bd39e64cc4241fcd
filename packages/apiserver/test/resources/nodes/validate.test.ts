import { expect, test } from 'vitest';
import { validateEffect, validateNodeCreate, validateNodeUpdate } from '../../../src/resources/nodes/validate.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const metadata = { name: 'a', resourceVersion: '1' };
const createErrors = (fields: object): string[] => reportedCauses((causes) => validateNodeCreate({ metadata, ...fields }, causes));
const updateErrors = (fields: object, old: object): string[] =>
  fieldsOf(reportedCauses((causes) => validateNodeUpdate({ metadata, ...fields }, { metadata, ...old }, causes)));

test('taints must be unique by key and effect', () => {
  const taint = { key: 'a', effect: 'NoSchedule' };
  expect(createErrors({ spec: { taints: [taint, { ...taint, effect: 'NoExecute' }] } })).toEqual([]);
  expect(createErrors({ spec: { taints: [taint, { ...taint, value: 'b' }, { key: '', effect: '' }] } }).at(0)).toBe(
    'FieldValueDuplicate metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
  );
  expect(reportedCauses((causes) => validateEffect('Odd', 'f', causes))).toHaveLength(1);
});

test('podCIDRs must be valid, and at most one per family', () => {
  expect(createErrors({ spec: { podCIDRs: ['10.0.0.0/24', 'fd00::/64'] } })).toEqual([]);
  expect(fieldsOf(createErrors({ spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } }))).toEqual(['spec.podCIDRs']);
  expect(fieldsOf(createErrors({ spec: { podCIDRs: ['10.0.0.0/24', 'x'] } }))).toEqual([
    'spec.podCIDRs[1]',
    'spec.podCIDRs',
    'spec.podCIDRs',
  ]);
});

test('declared features must be sorted and valid', () => {
  expect(fieldsOf(createErrors({ status: { declaredFeatures: ['A', 'A', 'B/c', 'A', 'b'] } }))).toEqual(
    [1, 3, 4].map((i) => `status.declaredFeatures[${i}]`),
  );
  expect(fieldsOf(createErrors({ status: { capacity: { pods: '0.5' } } }))).toEqual(['status.capacity.pods']);
});

test('an update cannot change podCIDRs, providerID or externalID', () => {
  const spec = { podCIDRs: ['10.0.0.0/24', 'fd00::/64'], providerID: 'x', externalID: 'y' };
  expect(updateErrors({ spec }, { spec })).toEqual([]);
  expect(updateErrors({ spec: { podCIDRs: ['10.0.1.0/24', 'fd01::/64'] } }, { spec })).toEqual([
    'spec.podCIDRs',
    'spec.podCIDRs',
    'spec.providerID',
    'spec.externalID',
  ]);
  const address = { type: 'InternalIP', address: 'x' };
  expect(updateErrors({ status: { addresses: [address, address] } }, {})).toEqual(['status.addresses[1]']);
});
