import { describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/index.ts';
import type { EndpointsInput } from '../../src/types/index.ts';
import { scramble } from '../property/check.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { createHost, key, makePods, service, storeEndpoints, sync } from './feed-host.ts';

describe('reconciling Endpoints that already match', () => {
  /** Endpoints that count how often their addresses are read. */
  function countReads(object: EndpointsInput) {
    let reads = 0;
    const [subset] = object.subsets ?? [];
    const subsets = [
      {
        ...subset,
        get addresses() {
          reads++;
          return subset?.addresses;
        },
      },
    ];
    return { current: { ...object, subsets }, reads: () => reads };
  }

  it('skips the comparison while the object and the outcome of its pods stay the same', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(3))];
    const { current, reads } = countReads(storeEndpoints(sync(reconciler, host).object));
    const plan = () => {
      const readsBefore = reads();
      const { action } = reconciler.reconcile({ key, service, pods: host.feed, current });
      host.clear();
      return [action, reads() - readsBefore > 1];
    };
    expect(plan()).toEqual(['none', true]);
    expect(plan()).toEqual(['none', false]);
    host.put(makePod('p1', { ip: '10.0.0.1', metadata: { annotations: { seen: 'x' } } }));
    expect(plan()).toEqual(['none', false]);
    host.put(makePod('p1', { ip: '10.0.0.77' }));
    expect(plan()[0]).toBe('update');
    host.put(makePod('p1', { ip: '10.0.0.1' }));
    expect(plan()).toEqual(['none', true]);
    expect(plan()).toEqual(['none', false]);
  });

  it('compares again if the resourceVersion or the subsets differ', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(3))];
    const current = structuredClone(storeEndpoints(sync(reconciler, host).object)) as {
      metadata: { resourceVersion: string };
      subsets: unknown[];
    };
    expect(sync(reconciler, host, current as EndpointsInput).action).toBe('none');
    current.subsets = [];
    expect(sync(reconciler, host, current as EndpointsInput).action).toBe('update');
  });
});

describe('subsets of the incremental index', () => {
  const namedPortService = makeService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'web' }] }, service.metadata);
  const podAt = (name: string, ip: string, containerPort: number, options: Parameters<typeof makePod>[1] = {}) =>
    makePod(name, { ip, spec: { containers: [{ ports: [{ name: 'web', containerPort, protocol: 'TCP' }] }] }, ...options });

  it('split when pods resolve a named port differently, and merge when they agree again', () => {
    const [reconciler, host] = [
      createReconciler({ minIndexedPods: 0 }),
      createHost(podAt('a', '10.0.0.1', 80), podAt('b', '10.0.0.2', 80)),
    ];
    const count = () => sync(reconciler, host, undefined, namedPortService).object?.subsets?.length ?? 0;
    expect(count()).toBe(1);
    host.put(podAt('b', '10.0.0.2', 81));
    expect(count()).toBe(2);
    expect(count()).toBe(2);
    host.put(podAt('c', '10.0.0.3', 81), podAt('a', '10.0.0.1', 81));
    expect(count()).toBe(1);
    for (const name of ['a', 'b', 'c']) host.remove(name);
    expect(count()).toBe(0);
    expect(host.reads()).toBe(1);
  });

  it('contain one not-ready address for two pods with the same IP and UID, until one pod is gone', () => {
    const podWithSharedUID = (name: string, ready: boolean) =>
      makePod(name, { ready, metadata: { name, namespace: 'shop', uid: 'u', labels: { app: 'web' } } });
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const [reconciler, host] = [
        createReconciler({ minIndexedPods: 0 }),
        createHost(...order.map((name) => podWithSharedUID(name, name === 'a')), makePod('c', { ip: '10.0.0.9' })),
      ];
      expect(sync(reconciler, host).object?.subsets?.[0]?.notReadyAddresses).toHaveLength(1);
      host.remove('b');
      expect(sync(reconciler, host).object?.subsets?.[0]?.addresses).toHaveLength(2);
      host.put(podWithSharedUID('b', true));
      expect(sync(reconciler, host).object?.subsets?.[0]?.addresses).toHaveLength(2);
      expect(host.reads()).toBe(1);
    }
  });

  it('are truncated to capacity, ready addresses first', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(1200))];
    const current = storeEndpoints(sync(reconciler, host).object);
    host.put(makePod('p0', { ready: false, ip: '10.0.0.0' }));
    const [subset] = sync(reconciler, host, current).object?.subsets ?? [];
    expect([subset?.addresses?.length, subset?.notReadyAddresses]).toEqual([1000, undefined]);
    expect(host.reads()).toBe(1);
  });

  it('are returned as copies', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(3))];
    scramble(sync(reconciler, host));
    scramble(sync(reconciler, host, { metadata: { name: 'web', namespace: 'shop' } }));
    sync(reconciler, host);
    const hostWithTwoPorts = createHost(podAt('a', '10.0.0.1', 80), podAt('b', '10.0.0.2', 81));
    scramble(sync(reconciler, hostWithTwoPorts, undefined, namedPortService));
    sync(reconciler, hostWithTwoPorts, undefined, namedPortService);
  });
});
