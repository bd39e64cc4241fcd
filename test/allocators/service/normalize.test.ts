import { expect, it } from 'vitest';
import { defaultDraftOnRead, normalizeClusterIPs } from '../../../src/allocators/service/families.ts';
import { draft } from '../support.ts';

it.each([
  ['a new Service of a client that knows only clusterIP', { clusterIP: 'a' }, undefined, ['a']],
  ['a new Service with both fields', { clusterIP: 'a', clusterIPs: ['b'] }, undefined, ['b']],
  ['an update that leaves clusterIPs out', { clusterIP: 'a' }, { clusterIP: 'a', clusterIPs: ['a', 'b'] }, ['a', 'b']],
  ['an update that clears clusterIP', { clusterIPs: ['a'] }, { clusterIP: 'a', clusterIPs: ['a'] }, []],
  ['an update that clears clusterIP and changes clusterIPs', { clusterIPs: ['c'] }, { clusterIP: 'a', clusterIPs: ['a'] }, ['c']],
  ['an update that changes clusterIP', { clusterIP: 'b', clusterIPs: ['a'] }, { clusterIP: 'a', clusterIPs: ['a'] }, ['b']],
  ['an update that changes both fields', { clusterIP: 'b', clusterIPs: ['c'] }, { clusterIP: 'a', clusterIPs: ['a'] }, ['c']],
])('normalizeClusterIPs reconciles clusterIPs for %s', (_, spec, old, expected) => {
  const service = draft(spec);
  normalizeClusterIPs(service, old && draft(old));
  expect(service.clusterIPs).toEqual(expected);
});

it.each([
  ['an ExternalName Service', { type: 'ExternalName', internalTrafficPolicy: 'Cluster' }, [], ''],
  ['one address', { clusterIP: 'fd00::1' }, ['IPv6'], 'SingleStack'],
  ['two addresses', { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] }, ['IPv4', 'IPv6'], 'RequireDualStack'],
  ['a headless Service', { clusterIP: 'None', selector: { app: 'web' } }, ['IPv6'], 'SingleStack'],
  ['a headless Service without a selector', { clusterIP: 'None' }, ['IPv6', 'IPv4'], 'RequireDualStack'],
  ['a Service that has families', { clusterIP: 'None', ipFamilies: ['IPv4'] }, ['IPv4'], ''],
])('defaultDraftOnRead sets the families for %s', (_, spec, families, policy) => {
  const service = draft(spec);
  defaultDraftOnRead(service, 'IPv6');
  expect([service.ipFamilies, service.ipFamilyPolicy, service.internalTrafficPolicy]).toEqual([families, policy, '']);
});
