import { describe, expect, test } from 'vitest';
import { builtInResources, createCatalog, type ServedResource } from '../../src/registry/catalog.ts';

const firstBuiltIn = builtInResources()[0] as ServedResource;
const widgets: ServedResource = {
  ...firstBuiltIn,
  resource: { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true },
};

describe('createCatalog', () => {
  test('finds a resource by group, version and plural', () => {
    const catalog = createCatalog([firstBuiltIn, widgets]);
    expect(catalog.find('example.com', 'v1', 'widgets')).toBe(widgets);
    expect(catalog.find('', firstBuiltIn.resource.version, firstBuiltIn.resource.plural)).toBe(firstBuiltIn);
    expect(catalog.find('example.com', 'v2', 'widgets')).toBeUndefined();
    expect(catalog.find('', 'v1', 'widgets')).toBeUndefined();
  });

  test('raises its generation when a resource is added or removed', () => {
    const catalog = createCatalog([firstBuiltIn]);
    const { generation } = catalog;
    catalog.remove(widgets.resource);
    expect(catalog.generation).toBe(generation);
    catalog.add(widgets);
    expect(catalog.all()).toEqual([firstBuiltIn, widgets]);
    expect(catalog.generation).toBe(generation + 1);
    catalog.remove(widgets.resource);
    expect(catalog.all()).toEqual([firstBuiltIn]);
    expect(catalog.generation).toBe(generation + 2);
  });
});

describe('builtInResources', () => {
  const resourcesByName = new Map(builtInResources().map((each) => [`${each.resource.plural}.${each.resource.group}`, each]));
  const subresourcesOf = (key: string): string[] => (resourcesByName.get(key)?.subresources ?? []).map(({ name }) => name).sort();

  test('have the subresources of Kubernetes', () => {
    expect(subresourcesOf('pods.')).toEqual(expect.arrayContaining(['binding', 'eviction', 'status']));
    expect(subresourcesOf('namespaces.')).toEqual(['finalize', 'status']);
    expect(subresourcesOf('services.')).toEqual(['proxy', 'status']);
    expect(subresourcesOf('deployments.apps')).toEqual(['scale', 'status']);
    expect(subresourcesOf('configmaps.')).toEqual([]);
  });

  test('support every verb, except deletecollection of namespaces; reviews support only create, ComponentStatuses only reads', () => {
    expect(resourcesByName.get('componentstatuses.')?.verbs).toStrictEqual(['get', 'list']);
    expect(resourcesByName.get('namespaces.')?.verbs).not.toContain('deletecollection');
    const reviews = [...resourcesByName.values()].filter(({ resource }) => resource.kind.endsWith('Review'));
    expect(reviews.map(({ verbs }) => verbs)).toStrictEqual(Array.from({ length: 6 }, () => ['create']));
    expect([...resourcesByName.values()].filter(({ verbs }) => verbs.length !== 8)).toHaveLength(8);
  });

  test('give a finished pod the table row condition Completed', () => {
    const { rowConditions } = resourcesByName.get('pods.') as ServedResource;
    const conditionsFor = (phase: string): readonly object[] | undefined => rowConditions?.({ metadata: {}, status: { phase } });
    expect(conditionsFor('Running')).toEqual([]);
    expect(rowConditions?.({ metadata: {} })).toEqual([]);
    const completed = { type: 'Completed', status: 'True' };
    expect(conditionsFor('Failed')).toEqual([{ ...completed, reason: 'Failed', message: 'The pod failed.' }]);
    expect(conditionsFor('Succeeded')).toEqual([{ ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' }]);
    expect(resourcesByName.get('nodes.')?.rowConditions).toBeUndefined();
  });

  test('store events.k8s.io Events as core Events, and mark Endpoints as deprecated', () => {
    expect(resourcesByName.get('events.events.k8s.io')?.storedAs).toEqual({ group: '', version: 'v1', kind: 'Event' });
    expect(resourcesByName.get('endpoints.')?.deprecation).toMatch(/^v1 Endpoints is deprecated/);
  });
});
