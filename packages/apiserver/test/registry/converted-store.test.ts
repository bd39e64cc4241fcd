import type { ApiObject, Resource } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { nextEvents } from '../../../../test/contract/port/support.ts';
import { createConversions } from '../../src/registry/conversions.ts';
import { createConvertedStore, createConvertedStores } from '../../src/registry/converted-store.ts';
import type { StoredForm } from '../../src/registry/strategy.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { statusOf } from '../store/support.ts';
import { keyInShop } from './support.ts';

const crates: Resource = { group: 'shop.io', version: 'v1', plural: 'crates', kind: 'Crate', namespaced: true };
const cratesV2: Resource = { ...crates, version: 'v2' };

/** Version v2 renames size to volume. */
const renameField = (object: ApiObject, from: string, to: string, apiVersion: string): ApiObject => {
  const { [from]: value, ...rest } = object;
  return { ...rest, apiVersion, [to]: value } as ApiObject;
};

const storedForm: StoredForm = {
  resource: crates,
  toStored: (object) => renameField(object, 'volume', 'size', 'shop.io/v1'),
  fromStored: (object) => renameField(object, 'size', 'volume', 'shop.io/v2'),
};

const volumeOf = ({ volume: value }: ApiObject): string => String(value);

function createStores(): { readonly store: Store; readonly converted: Store } {
  const store = createStore();
  return { store, converted: createConvertedStore(store, cratesV2, storedForm, createConversions(), { fields: { volume: volumeOf } }) };
}

const crate = (name: string, size: number): ApiObject => ({
  apiVersion: 'shop.io/v2',
  kind: 'Crate',
  metadata: { name, namespace: 'shop', labels: { size: String(size) } },
  volume: size,
});

describe('createConvertedStore', () => {
  it('writes the stored form and reads the served form', () => {
    const { store, converted } = createStores();
    const created = converted.create(cratesV2, keyInShop('a'), crate('a', 5));
    expect(created).toMatchObject({ apiVersion: 'shop.io/v2', volume: 5 });
    expect(created).not.toHaveProperty('size');
    expect(store.get(crates, keyInShop('a'))).toMatchObject({ apiVersion: 'shop.io/v1', size: 5 });
    expect(store.get(crates, keyInShop('a'))).not.toHaveProperty('volume');
    expect(converted.update(cratesV2, keyInShop('a'), (current) => ({ ...current, volume: 6 }))).toMatchObject({ volume: 6 });
    expect(store.get(crates, keyInShop('a'))).toMatchObject({ size: 6 });
    expect(converted.revision).toBe(store.revision);
    const seenVolumes: unknown[] = [];
    const removed = converted.delete(cratesV2, keyInShop('a'), {}, (current) => void seenVolumes.push(current['volume']));
    expect([removed['volume'], seenVolumes]).toEqual([6, [6]]);
    expect(statusOf(() => converted.get(cratesV2, keyInShop('a')))).toMatchObject({ code: 404, message: 'crates.shop.io "a" not found' });
  });

  it('returns the same frozen object each time, and shares unchanged parts', () => {
    const { store, converted } = createStores();
    const created = converted.create(cratesV2, keyInShop('a'), crate('a', 5));
    expect(converted.get(cratesV2, keyInShop('a'))).toBe(created);
    expect(converted.list(cratesV2).items[0]).toBe(created);
    expect(Object.isFrozen(created)).toBe(true);
    expect(created.metadata).toBe(store.get(crates, keyInShop('a')).metadata);
  });

  it('writes nothing if nothing changes', () => {
    const { store, converted } = createStores();
    const created = converted.create(cratesV2, keyInShop('a'), crate('a', 5));
    const { revision } = store;
    expect(converted.update(cratesV2, keyInShop('a'), (current) => current)).toBe(created);
    expect(converted.update(cratesV2, keyInShop('a'), (current) => ({ ...current }))).toBe(created);
    expect(store.revision).toBe(revision);
  });

  it('supports field selectors of the served form', () => {
    const { converted } = createStores();
    for (const size of [5, 6]) converted.create(cratesV2, keyInShop(`c${size}`), crate(`c${size}`, size));
    expect(converted.list(cratesV2, { fieldSelector: 'volume=6' }).items.map(volumeOf)).toEqual(['6']);
    expect(converted.list(cratesV2, { labelSelector: 'size=5' }).items.map(volumeOf)).toEqual(['5']);
    expect(statusOf(() => converted.list(cratesV2, { fieldSelector: 'size=6' })).message).toContain('size');
  });

  it('watches, with bookmarks of the served kind', async () => {
    const { store, converted } = createStores();
    const created = converted.create(cratesV2, keyInShop('a'), crate('a', 5));
    const watch = converted.watch(cratesV2, { allowWatchBookmarks: true, fieldSelector: 'volume!=7' });
    converted.update(cratesV2, keyInShop('a'), (current) => ({ ...current, volume: 6 }));
    converted.update(cratesV2, keyInShop('a'), (current) => ({ ...current, volume: 7 }));
    const events = await nextEvents(watch, 4);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'MODIFIED', 'DELETED']);
    expect(events[0]?.object).toBe(created);
    expect(events[1]?.object).toMatchObject({ apiVersion: 'shop.io/v2', kind: 'Crate' });
    expect(events.slice(2).map(({ object }) => volumeOf(object))).toEqual(['6', '6']);
    converted.dropWatches();
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    expect(await store.watch(crates)[Symbol.asyncIterator]().return?.()).toEqual({ done: true, value: undefined });
  });
});

it('createConvertedStores creates one store per form', () => {
  const store = createStore();
  const convertedStores = createConvertedStores(store, createConversions());
  const strategy = { resource: cratesV2, storedAs: storedForm };
  expect(convertedStores.storeOf(strategy)).toBe(convertedStores.storeOf({ ...strategy }));
  expect(convertedStores.storeOf({ resource: crates })).toBe(store);
});
