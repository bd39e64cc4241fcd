import { expect, it } from 'vitest';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { validateClusterIPsUpdate } from '../../../src/allocators/service/cluster-ips.ts';
import { service } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

const problems = (spec: Spec, old: Spec, version = '1.36'): string[] =>
  validateClusterIPsUpdate(service(spec), service(old), { version }).map(({ field, message }) => `${field}: ${message}`);

const singleStackSpec: Spec = { clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
const dualStackSpec: Spec = { clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' };
const headlessSpec: Spec = { clusterIPs: ['None'], ipFamilies: ['IPv4'] };

it.each<[Spec, Spec]>([
  [singleStackSpec, singleStackSpec],
  [dualStackSpec, singleStackSpec],
  [singleStackSpec, dualStackSpec],
  [{ ...headlessSpec, ipFamilies: ['IPv6', 'IPv4'] }, headlessSpec],
  [{ type: 'ExternalName' }, dualStackSpec],
  [dualStackSpec, { type: 'ExternalName' }],
])('validateClusterIPsUpdate accepts %j after %j', (spec, old) => {
  expect(problems(spec, old)).toEqual([]);
});

it.each<[Spec, Spec, string[]]>([
  [
    { ...singleStackSpec, clusterIPs: ['10.0.0.2'] },
    singleStackSpec,
    ['spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set'],
  ],
  [headlessSpec, singleStackSpec, ['spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set']],
  [
    {},
    dualStackSpec,
    [
      'spec.clusterIPs[0]: Invalid value: null: primary clusterIP can not be unset',
      'spec.ipFamilies[0]: Invalid value: null: primary ipFamily can not be unset',
    ],
  ],
  [
    { ...dualStackSpec, clusterIPs: ['fd00::1'], ipFamilies: ['IPv6'] },
    dualStackSpec,
    [
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: may not change once set',
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary clusterIP`,
      'spec.ipFamilies[0]: Invalid value: ["fd00::1"]: may not change once set',
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary ipFamily`,
    ],
  ],
  [
    { clusterIPs: ['fd00::1', '10.0.0.1'], ipFamilies: ['IPv6', 'IPv4'] },
    singleStackSpec,
    [
      'spec.clusterIPs[0]: Invalid value: ["fd00::1","10.0.0.1"]: may not change once set',
      'spec.ipFamilies[0]: Invalid value: ["fd00::1","10.0.0.1"]: may not change once set',
    ],
  ],
  [{ ...singleStackSpec, ipFamilies: ['IPv6'] }, singleStackSpec, ['spec.ipFamilies[0]: Invalid value: ["IPv6"]: may not change once set']],
])('validateClusterIPsUpdate reports %j after %j', (spec, old, expected) => {
  expect(problems(spec, old)).toEqual(expected);
});

it('clusterIP is immutable in 1.17 once set, unless the type becomes ExternalName', () => {
  expect(problems({}, { clusterIP: '10.0.0.1' }, '1.17')).toEqual(['spec.clusterIP: Invalid value: "": field is immutable']);
  expect([problems({ clusterIP: 'x' }, {}, '1.17'), problems({ type: 'ExternalName' }, { clusterIP: 'x' }, '1.17')]).toEqual([[], []]);
});
