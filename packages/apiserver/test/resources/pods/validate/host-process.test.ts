import { expect, test } from 'vitest';
import { validateHostProcess } from '../../../../src/resources/pods/validate/host-process.ts';
import { reportedCauses } from '../../support.ts';

const withHostProcess = (hostProcess: boolean): object => ({ securityContext: { windowsOptions: { hostProcess } } });
const check = (spec: object): string[] => reportedCauses((causes) => validateHostProcess(spec as Record<string, unknown>, causes));
const policyError = 'FieldValueForbidden spec: Forbidden: hostProcess containers are disallowed by cluster policy';
const networkError =
  'FieldValueInvalid spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers';

test('hostProcess containers are forbidden', () => {
  expect(check({ containers: [{}, withHostProcess(false)] })).toEqual([]);
  expect(check({ containers: [withHostProcess(true)] })).toEqual([networkError, policyError]);
  expect(check({ hostNetwork: true, ...withHostProcess(true), containers: [{}] })).toEqual([policyError]);
  expect(check({ hostNetwork: true, containers: [withHostProcess(true), {}] })).toEqual([
    'FieldValueInvalid spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
    policyError,
  ]);
  expect(check({ hostNetwork: true, ...withHostProcess(true), containers: [withHostProcess(false)] })).toEqual([
    'FieldValueInvalid spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: ' +
      'pod hostProcess value must be identical if both are specified, was true',
  ]);
});
