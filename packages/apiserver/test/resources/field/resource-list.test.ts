import { expect, test } from 'vitest';
import {
  isExtendedResource,
  isHugePages,
  isNativeResource,
  isStandardContainerResource,
  isStandardResource,
  mayOvercommit,
  nanosOf,
  validateResourceQuantity,
} from '../../../src/resources/field/resource-list.ts';
import { reportedCauses } from '../support.ts';

test('validateResourceQuantity requires integers for countable resources', () => {
  const check = (name: string, value: string): string[] => reportedCauses((causes) => validateResourceQuantity(name, value, 'f', causes));
  expect(check('cpu', '0.5')).toEqual([]);
  expect(check('pods', '1500m')).toEqual(['FieldValueInvalid f: Invalid value: "1500m": must be an integer']);
  expect(check('example.com/gpu', '-1')).toEqual(['FieldValueInvalid f: Invalid value: "-1": must be greater than or equal to 0']);
});

test.each([
  [
    'cpu',
    { isNativeResource: true, isStandardResource: true, isStandardContainerResource: true, isExtendedResource: false, mayOvercommit: true },
  ],
  ['pods', { isNativeResource: true, isStandardResource: true, isStandardContainerResource: false }],
  ['hugepages-2Mi', { isHugePages: true, isStandardResource: true, isStandardContainerResource: true, mayOvercommit: false }],
  ['example.com/gpu', { isNativeResource: false, isExtendedResource: true, mayOvercommit: false }],
  ['requests.example.com/gpu', { isExtendedResource: false }],
  ['a.kubernetes.io/x', { isNativeResource: true, isExtendedResource: false }],
] as const)('resource predicates classify %s', (name, expected) => {
  const predicates = { isExtendedResource, isHugePages, isNativeResource, isStandardContainerResource, isStandardResource, mayOvercommit };
  const results = Object.entries(predicates).map(([predicateName, predicate]) => [predicateName, predicate(name)]);
  expect(Object.fromEntries(results)).toMatchObject(expected);
});

test('nanosOf an invalid quantity is 0', () => expect(nanosOf('x')).toBe(0n));
