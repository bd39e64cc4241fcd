import { expect, test } from 'vitest';
import { groupByVersion, listedResources, once, sameResources } from '../../src/discovery/groups.ts';
import { builtInResources, createCatalog } from '../../src/registry/catalog.ts';
import { customResource, widgets } from './support.ts';

test('groups are sorted by the priorities of kube-apiserver, custom groups by name', () => {
  const catalog = createCatalog([
    customResource('zoo.example.com', 'v1', 'cages', 'Cage'),
    widgets('v1'),
    ...builtInResources(),
    customResource('apps', 'v1', 'things', 'Thing'),
  ]);
  expect([...new Set(groupByVersion(catalog.all()).map(({ group }) => group))]).toEqual([
    '',
    'apps',
    'events.k8s.io',
    'admissionregistration.k8s.io',
    'coordination.k8s.io',
    'discovery.k8s.io',
    'example.com',
    'zoo.example.com',
  ]);
});

test('versions of a group are sorted by stability, resources by name', () => {
  const catalog = createCatalog([
    widgets('v1beta1'),
    widgets('v2alpha1'),
    widgets('v1'),
    customResource('example.com', 'v1', 'bolts', 'Bolt'),
    customResource('example.com', 'v1', 'zips', 'Zip'),
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

test('sameResources compares the instances in the lists', () => {
  const [a, b] = [widgets('v1'), widgets('v1')];
  expect(sameResources([a, b], [a, b])).toBe(true);
  expect(sameResources([a, b], [a])).toBe(false);
  expect(sameResources([a], [b])).toBe(false);
});

test('Bindings are listed if pods can be bound, although the catalog does not contain them', () => {
  const catalog = createCatalog(builtInResources());
  const [core] = groupByVersion(listedResources(catalog));
  expect(core?.resources[0]).toMatchObject({ resource: { plural: 'bindings', kind: 'Binding' }, verbs: ['create'], subresources: [] });
  expect(groupByVersion(catalog.all())[0]?.resources.map(({ resource }) => resource.plural)).not.toContain('bindings');
  expect(listedResources(createCatalog([]))).toEqual([]);
});

test('once computes its value only on first use, even if it is undefined', () => {
  let calls = 0;
  const value = once(() => {
    calls += 1;
    return undefined;
  });
  expect(calls).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(calls).toBe(1);
});
