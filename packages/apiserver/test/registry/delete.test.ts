import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, keyInShop, object } from './support.ts';

describe('delete', () => {
  it.each([{}, { gracePeriodSeconds: 0 }])('returns the unchanged resourceVersion in a dry run: %j', async (options) => {
    const { registry } = await createFixture();
    const { metadata } = await registry.create(resources.pods, 'shop', object('p'));
    const { object: result } = await registry.delete(resources.pods, keyInShop('p'), { ...options, dryRun: true });
    expect(result.metadata).toMatchObject({ resourceVersion: metadata.resourceVersion, deletionTimestamp: expect.any(String) });
  });

  it('starts the grace period of a pod, which a later delete can only shorten', async () => {
    const { registry, clock } = await createFixture();
    await registry.create(resources.pods, 'shop', object('p'));
    const first = await registry.delete(resources.pods, keyInShop('p'));
    expect(first.isRemoved).toBe(false);
    expect(first.object.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: '2026-01-02T03:04:35Z',
      generation: 2,
    });
    clock.advance(5000);
    const longer = await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 60 });
    expect(longer).toEqual({ object: first.object, isRemoved: false });
    const shorter = await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 10 });
    expect(shorter.object.metadata).toMatchObject({ deletionGracePeriodSeconds: 10, deletionTimestamp: '2026-01-02T03:04:15Z' });
    const immediate = await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 0 });
    expect(immediate.isRemoved).toBe(true);
    expect(await statusOfRejection(registry.delete(resources.pods, keyInShop('p')))).toMatchObject({ code: 404 });
  });

  it('sends watches MODIFIED before DELETED for a pod deleted without grace', async () => {
    const { registry, store } = await createFixture();
    await registry.create(resources.pods, 'shop', object('p'));
    const watch = store.watch(resources.pods, { resourceVersion: String(store.revision) });
    await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 0 });
    const events = [(await watch.next()).value, (await watch.next()).value];
    await watch.return?.();
    expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    expect(events[0].object.metadata.deletionGracePeriodSeconds).toBe(0);
  });

  it('checks preconditions once, although a deletion may be two writes', async () => {
    const { registry } = await createFixture();
    const { metadata } = await registry.create(resources.pods, 'shop', object('p'));
    const { uid = '', resourceVersion = '' } = metadata;
    const options = { gracePeriodSeconds: 0, preconditions: { uid, resourceVersion } };
    expect((await registry.delete(resources.pods, keyInShop('p'), options)).isRemoved).toBe(true);
  });

  it('sets no garbage collector finalizers on Events', async () => {
    const { registry } = await createFixture();
    const event = { involvedObject: { namespace: 'shop' }, type: 'Normal' };
    await registry.create(resources.events, 'shop', object('e', event));
    expect((await registry.delete(resources.events, keyInShop('e'), { propagationPolicy: 'Foreground' })).isRemoved).toBe(true);
  });

  it('stores nothing in a dry run', async () => {
    const { registry, store } = await createFixture();
    const created = await registry.create(resources.pods, 'shop', object('p'));
    await registry.delete(resources.pods, keyInShop('p'), { dryRun: true });
    expect(store.get(resources.pods, keyInShop('p'))).toBe(created);
  });

  it('can be refused by admission', async () => {
    const { registry } = await createFixture({
      admission: {
        validate({ operation }) {
          if (operation === 'DELETE') throw new Error('refused');
        },
      },
    });
    await registry.create(configMaps, 'shop', object('a'));
    await expect(registry.delete(configMaps, keyInShop('a'))).rejects.toThrow('refused');
    await expect(registry.deleteCollection(configMaps, {})).rejects.toThrow('refused');
  });
});
