import { expect, it } from 'vitest';
import { apiVersionOf, parseApiVersion, resources } from '../../src/port/port.ts';

it.each([
  [resources.pods, 'v1'],
  [resources.endpointSlices, 'discovery.k8s.io/v1'],
  [resources.leases, 'coordination.k8s.io/v1'],
])('apiVersionOf joins group and version of $plural', (resource, expected) => {
  expect(apiVersionOf(resource)).toBe(expected);
});

it('every resource has a plural like its kind, and only three are cluster-scoped', () => {
  for (const { plural, kind } of Object.values(resources)) expect(plural.startsWith(kind.toLowerCase().slice(0, -1))).toBe(true);
  const clusterScoped = Object.values(resources).filter(({ namespaced }) => !namespaced);
  expect(clusterScoped.map(({ kind }) => kind).sort()).toEqual(['Namespace', 'Node', 'ServiceCIDR']);
});

it.each([
  ['v1', { group: '', version: 'v1' }],
  ['discovery.k8s.io/v1', { group: 'discovery.k8s.io', version: 'v1' }],
  ['', { group: '', version: '' }],
  ['/v1', { group: '', version: 'v1' }],
])('parseApiVersion splits %j', (apiVersion, expected) => {
  expect(parseApiVersion(apiVersion)).toStrictEqual(expected);
});
