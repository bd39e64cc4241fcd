import { expect, it } from 'vitest';
import type { AllocatableService } from '../../../src/allocators/index.ts';
import { collectCauses } from '../../../src/allocators/service/failures.ts';
import { initIPFamilyFields, isUnchangedPreference } from '../../../src/allocators/service/families.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { cluster, draft } from '../support.ts';

type Spec = NonNullable<AllocatableService['spec']>;

function init(spec: Spec, families: readonly IPFamily[], old?: Spec): string {
  const service = draft(spec);
  const causes = collectCauses(true);
  initIPFamilyFields(service, old && draft(old), cluster(families), true, causes);
  const [cause] = causes.list;
  return cause ? `${cause.field}: ${cause.message}` : [service.ipFamilyPolicy, ...service.ipFamilies, ...service.clusterIPs].join(' ');
}

const one = ['IPv4'] as const;
const both = ['IPv6', 'IPv4'] as const;
const selector = { app: 'web' };

it.each<[Spec, readonly IPFamily[], string]>([
  [{}, one, 'SingleStack IPv4'],
  [{}, both, 'SingleStack IPv6'],
  [{ ipFamilyPolicy: 'PreferDualStack' }, one, 'PreferDualStack IPv4'],
  [{ ipFamilyPolicy: 'PreferDualStack' }, both, 'PreferDualStack IPv6 IPv4'],
  [{ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4'] }, both, 'RequireDualStack IPv4 IPv6'],
  [{ clusterIP: 'None', clusterIPs: ['None'] }, one, 'RequireDualStack IPv4 IPv6 None'],
  [{ clusterIP: 'None', clusterIPs: ['None'], selector }, one, 'SingleStack IPv4 None'],
  [{ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }, both, 'SingleStack IPv4 10.0.0.1'],
  [{ type: 'ExternalName' }, both, ''],
  [
    { ipFamilyPolicy: 'RequireDualStack' },
    one,
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
  [{ ipFamilies: ['IPv6'] }, one, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
  [
    { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] },
    one,
    'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
  ],
  [
    { ipFamilies: ['IPv4', 'IPv6'] },
    both,
    `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
  ],
  [
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] },
    both,
    `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified`,
  ],
])('initIPFamilyFields defaults or refuses a new Service %j in a cluster with the families %j', (spec, families, expected) => {
  expect(init(spec, families)).toBe(expected);
});

const dual: Spec = {
  ipFamilyPolicy: 'PreferDualStack',
  ipFamilies: ['IPv4', 'IPv6'],
  clusterIP: '10.0.0.1',
  clusterIPs: ['10.0.0.1', 'fd00::1'],
};

it.each<[string, Spec, string]>([
  ['keeps the policy', { ...dual, ipFamilyPolicy: null }, 'PreferDualStack IPv4 IPv6 10.0.0.1 fd00::1'],
  ['drops the secondary family for SingleStack', { ...dual, ipFamilyPolicy: 'SingleStack' }, 'SingleStack IPv4 10.0.0.1'],
  [
    'refuses fewer addresses without SingleStack',
    { ...dual, clusterIPs: ['10.0.0.1'] },
    `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary cluster IP`,
  ],
  [
    'refuses fewer families without SingleStack',
    { ...dual, ipFamilies: ['IPv4'] },
    `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary IP family`,
  ],
])('initIPFamilyFields of an update %s', (_, spec, expected) => {
  expect(init(spec, ['IPv4', 'IPv6'], dual)).toBe(expected);
});

it('initIPFamilyFields keeps PreferDualStack if the Service is unchanged, although the cluster became dual-stack', () => {
  const single: Spec = { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'], clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] };
  expect(init(single, both, single)).toBe('PreferDualStack IPv4 10.0.0.1');
  const changed = (spec: Spec): boolean => !isUnchangedPreference(draft({ ...single, ...spec }), draft(single));
  expect([{}, { type: 'NodePort' }, { ipFamilyPolicy: 'SingleStack' }, { ipFamilies: [] }, { clusterIPs: [] }].map(changed)).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(isUnchangedPreference(draft(single), undefined)).toBe(false);
});
