import { describe, expect, it } from 'vitest';
import { createReconciler, type Reconciler } from '../../src/index.ts';
import type { Endpoints, Pod, Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { createHost, key, makePods, service, storeEndpoints, sync } from './feed-host.ts';

describe('a pod feed', () => {
  it('is read in full once, and then followed by its changes', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(5))];
    let current = storeEndpoints(sync(reconciler, host).object);
    for (const change of [
      () => host.put(makePod('p3', { ready: false, ip: '10.0.0.3' })),
      () => host.remove('p0'),
      () => host.put(makePod('new', { ip: '10.0.0.200' }), makePod('p1', { ip: '10.0.9.9' })),
      () => host.put(makePod('p2', { ip: '' })),
      () => host.remove('p2'),
    ]) {
      change();
      const { object } = sync(reconciler, host, current);
      if (object) current = storeEndpoints(object);
    }
    expect(sync(reconciler, host, current).action).toBe('none');
    expect(host.reads()).toBe(1);
  });

  it('may report pods without an IP and deletions of unknown pods', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost()];
    const current = storeEndpoints(sync(reconciler, host).object);
    host.remove('unknown');
    host.put(makePod('a', { status: { podIP: '', podIPs: [] } }));
    expect(sync(reconciler, host, current).action).toBe('none');
    expect(host.reads()).toBe(1);
  });

  it('may report pods that the Service does not select', () => {
    const [reconciler, host] = [
      createReconciler({ minIndexedPods: 0 }),
      createHost(makePod('x', { metadata: { labels: { app: 'db' } } }), makePod('a')),
    ];
    const current = storeEndpoints(sync(reconciler, host).object);
    host.put(makePod('a', { metadata: { labels: { app: 'db' } } }), makePod('y', { metadata: { namespace: 'other' } }));
    expect(sync(reconciler, host, current).object?.subsets).toBeUndefined();
  });

  it('evaluates only the pods that changed', () => {
    const evaluatedPods: string[] = [];
    const makeObservedPod = (name: string): Pod => ({
      ...makePod(name),
      spec: {
        get nodeName() {
          evaluatedPods.push(name);
          return 'n1';
        },
      },
    });
    const [reconciler, host] = [
      createReconciler({ minIndexedPods: 0 }),
      createHost(makeObservedPod('a'), makeObservedPod('b'), makeObservedPod('c')),
    ];
    reconciler.reconcile({ key, service, pods: host.feed });
    expect(evaluatedPods.splice(0)).toEqual(['a', 'b', 'c']);
    host.put(makeObservedPod('b'));
    reconciler.reconcile({ key, service, pods: host.feed });
    expect(evaluatedPods).toEqual(['b']);
  });

  it.each<[string, Service]>([
    ['selector', makeService({ selector: {} }, service.metadata)],
    ['ports', makeService({ ports: [] }, service.metadata)],
    ['name', makeService({}, { ...service.metadata, name: 'web2' })],
    ['UID', makeService({}, { ...service.metadata, uid: 's2' })],
  ])('is read in full again if the %s of the Service changes', (_, changedService) => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(3))];
    sync(reconciler, host);
    sync(reconciler, host, undefined, changedService);
    expect(host.reads()).toBe(2);
  });

  it('is not read in full again if only labels and annotations of the Service change', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(3))];
    const current = storeEndpoints(sync(reconciler, host).object);
    const changedService = makeService({}, { ...service.metadata, labels: { a: '1' }, annotations: { b: '2' } });
    expect(sync(reconciler, host, current, changedService).reasons.map(({ code }) => code)).toEqual(['LabelsDiffer']);
    expect(host.reads()).toBe(1);
  });

  it.each<[string, (reconciler: Reconciler) => unknown]>([
    ['forget', (reconciler) => reconciler.forget(key)],
    ['a deletion', (reconciler) => reconciler.reconcile({ key, pods: [] })],
    ['a sync without selector', (reconciler) => reconciler.reconcile({ key, service: makeService({ selector: null }), pods: [] })],
    ['a list', (reconciler) => reconciler.reconcile({ key, service, pods: [] })],
  ])('is read in full again after %s', (_, action) => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(3))];
    sync(reconciler, host);
    action(reconciler);
    host.put(makePod('p1', { ready: false, ip: '10.0.0.1' }));
    host.clear();
    sync(reconciler, host);
    expect(host.reads()).toBe(2);
  });

  it('is read in full again after an invalid timestamp, which the trigger times do not record', () => {
    const podReadyAt = (time: string) =>
      makePod('a', { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }] } });
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(podReadyAt('2026-01-01T00:00:20Z'))];
    sync(reconciler, host);
    host.put(podReadyAt('never'));
    expect(() => reconciler.reconcile({ key, service, pods: host.feed })).toThrow(/Pod shop\/a status.conditions/);
    host.clear();
    expect(() => reconciler.reconcile({ key, service, pods: host.feed })).toThrow(TypeError);
    host.put(podReadyAt('2026-01-01T00:00:20Z'));
    host.clear();
    expect(sync(reconciler, host).object?.metadata.annotations).toBeUndefined();
    host.put(podReadyAt('2026-01-01T00:00:30Z'));
    const { object } = sync(reconciler, host);
    expect(object?.metadata.annotations).toMatchObject({ 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:30Z' });
    expect(host.reads()).toBe(3);
  });

  it('does not repeat its changes after a sync that returned retry', () => {
    const [reconciler, host] = [createReconciler({ minIndexedPods: 0 }), createHost(...makePods(3))];
    const current = storeEndpoints(sync(reconciler, host).object, '1');
    host.remove('p0');
    reconciler.observe(storeEndpoints(sync(reconciler, host, current).object, '2'));
    host.remove('p1');
    expect(reconciler.reconcile({ key, service, pods: host.feed, current }).action).toBe('retry');
    host.clear();
    expect(sync(reconciler, host, storeEndpoints(current as Endpoints, '3')).object?.subsets?.[0]?.addresses).toHaveLength(1);
    expect(host.reads()).toBe(1);
  });
});
