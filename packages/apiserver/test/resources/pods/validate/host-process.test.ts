import { expect, test } from 'vitest';
import { validateHostProcess } from '../../../../src/resources/pods/validate/host-process.ts';
import { reportedCauses } from '../../support.ts';

const options = (hostProcess: boolean): object => ({ securityContext: { windowsOptions: { hostProcess } } });
const check = (spec: object): string[] => reportedCauses((causes) => validateHostProcess(spec as Record<string, unknown>, causes));
const policy = 'FieldValueForbidden spec: Forbidden: hostProcess containers are disallowed by cluster policy';
const network =
  'FieldValueInvalid spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers';

test('hostProcess containers are forbidden', () => {
  expect(check({ containers: [{}, options(false)] })).toEqual([]);
  expect(check({ containers: [options(true)] })).toEqual([network, policy]);
  expect(check({ hostNetwork: true, ...options(true), containers: [{}] })).toEqual([policy]);
  expect(check({ hostNetwork: true, containers: [options(true), {}] })).toEqual([
    'FieldValueInvalid spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
    policy,
  ]);
  expect(check({ hostNetwork: true, ...options(true), containers: [options(false)] })).toEqual([
    'FieldValueInvalid spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: ' +
      'pod hostProcess value must be identical if both are specified, was true',
  ]);
});
