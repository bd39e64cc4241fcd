import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { forbidden } from '../../src/registry/errors.ts';
import { type ContentReport, hasRemainingPods, updateNamespaceConditions } from '../../src/registry/namespace-controller.ts';
import { configMaps, createFixture, keyInShop, object } from './support.ts';

const shop = { name: 'shop' };

describe('finalizeNamespaces', () => {
  it('deletes the content of a namespace, and then the namespace', async () => {
    const { registry, store } = await createFixture();
    await registry.create(configMaps, 'shop', object('a'));
    await registry.create(configMaps, 'default', object('a', {}, 'default'));
    expect(await registry.finalizeNamespaces()).toBe(0);
    await registry.delete(resources.namespaces, shop);
    expect(await registry.finalizeNamespaces()).toBe(1);
    expect(store.list(resources.namespaces).items.map(({ metadata }) => metadata.name)).toEqual(['default']);
    expect(store.list(configMaps).items.map(({ metadata }) => metadata.namespace)).toEqual(['default']);
  });

  it('waits for content with a finalizer or a grace period', async () => {
    const { registry, store } = await createFixture();
    await registry.create(configMaps, 'shop', object('a', { metadata: { finalizers: ['example.com/x'] } }));
    await registry.create(resources.pods, 'shop', object('p'));
    await registry.delete(resources.namespaces, shop);
    expect(await registry.finalizeNamespaces()).toBe(0);
    await registry.patch(configMaps, keyInShop('a'), { metadata: { finalizers: null } }, { type: 'merge' });
    expect(await registry.finalizeNamespaces()).toBe(0);
    await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 0 });
    expect(await registry.finalizeNamespaces()).toBe(1);
    expect(store.list(resources.namespaces, { fieldSelector: 'metadata.name=shop' }).items).toEqual([]);
  });

  it('keeps a namespace that has other finalizers', async () => {
    const { registry, store } = await createFixture();
    await registry.patch(resources.namespaces, shop, { metadata: { finalizers: ['example.com/x'] } }, { type: 'merge' });
    await registry.delete(resources.namespaces, shop);
    await registry.finalizeNamespaces();
    expect(store.get(resources.namespaces, shop)['spec']).toEqual({});
    await registry.patch(resources.namespaces, shop, { metadata: { finalizers: null } }, { type: 'merge' });
    expect(store.list(resources.namespaces).items).toHaveLength(1);
  });

  it('deletes pods first, and reports them once their grace period has passed', async () => {
    const { registry, store, clock } = await createFixture();
    await registry.create(configMaps, 'shop', object('a'));
    await registry.create(resources.pods, 'shop', object('p', { spec: { terminationGracePeriodSeconds: 30 } }));
    await registry.delete(resources.namespaces, shop);
    const failure = (): unknown => {
      const { conditions } = store.get(resources.namespaces, shop)['status'] as { readonly conditions: readonly { type: string }[] };
      return conditions.find(({ type }) => type === 'NamespaceDeletionContentFailure');
    };
    await registry.finalizeNamespaces();
    expect(store.list(configMaps).items).toHaveLength(1);
    expect(failure()).toMatchObject({ status: 'False' });
    const { revision } = store;
    await registry.finalizeNamespaces();
    expect(store.revision).toBe(revision);
    clock.advance(31_000);
    await registry.finalizeNamespaces();
    const message = 'unexpected items still remain in namespace: shop for gvr: /v1, Resource=pods';
    expect(failure()).toMatchObject({ status: 'True', message: `Failed to delete all resource types, 1 remaining: ${message}` });
  });

  it('reports content that cannot be deleted, and deletes the rest', async () => {
    const { registry, store } = await createFixture({
      admission: {
        validate: ({ operation, resource }) => {
          if (operation === 'DELETE' && resource.plural === 'configmaps') throw forbidden(resource, 'a', 'it is needed');
        },
      },
    });
    await registry.create(configMaps, 'shop', object('a'));
    await registry.create(resources.services, 'shop', object('s', { spec: { ports: [{ port: 80 }] } }));
    await registry.delete(resources.namespaces, shop);
    expect(await registry.finalizeNamespaces()).toBe(0);
    expect(store.list(resources.services).items).toEqual([]);
    const { conditions } = store.get(resources.namespaces, shop)['status'] as { readonly conditions: readonly { message: string }[] };
    expect(conditions.map(({ message }) => message)).toContain(
      'Failed to delete all resource types, 1 remaining: configmaps "a" is forbidden: it is needed',
    );
  });
});

const [now, later] = ['2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z'];
const emptyReport: ContentReport = { failureMessages: [], remainingResources: [] };

const formatConditions = (report: ContentReport): string[] =>
  updateNamespaceConditions([], report, now).map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);

describe('updateNamespaceConditions', () => {
  it('reports success in each condition if no content remains', () => {
    expect(formatConditions(emptyReport)).toEqual([
      'NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure=False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining=False ContentRemoved: All content successfully removed',
      'NamespaceFinalizersRemaining=False ContentHasNoFinalizers: All content-preserving finalizers finished',
    ]);
  });

  it('reports the remaining content and its finalizers', () => {
    const finalizers = new Map([['example.com/x', 2]]);
    const remaining = [
      { resource: resources.services, count: 2, finalizers },
      { resource: configMaps, count: 1, finalizers: new Map([['example.com/x', 1]]) },
    ];
    expect(formatConditions({ failureMessages: ['b is wrong', 'a is wrong'], remainingResources: remaining }).slice(2)).toEqual([
      'NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a is wrong, b is wrong',
      'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances, services. has 2 resource instances',
      'NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/x in 3 resource instances',
    ]);
  });

  it('reports no remaining content while pods remain', () => {
    const report = { failureMessages: [], remainingResources: [{ resource: resources.pods, count: 1, finalizers: new Map([['x/y', 1]]) }] };
    expect(hasRemainingPods(report)).toBe(true);
    expect(hasRemainingPods(emptyReport)).toBe(false);
    expect(formatConditions(report)).toEqual(formatConditions(emptyReport));
  });

  it('keeps lastTransitionTime until a status changes, and all conditions if nothing changes', () => {
    const first = updateNamespaceConditions([], { ...emptyReport, failureMessages: ['a'] }, now);
    expect(updateNamespaceConditions(first, { ...emptyReport, failureMessages: ['a'] }, later)).toBe(first);
    const conditionAfter = (failures: readonly string[]): unknown =>
      updateNamespaceConditions(first, { ...emptyReport, failureMessages: failures }, later).find(
        ({ type }) => type === 'NamespaceDeletionContentFailure',
      );
    expect(conditionAfter(['b'])).toMatchObject({ status: 'True', lastTransitionTime: now, message: expect.stringContaining(': b') });
    expect(conditionAfter([])).toMatchObject({ status: 'False', lastTransitionTime: later });
  });

  it('keeps other conditions', () => {
    const other = { type: 'Other', status: 'True' };
    expect(updateNamespaceConditions([other], emptyReport, now)[0]).toBe(other);
  });
});
