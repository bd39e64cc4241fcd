import type { ApiObject, Resource } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { nextEvents } from '../../../../test/contract/port/support.ts';
import { convertedStore, createConvertedStores } from '../../src/registry/converted-store.ts';
import type { StoredForm } from '../../src/registry/strategy.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { statusOf } from '../store/support.ts';
import { keyInShop } from './support.ts';

const crates: Resource = { group: 'shop.io', version: 'v1', plural: 'crates', kind: 'Crate', namespaced: true };
const newer: Resource = { ...crates, version: 'v2' };

/** Version v2 renames size to volume. */
const renameField = (object: ApiObject, from: string, to: string, apiVersion: string): ApiObject => {
  const { [from]: value, ...rest } = object;
  return { ...rest, apiVersion, [to]: value } as ApiObject;
};

const form: StoredForm = {
  resource: crates,
  toStored: (object) => renameField(object, 'volume', 'size', 'shop.io/v1'),
  fromStored: (object) => renameField(object, 'size', 'volume', 'shop.io/v2'),
};

const volume = ({ volume: value }: ApiObject): string => String(value);

function stores(): { readonly store: Store; readonly converted: Store } {
  const store = createStore();
  return { store, converted: convertedStore(store, newer, form, { fields: { volume } }) };
}

const crate = (name: string, size: number): ApiObject => ({
  apiVersion: 'shop.io/v2',
  kind: 'Crate',
  metadata: { name, namespace: 'shop', labels: { size: String(size) } },
  volume: size,
});

describe('convertedStore', () => {
  it('writes the stored form and reads the served form', () => {
    const { store, converted } = stores();
    const created = converted.create(newer, keyInShop('a'), crate('a', 5));
    expect(created).toMatchObject({ apiVersion: 'shop.io/v2', volume: 5 });
    expect(created).not.toHaveProperty('size');
    expect(store.get(crates, keyInShop('a'))).toMatchObject({ apiVersion: 'shop.io/v1', size: 5 });
    expect(store.get(crates, keyInShop('a'))).not.toHaveProperty('volume');
    expect(converted.update(newer, keyInShop('a'), (current) => ({ ...current, volume: 6 }))).toMatchObject({ volume: 6 });
    expect(store.get(crates, keyInShop('a'))).toMatchObject({ size: 6 });
    expect(converted.revision).toBe(store.revision);
    const seen: unknown[] = [];
    const removed = converted.delete(newer, keyInShop('a'), {}, (current) => void seen.push(current['volume']));
    expect([removed['volume'], seen]).toEqual([6, [6]]);
    expect(statusOf(() => converted.get(newer, keyInShop('a')))).toMatchObject({ code: 404, message: 'crates.shop.io "a" not found' });
  });

  it('returns the same frozen object each time, and shares unchanged parts', () => {
    const { store, converted } = stores();
    const created = converted.create(newer, keyInShop('a'), crate('a', 5));
    expect(converted.get(newer, keyInShop('a'))).toBe(created);
    expect(converted.list(newer).items[0]).toBe(created);
    expect(Object.isFrozen(created)).toBe(true);
    expect(created.metadata).toBe(store.get(crates, keyInShop('a')).metadata);
  });

  it('writes nothing if nothing changes', () => {
    const { store, converted } = stores();
    const created = converted.create(newer, keyInShop('a'), crate('a', 5));
    const { revision } = store;
    expect(converted.update(newer, keyInShop('a'), (current) => current)).toBe(created);
    expect(converted.update(newer, keyInShop('a'), (current) => ({ ...current }))).toBe(created);
    expect(store.revision).toBe(revision);
  });

  it('supports field selectors of the served form', () => {
    const { converted } = stores();
    for (const size of [5, 6]) converted.create(newer, keyInShop(`c${size}`), crate(`c${size}`, size));
    expect(converted.list(newer, { fieldSelector: 'volume=6' }).items.map(volume)).toEqual(['6']);
    expect(converted.list(newer, { labelSelector: 'size=5' }).items.map(volume)).toEqual(['5']);
    expect(statusOf(() => converted.list(newer, { fieldSelector: 'size=6' })).message).toContain('size');
  });

  it('watches, with bookmarks of the served kind', async () => {
    const { store, converted } = stores();
    const created = converted.create(newer, keyInShop('a'), crate('a', 5));
    const watch = converted.watch(newer, { allowWatchBookmarks: true, fieldSelector: 'volume!=7' });
    converted.update(newer, keyInShop('a'), (current) => ({ ...current, volume: 6 }));
    converted.update(newer, keyInShop('a'), (current) => ({ ...current, volume: 7 }));
    const events = await nextEvents(watch, 4);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'MODIFIED', 'DELETED']);
    expect(events[0]?.object).toBe(created);
    expect(events[1]?.object).toMatchObject({ apiVersion: 'shop.io/v2', kind: 'Crate' });
    expect(events.slice(2).map(({ object }) => volume(object))).toEqual(['6', '6']);
    converted.dropWatches();
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    expect(await store.watch(crates)[Symbol.asyncIterator]().return?.()).toEqual({ done: true, value: undefined });
  });
});

it('createConvertedStores creates one store per form', () => {
  const store = createStore();
  const convertedStores = createConvertedStores(store);
  const strategy = { resource: newer, storedAs: form };
  expect(convertedStores.storeOf(strategy)).toBe(convertedStores.storeOf({ ...strategy }));
  expect(convertedStores.storeOf({ resource: crates })).toBe(store);
});
