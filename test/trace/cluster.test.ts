import { describe, expect, it } from 'vitest';
import { createCluster, familyOf } from '../../src/trace/cluster.ts';
import { crashingStatus, makeCluster, makePod, makeService, shop } from './shop.ts';

const web = makeService('web');

describe('createCluster', () => {
  it('indexes Services and pods, and the pods and slices of a Service', () => {
    const cluster = createCluster(shop, {});
    const service = cluster.findService('shop', 'web') as typeof web;
    expect(service).toEqual(web);
    expect(cluster.podsOf(service).map(({ metadata }) => metadata?.name)).toEqual(['web-1', 'web-2', 'web-3']);
    expect(cluster.slicesOf(service)).toEqual(shop.slices);
    expect(cluster.findPod('shop', 'web-2')).toBe(shop.pods[1]);
    expect([cluster.findService('x', 'web'), cluster.findPod('x', 'web-2'), cluster.release.version]).toEqual([
      undefined,
      undefined,
      '1.37',
    ]);
    expect(() => createCluster(shop, { version: '1.8' })).toThrow(RangeError);
  });

  it('sets clusterIPs, which older API servers lack', () => {
    const [service] = createCluster({ services: [makeService('web', { clusterIPs: null })], pods: [] }, {}).objects.services;
    expect(service?.spec?.clusterIPs).toEqual(['10.96.0.10']);
  });

  it.each([undefined, '1.20'])('computes slices if none are given, in release %s', (version) => {
    const cluster = createCluster({ ...shop, slices: undefined }, { version });
    const [slice] = cluster.slicesOf(web);
    expect(cluster.slicesAreComputed).toBe(true);
    expect(slice?.metadata).toMatchObject({ name: 'web-1', namespace: 'shop' });
    expect(slice?.endpoints?.map(({ addresses }) => addresses?.[0])).toEqual(['10.1.0.1', '10.1.0.2', '10.1.0.3']);
  });

  it('mirrors the slices of a Service without a selector from its Endpoints', () => {
    const service = makeService('db', { selector: null });
    const subsets = [{ addresses: [{ ip: '10.9.0.1' }], ports: [{ name: 'http', port: 5432 }] }];
    const endpoints = [{ metadata: { name: 'db', namespace: 'shop' }, subsets }];
    const cluster = createCluster({ services: [service, makeService('none', { selector: null })], pods: [], endpoints }, {});
    expect(cluster.slicesOf(service).flatMap((slice) => slice.endpoints ?? [])).toMatchObject([{ addresses: ['10.9.0.1'] }]);
    expect(cluster.slices).toHaveLength(1);
  });

  it('computes the expected slices, except for Services that the controller ignores', () => {
    const cluster = createCluster(makeCluster([web], [makePod('web-1', 1, { status: crashingStatus })]), {});
    expect(cluster.desiredSlicesOf(web)?.[0]?.endpoints).toMatchObject([{ addresses: ['10.1.0.1'], conditions: { ready: false } }]);
    expect(cluster.desiredSlicesOf(makeService('db', { selector: null }))).toBeUndefined();
    expect(cluster.desiredSlicesOf(makeService('db', { type: 'ExternalName' }))).toBeUndefined();
  });
});

it('familyOf returns the family of an address', () => {
  expect(['10.0.0.1', 'fd00::1', 'None', ''].map(familyOf)).toEqual(['IPv4', 'IPv6', undefined, undefined]);
});
