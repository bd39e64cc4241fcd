import type { ApiObject, Resource } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { nextEvents } from '../../../../test/contract/port/support.ts';
import { convertedStore, createConvertedStores } from '../../src/registry/converted-store.ts';
import type { StoredForm } from '../../src/registry/strategy.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { statusOf } from '../store/support.ts';
import { at } from './support.ts';

const crates: Resource = { group: 'shop.io', version: 'v1', plural: 'crates', kind: 'Crate', namespaced: true };
const newer: Resource = { ...crates, version: 'v2' };

/** Version v2 renames size to volume. */
const renamed = (object: ApiObject, from: string, to: string, apiVersion: string): ApiObject => {
  const { [from]: value, ...rest } = object;
  return { ...rest, apiVersion, [to]: value } as ApiObject;
};

const form: StoredForm = {
  resource: crates,
  toStored: (object) => renamed(object, 'volume', 'size', 'shop.io/v1'),
  fromStored: (object) => renamed(object, 'size', 'volume', 'shop.io/v2'),
};

const volume = ({ volume: value }: ApiObject): string => String(value);

function stores(): { readonly store: Store; readonly shown: Store } {
  const store = createStore();
  return { store, shown: convertedStore(store, newer, form, { fields: { volume } }) };
}

const crate = (name: string, size: number): ApiObject => ({
  apiVersion: 'shop.io/v2',
  kind: 'Crate',
  metadata: { name, namespace: 'shop', labels: { size: String(size) } },
  volume: size,
});

describe('convertedStore', () => {
  it('writes the stored form and reads the served form', () => {
    const { store, shown } = stores();
    const created = shown.create(newer, at('a'), crate('a', 5));
    expect(created).toMatchObject({ apiVersion: 'shop.io/v2', volume: 5 });
    expect(created).not.toHaveProperty('size');
    expect(store.get(crates, at('a'))).toMatchObject({ apiVersion: 'shop.io/v1', size: 5 });
    expect(store.get(crates, at('a'))).not.toHaveProperty('volume');
    expect(shown.update(newer, at('a'), (current) => ({ ...current, volume: 6 }))).toMatchObject({ volume: 6 });
    expect(store.get(crates, at('a'))).toMatchObject({ size: 6 });
    expect(shown.revision).toBe(store.revision);
    const seen: unknown[] = [];
    const gone = shown.delete(newer, at('a'), {}, (current) => void seen.push(current['volume']));
    expect([gone['volume'], seen]).toEqual([6, [6]]);
    expect(statusOf(() => shown.get(newer, at('a')))).toMatchObject({ code: 404, message: 'crates.shop.io "a" not found' });
  });

  it('returns the same frozen object each time, and shares unchanged parts', () => {
    const { store, shown } = stores();
    const created = shown.create(newer, at('a'), crate('a', 5));
    expect(shown.get(newer, at('a'))).toBe(created);
    expect(shown.list(newer).items[0]).toBe(created);
    expect(Object.isFrozen(created)).toBe(true);
    expect(created.metadata).toBe(store.get(crates, at('a')).metadata);
  });

  it('writes nothing if nothing changes', () => {
    const { store, shown } = stores();
    const created = shown.create(newer, at('a'), crate('a', 5));
    const { revision } = store;
    expect(shown.update(newer, at('a'), (current) => current)).toBe(created);
    expect(shown.update(newer, at('a'), (current) => ({ ...current }))).toBe(created);
    expect(store.revision).toBe(revision);
  });

  it('supports field selectors of the served form', () => {
    const { shown } = stores();
    for (const size of [5, 6]) shown.create(newer, at(`c${size}`), crate(`c${size}`, size));
    expect(shown.list(newer, { fieldSelector: 'volume=6' }).items.map(volume)).toEqual(['6']);
    expect(shown.list(newer, { labelSelector: 'size=5' }).items.map(volume)).toEqual(['5']);
    expect(statusOf(() => shown.list(newer, { fieldSelector: 'size=6' })).message).toContain('size');
  });

  it('watches, with bookmarks of the served kind', async () => {
    const { store, shown } = stores();
    const created = shown.create(newer, at('a'), crate('a', 5));
    const watch = shown.watch(newer, { allowWatchBookmarks: true, fieldSelector: 'volume!=7' });
    shown.update(newer, at('a'), (current) => ({ ...current, volume: 6 }));
    shown.update(newer, at('a'), (current) => ({ ...current, volume: 7 }));
    const events = await nextEvents(watch, 4);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'MODIFIED', 'DELETED']);
    expect(events[0]?.object).toBe(created);
    expect(events[1]?.object).toMatchObject({ apiVersion: 'shop.io/v2', kind: 'Crate' });
    expect(events.slice(2).map(({ object }) => volume(object))).toEqual(['6', '6']);
    shown.dropWatches();
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    expect(await store.watch(crates)[Symbol.asyncIterator]().return?.()).toEqual({ done: true, value: undefined });
  });
});

it('createConvertedStores creates one store per form', () => {
  const store = createStore();
  const made = createConvertedStores(store);
  const strategy = { resource: newer, storedAs: form };
  expect(made.storeOf(strategy)).toBe(made.storeOf({ ...strategy }));
  expect(made.storeOf({ resource: crates })).toBe(store);
});
