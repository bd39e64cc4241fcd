import { expect, it } from 'vitest';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { validateClusterIPsUpdate } from '../../../src/allocators/service/cluster-ips.ts';
import { service } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

const problems = (spec: Spec, old: Spec, version = '1.36'): string[] =>
  validateClusterIPsUpdate(service(spec), service(old), { version }).map(({ field, message }) => `${field}: ${message}`);

const single: Spec = { clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
const dual: Spec = { clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' };
const headless: Spec = { clusterIPs: ['None'], ipFamilies: ['IPv4'] };

it.each<[Spec, Spec]>([
  [single, single],
  [dual, single],
  [single, dual],
  [{ ...headless, ipFamilies: ['IPv6', 'IPv4'] }, headless],
  [{ type: 'ExternalName' }, dual],
  [dual, { type: 'ExternalName' }],
])('validateClusterIPsUpdate accepts %j after %j', (spec, old) => {
  expect(problems(spec, old)).toEqual([]);
});

it.each<[Spec, Spec, string[]]>([
  [{ ...single, clusterIPs: ['10.0.0.2'] }, single, ['spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set']],
  [headless, single, ['spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set']],
  [
    {},
    dual,
    [
      'spec.clusterIPs[0]: Invalid value: null: primary clusterIP can not be unset',
      'spec.ipFamilies[0]: Invalid value: null: primary ipFamily can not be unset',
    ],
  ],
  [
    { ...dual, clusterIPs: ['fd00::1'], ipFamilies: ['IPv6'] },
    dual,
    [
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: may not change once set',
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary clusterIP`,
      'spec.ipFamilies[0]: Invalid value: ["fd00::1"]: may not change once set',
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary ipFamily`,
    ],
  ],
  [
    { clusterIPs: ['fd00::1', '10.0.0.1'], ipFamilies: ['IPv6', 'IPv4'] },
    single,
    [
      'spec.clusterIPs[0]: Invalid value: ["fd00::1","10.0.0.1"]: may not change once set',
      'spec.ipFamilies[0]: Invalid value: ["fd00::1","10.0.0.1"]: may not change once set',
    ],
  ],
  [{ ...single, ipFamilies: ['IPv6'] }, single, ['spec.ipFamilies[0]: Invalid value: ["IPv6"]: may not change once set']],
])('validateClusterIPsUpdate reports %j after %j', (spec, old, expected) => {
  expect(problems(spec, old)).toEqual(expected);
});

it('clusterIP is immutable in 1.17 once set, unless the type becomes ExternalName', () => {
  expect(problems({}, { clusterIP: '10.0.0.1' }, '1.17')).toEqual(['spec.clusterIP: Invalid value: "": field is immutable']);
  expect([problems({ clusterIP: 'x' }, {}, '1.17'), problems({ type: 'ExternalName' }, { clusterIP: 'x' }, '1.17')]).toEqual([[], []]);
});
