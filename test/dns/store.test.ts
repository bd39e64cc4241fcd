import { describe, expect, it } from 'vitest';
import { createServiceEntry, createSliceEntry } from '../../src/dns/entries.ts';
import { parseConfig } from '../../src/dns/settings.ts';
import { bucketKey, createStore } from '../../src/dns/store.ts';
import { makeEndpoint, makeService, makeSlice } from './cluster.ts';

const settings = parseConfig();
const web = createServiceEntry(makeService('web', { externalIPs: ['192.0.2.1'] }), settings);
const webSlice = createSliceEntry(makeSlice('web', [makeEndpoint('10.1.0.1'), makeEndpoint('10.1.0.2')]), settings);

describe('createStore', () => {
  it('drops deleted objects from all indexes', () => {
    const store = createStore();
    store.setService(web.key, web);
    store.setEndpoints(webSlice.key, webSlice);
    expect([...store.listBuckets()]).toHaveLength(1);
    store.setService(web.key, undefined);
    expect(store.getBucket('shop/web')?.sources.size).toBe(1);
    store.setEndpoints(webSlice.key, undefined);
    expect([...store.listBuckets()]).toEqual([]);
    for (const index of [store.servicesByClusterIP, store.servicesByExternalAddress, store.endpointsByAddress]) {
      expect(['10.0.0.1', '192.0.2.1', '10.1.0.1', '10.1.0.2'].flatMap((address) => [...index.get(address)])).toEqual([]);
    }
  });

  it('reports whether a write changed anything', () => {
    const store = createStore();
    expect(store.setService(web.key, undefined)).toBe(false);
    expect([store.setService(web.key, web), store.setService(web.key, structuredClone(web))]).toEqual([true, false]);
    expect([store.setEndpoints(webSlice.key, webSlice), store.setEndpoints(webSlice.key, structuredClone(webSlice))]).toEqual([
      true,
      false,
    ]);
    expect([store.setNamespace('shop', true), store.setNamespace('shop', true), store.setNamespace('shop', false)]).toEqual([
      true,
      false,
      true,
    ]);
    const pod = { key: 'shop/a', name: 'a', namespace: 'shop', addresses: ['10.0.0.1'] };
    expect([store.setPod(pod.key, pod), store.setPod(pod.key, { ...pod }), store.setPod(pod.key, undefined)]).toEqual([true, false, true]);
    expect([...store.podsByIP.get('10.0.0.1')]).toEqual([]);
  });

  it('clears the cached endpoints of a Service when a slice of it changes', () => {
    const store = createStore();
    store.setService(web.key, web);
    const bucket = store.getBucket(bucketKey('shop', 'web'));
    if (bucket) bucket.derived.endpoints = [];
    store.setEndpoints(webSlice.key, webSlice);
    expect(bucket?.derived).toEqual({});
  });
});
