import { expect, test } from 'vitest';
import { groupByVersion, hasSameResources, listDiscoveryResources, memoize } from '../../src/discovery/groups.ts';
import { builtInResources, createCatalog } from '../../src/registry/catalog.ts';
import { createCustomResource, createWidgetResource } from './support.ts';

test('groups are sorted by the priorities of kube-apiserver, custom groups by name', () => {
  const catalog = createCatalog([
    createCustomResource('zoo.example.com', 'v1', 'cages', 'Cage'),
    createWidgetResource('v1'),
    ...builtInResources(),
    createCustomResource('apps', 'v1', 'things', 'Thing'),
  ]);
  expect([...new Set(groupByVersion(catalog.all()).map(({ group }) => group))]).toEqual([
    'apiregistration.k8s.io',
    '',
    'apps',
    'events.k8s.io',
    'authentication.k8s.io',
    'authorization.k8s.io',
    'autoscaling',
    'batch',
    'certificates.k8s.io',
    'networking.k8s.io',
    'policy',
    'rbac.authorization.k8s.io',
    'storage.k8s.io',
    'admissionregistration.k8s.io',
    'scheduling.k8s.io',
    'coordination.k8s.io',
    'node.k8s.io',
    'discovery.k8s.io',
    'resource.k8s.io',
    'flowcontrol.apiserver.k8s.io',
    'example.com',
    'zoo.example.com',
  ]);
});

test('versions of a group are sorted by stability, resources by name', () => {
  const catalog = createCatalog([
    createWidgetResource('v1beta1'),
    createWidgetResource('v2alpha1'),
    createWidgetResource('v1'),
    createCustomResource('example.com', 'v1', 'bolts', 'Bolt'),
    createCustomResource('example.com', 'v1', 'zips', 'Zip'),
  ]);
  const groupVersions = groupByVersion(catalog.all()).map(({ version, resources }) => [
    version,
    resources.map(({ resource }) => resource.plural),
  ]);
  expect(groupVersions).toEqual([
    ['v1', ['bolts', 'widgets', 'zips']],
    ['v1beta1', ['widgets']],
    ['v2alpha1', ['widgets']],
  ]);
});

test('hasSameResources compares the instances in the lists', () => {
  const [a, b] = [createWidgetResource('v1'), createWidgetResource('v1')];
  expect(hasSameResources([a, b], [a, b])).toBe(true);
  expect(hasSameResources([a, b], [a])).toBe(false);
  expect(hasSameResources([a], [b])).toBe(false);
});

test('Bindings are listed if pods can be bound, although the catalog does not contain them', () => {
  const catalog = createCatalog(builtInResources());
  const coreGroupVersion = groupByVersion(listDiscoveryResources(catalog)).find(({ group }) => group === '');
  expect(coreGroupVersion?.resources[0]).toMatchObject({
    resource: { plural: 'bindings', kind: 'Binding' },
    verbs: ['create'],
    subresources: [],
  });
  expect(catalog.all().map(({ resource }) => resource.plural)).not.toContain('bindings');
  expect(listDiscoveryResources(createCatalog([]))).toEqual([]);
});

test('memoize computes its value only on first use, even if it is undefined', () => {
  let callCount = 0;
  const value = memoize(() => {
    callCount += 1;
    return undefined;
  });
  expect(callCount).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(callCount).toBe(1);
});
