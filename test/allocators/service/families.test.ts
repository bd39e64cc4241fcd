import { expect, it } from 'vitest';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { createCauses } from '../../../src/allocators/service/failures.ts';
import { initIPFamilyFields, isUnchangedPreference } from '../../../src/allocators/service/families.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { createAllocators, draft } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

function initFields(spec: Spec, families: readonly IPFamily[], oldSpec?: Spec): string {
  const service = draft(spec);
  const causes = createCauses(true);
  initIPFamilyFields(service, oldSpec && draft(oldSpec), createAllocators(families), true, causes);
  const [cause] = causes.list;
  return cause ? `${cause.field}: ${cause.message}` : [service.ipFamilyPolicy, ...service.ipFamilies, ...service.clusterIPs].join(' ');
}

const ipv4Only = ['IPv4'] as const;
const bothFamilies = ['IPv6', 'IPv4'] as const;
const selector = { app: 'web' };

it.each<[Spec, readonly IPFamily[], string]>([
  [{}, ipv4Only, 'SingleStack IPv4'],
  [{}, bothFamilies, 'SingleStack IPv6'],
  [{ ipFamilyPolicy: 'PreferDualStack' }, ipv4Only, 'PreferDualStack IPv4'],
  [{ ipFamilyPolicy: 'PreferDualStack' }, bothFamilies, 'PreferDualStack IPv6 IPv4'],
  [{ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4'] }, bothFamilies, 'RequireDualStack IPv4 IPv6'],
  [{ clusterIP: 'None', clusterIPs: ['None'] }, ipv4Only, 'RequireDualStack IPv4 IPv6 None'],
  [{ clusterIP: 'None', clusterIPs: ['None'], selector }, ipv4Only, 'SingleStack IPv4 None'],
  [{ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }, bothFamilies, 'SingleStack IPv4 10.0.0.1'],
  [{ type: 'ExternalName' }, bothFamilies, ''],
  [
    { ipFamilyPolicy: 'RequireDualStack' },
    ipv4Only,
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
  [{ ipFamilies: ['IPv6'] }, ipv4Only, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
  [
    { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] },
    ipv4Only,
    'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
  ],
  [
    { ipFamilies: ['IPv4', 'IPv6'] },
    bothFamilies,
    `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
  ],
  [
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] },
    bothFamilies,
    `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified`,
  ],
])('initIPFamilyFields defaults or refuses a new Service %j in a cluster with the families %j', (spec, families, expected) => {
  expect(initFields(spec, families)).toBe(expected);
});

const dualStackSpec: Spec = {
  ipFamilyPolicy: 'PreferDualStack',
  ipFamilies: ['IPv4', 'IPv6'],
  clusterIP: '10.0.0.1',
  clusterIPs: ['10.0.0.1', 'fd00::1'],
};

it.each<[string, Spec, string]>([
  ['keeps the policy', { ...dualStackSpec, ipFamilyPolicy: null }, 'PreferDualStack IPv4 IPv6 10.0.0.1 fd00::1'],
  ['drops the secondary family for SingleStack', { ...dualStackSpec, ipFamilyPolicy: 'SingleStack' }, 'SingleStack IPv4 10.0.0.1'],
  [
    'refuses fewer addresses without SingleStack',
    { ...dualStackSpec, clusterIPs: ['10.0.0.1'] },
    `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary cluster IP`,
  ],
  [
    'refuses fewer families without SingleStack',
    { ...dualStackSpec, ipFamilies: ['IPv4'] },
    `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary IP family`,
  ],
])('initIPFamilyFields of an update %s', (_, spec, expected) => {
  expect(initFields(spec, ['IPv4', 'IPv6'], dualStackSpec)).toBe(expected);
});

it('initIPFamilyFields keeps PreferDualStack if the Service is unchanged, although the cluster became dual-stack', () => {
  const singleFamilySpec: Spec = {
    ipFamilyPolicy: 'PreferDualStack',
    ipFamilies: ['IPv4'],
    clusterIP: '10.0.0.1',
    clusterIPs: ['10.0.0.1'],
  };
  expect(initFields(singleFamilySpec, bothFamilies, singleFamilySpec)).toBe('PreferDualStack IPv4 10.0.0.1');
  const isChanged = (spec: Spec): boolean => !isUnchangedPreference(draft({ ...singleFamilySpec, ...spec }), draft(singleFamilySpec));
  expect([{}, { type: 'NodePort' }, { ipFamilyPolicy: 'SingleStack' }, { ipFamilies: [] }, { clusterIPs: [] }].map(isChanged)).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(isUnchangedPreference(draft(singleFamilySpec), undefined)).toBe(false);
});
