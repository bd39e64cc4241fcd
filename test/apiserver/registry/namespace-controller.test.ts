import { describe, expect, it } from 'vitest';
import { resources } from '../../../src/port/index.ts';
import { at, configMaps, createWorld, object } from './support.ts';

const shop = { name: 'shop' };

describe('finalizeNamespaces', () => {
  it('empties a namespace, and lets it go', async () => {
    const { registry, store } = await createWorld();
    await registry.create(configMaps, 'shop', object('a'));
    await registry.create(configMaps, 'default', object('a', {}, 'default'));
    expect(await registry.finalizeNamespaces()).toBe(0);
    await registry.delete(resources.namespaces, shop);
    expect(await registry.finalizeNamespaces()).toBe(1);
    expect(store.list(resources.namespaces).items.map(({ metadata }) => metadata.name)).toEqual(['default']);
    expect(store.list(configMaps).items.map(({ metadata }) => metadata.namespace)).toEqual(['default']);
  });

  it('waits for what has a finalizer or some time to end', async () => {
    const { registry, store } = await createWorld();
    await registry.create(configMaps, 'shop', object('a', { metadata: { finalizers: ['example.com/x'] } }));
    await registry.create(resources.pods, 'shop', object('p'));
    await registry.delete(resources.namespaces, shop);
    expect(await registry.finalizeNamespaces()).toBe(0);
    await registry.patch(configMaps, at('a'), { metadata: { finalizers: null } }, { type: 'merge' });
    expect(await registry.finalizeNamespaces()).toBe(0);
    await registry.delete(resources.pods, at('p'), { gracePeriodSeconds: 0 });
    expect(await registry.finalizeNamespaces()).toBe(1);
    expect(store.list(resources.namespaces, { fieldSelector: 'metadata.name=shop' }).items).toEqual([]);
  });

  it('leaves a namespace that has finalizers of others', async () => {
    const { registry, store } = await createWorld();
    await registry.patch(resources.namespaces, shop, { metadata: { finalizers: ['example.com/x'] } }, { type: 'merge' });
    await registry.delete(resources.namespaces, shop);
    await registry.finalizeNamespaces();
    expect(store.get(resources.namespaces, shop)['spec']).toEqual({});
    await registry.patch(resources.namespaces, shop, { metadata: { finalizers: null } }, { type: 'merge' });
    expect(store.list(resources.namespaces).items).toHaveLength(1);
  });
});
