import { describe, expect, it } from 'vitest';
import { createServiceEntry, createSliceEntry } from '../../src/dns/entries.ts';
import { parseConfig } from '../../src/dns/settings.ts';
import { bucketKey, createStore } from '../../src/dns/store.ts';
import { endpoint, service, slice } from './cluster.ts';

const settings = parseConfig();
const web = createServiceEntry(service('web', { externalIPs: ['192.0.2.1'] }), settings);
const webSlice = createSliceEntry(slice('web', [endpoint('10.1.0.1'), endpoint('10.1.0.2')]), settings);

describe('createStore', () => {
  it('drops deleted objects from all indexes', () => {
    const store = createStore();
    store.setService(web.key, web);
    store.setSlice(webSlice.key, webSlice);
    expect([...store.buckets()]).toHaveLength(1);
    store.setService(web.key, undefined);
    expect(store.bucket('shop/web')?.slices.size).toBe(1);
    store.setSlice(webSlice.key, undefined);
    expect([...store.buckets()]).toEqual([]);
    for (const index of [store.byClusterIP, store.byExternal, store.byEndpoint]) {
      expect(['10.0.0.1', '192.0.2.1', '10.1.0.1', '10.1.0.2'].flatMap((address) => [...index.get(address)])).toEqual([]);
    }
  });

  it('reports whether a write changed anything', () => {
    const store = createStore();
    expect(store.setService(web.key, undefined)).toBe(false);
    expect([store.setService(web.key, web), store.setService(web.key, structuredClone(web))]).toEqual([true, false]);
    expect([store.setSlice(webSlice.key, webSlice), store.setSlice(webSlice.key, structuredClone(webSlice))]).toEqual([true, false]);
    expect([store.setNamespace('shop', true), store.setNamespace('shop', true), store.setNamespace('shop', false)]).toEqual([
      true,
      false,
      true,
    ]);
    const pod = { key: 'shop/a', name: 'a', namespace: 'shop', address: '10.0.0.1' };
    expect([store.setPod(pod.key, pod), store.setPod(pod.key, { ...pod }), store.setPod(pod.key, undefined)]).toEqual([true, false, true]);
    expect([...store.byPodIP.get('10.0.0.1')]).toEqual([]);
  });

  it('clears the cached endpoints of a Service when a slice of it changes', () => {
    const store = createStore();
    store.setService(web.key, web);
    const bucket = store.bucket(bucketKey('shop', 'web'));
    if (bucket) bucket.derived.endpoints = [];
    store.setSlice(webSlice.key, webSlice);
    expect(bucket?.derived).toEqual({});
  });
});
