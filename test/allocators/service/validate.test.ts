import { expect, it } from 'vitest';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { createCauses } from '../../../src/allocators/service/failures.ts';
import { validateClusterIPFields } from '../../../src/allocators/service/families.ts';
import { draft } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

const problems = (spec: Spec, old?: Spec, strict = true): string[] => {
  const causes = createCauses(true);
  validateClusterIPFields(draft(spec), old && draft(old), strict, causes);
  return causes.list.map(({ field, message }) => `${field}: ${message}`);
};
const specWithIPs = (...clusterIPs: string[]): Spec => ({ clusterIP: clusterIPs[0], clusterIPs });

it.each<[string, Spec]>([
  ['a Service without addresses', {}],
  ['both addresses', { ...specWithIPs('10.0.0.1', 'fd00::1'), ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' }],
  ['a headless Service with any families', { ...specWithIPs('None'), ipFamilies: ['IPv6', 'IPv4'] }],
  ['addresses of an ExternalName Service', { type: 'ExternalName', clusterIPs: ['bogus'] }],
])('validateClusterIPFields accepts %s', (_, spec) => {
  expect(problems(spec)).toEqual([]);
});

it.each<[Spec, string[]]>([
  [{ clusterIP: 'None' }, ['spec.clusterIPs: Required value']],
  [
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.2'] },
    ['spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`'],
  ],
  [{ clusterIPs: ['10.0.0.2'] }, ['spec.clusterIPs: Invalid value: ["10.0.0.2"]: must be empty when `clusterIP` is not specified']],
  [
    { ipFamilies: ['IPv4', 'IPv5', 'IPv4'] },
    ['spec.ipFamilies[1]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"', 'spec.ipFamilies[2]: Duplicate value: "IPv4"'],
  ],
  [
    { ipFamilyPolicy: 'Both' },
    ['spec.ipFamilyPolicy: Unsupported value: "Both": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"'],
  ],
  [specWithIPs('None', '10.0.0.1'), [`spec.clusterIPs: Invalid value: ["None","10.0.0.1"]: 'None' must be the first and only value`]],
  [specWithIPs('bogus'), ['spec.clusterIPs[0]: Invalid value: "bogus": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
  [specWithIPs('010.0.0.1'), ['spec.clusterIPs[0]: Invalid value: "010.0.0.1": must not have leading 0s']],
  [specWithIPs('::ffff:10.0.0.1'), ['spec.clusterIPs[0]: Invalid value: "::ffff:10.0.0.1": must not be an IPv4-mapped IPv6 address']],
  [
    specWithIPs('10.0.0.1', 'fd00::1', 'fd00::2'),
    ['spec.clusterIPs: Invalid value: ["10.0.0.1","fd00::1","fd00::2"]: may only hold up to 2 values'],
  ],
  [
    specWithIPs('10.0.0.1', '10.0.0.2'),
    ['spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family'],
  ],
  [
    { ...specWithIPs('10.0.0.1'), ipFamilies: ['IPv6'] },
    ['spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`'],
  ],
])('validateClusterIPFields reports %j', (spec, expected) => {
  expect(problems(spec)).toEqual(expected);
});

it('validateClusterIPFields accepts unchanged values, and non-canonical ones before 1.36', () => {
  expect(problems(specWithIPs('010.0.0.1'), specWithIPs('010.0.0.1'))).toEqual([]);
  expect([problems(specWithIPs('010.0.0.1'), undefined, false), problems(specWithIPs('::ffff:10.0.0.1'), undefined, false)]).toEqual([
    [],
    [],
  ]);
});

it('validateClusterIPFields reports an internal error for "None" in second place', () => {
  expect(problems(specWithIPs('10.0.0.1', 'None'), specWithIPs('None'))).toEqual([
    'spec.clusterIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: None',
    'spec.clusterIPs: Invalid value: ["10.0.0.1","None"]: may specify no more than one IP for each IP family',
  ]);
});
