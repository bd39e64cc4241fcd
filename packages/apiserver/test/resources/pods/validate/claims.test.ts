import { expect, test } from 'vitest';
import { claimNames, validateClaimStatuses, validatePodClaims } from '../../../../src/resources/pods/validate/claims.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const check = (claims: readonly object[], isMirror = false): string[] =>
  reportedCauses((causes) => validatePodClaims({ resourceClaims: claims }, isMirror, causes));

test('validatePodClaims requires unique names and one source per claim', () => {
  expect(check([{ name: 'a', resourceClaimName: 'x' }])).toEqual([]);
  expect(check([{ name: 'a' }])).toEqual([
    'FieldValueInvalid spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: ' +
      'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
  ]);
  const claims = [
    { name: 'a', resourceClaimName: 'x' },
    { name: 'a', resourceClaimTemplateName: 'X_' },
    { resourceClaimName: 'x' },
    { name: 'B', resourceClaimName: 'x', resourceClaimTemplateName: 'y' },
  ];
  expect(fieldsOf(check(claims))).toEqual([
    'spec.resourceClaims[1].name',
    'spec.resourceClaims[1].resourceClaimTemplateName',
    'spec.resourceClaims[2].name',
    'spec.resourceClaims[3].name',
    'spec.resourceClaims[3]',
  ]);
  expect(claimNames({ resourceClaims: claims })).toEqual(['a', 'a', 'B']);
  expect(check([{}], true)).toEqual(['FieldValueForbidden []: Forbidden: static pods do not support resource claims']);
});

test('validateClaimStatuses requires unique names of existing claims', () => {
  const spec = { resourceClaims: [{ name: 'a' }] };
  const statuses = [{ name: 'a' }, { name: 'b' }, { name: 'a', resourceClaimName: 'X_' }];
  expect(reportedCauses((causes) => validateClaimStatuses({ resourceClaimStatuses: statuses }, spec, causes)).slice(0, 2)).toEqual([
    'FieldValueInvalid status.resourceClaimStatuses[1].name: Invalid value: "b": must match the name of an entry in `spec.resourceClaims`',
    'FieldValueDuplicate status.resourceClaimStatuses[2].name: Duplicate value: "a"',
  ]);
  const fields = fieldsOf(reportedCauses((causes) => validateClaimStatuses({ resourceClaimStatuses: statuses }, spec, causes)));
  expect(fields[2]).toBe('status.resourceClaimStatuses[2].resourceClaimName');
});
