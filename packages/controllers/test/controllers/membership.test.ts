import type { Pod, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { expect, test } from 'vitest';
import { createMembership, type Membership } from '../../src/controllers/membership.ts';

interface Harness {
  readonly membership: Membership;
  /** Creates or changes a pod, and returns the Services that need a sync. */
  put(name: string, app: string, status?: Pod['status']): readonly string[];
  remove(name: string): readonly string[];
  setService(name: string, selector: Record<string, string> | null): void;
  /** Takes the feed of a Service; `changes` says for each changed pod whether the Service selects it. */
  feed(service: string): { readonly all: string[]; readonly changes: Record<string, boolean> };
}

function createHarness(): Harness {
  const pods = new Map<string, Pod>();
  const membership = createMembership({ profile: profileFor(), getPod: (key) => pods.get(key) });
  let version = 0;
  return {
    membership,
    put(name, app, status) {
      const key = `shop/${name}`;
      const old = pods.get(key);
      const metadata = { namespace: 'shop', name, labels: { app }, resourceVersion: String(++version) };
      const object: Pod = { metadata, status: { podIP: '10.0.0.1', ...status } };
      pods.set(key, object);
      return membership.updatePod(old ? { type: 'updated', object, old } : { type: 'added', object, initial: false }, key);
    },
    remove(name) {
      const object = pods.get(`shop/${name}`) as Pod;
      pods.delete(`shop/${name}`);
      return membership.updatePod({ type: 'deleted', object, missed: false }, `shop/${name}`);
    },
    setService(name, selector) {
      const service: Service = { metadata: { namespace: 'shop', name }, spec: { selector } };
      membership.setService(`shop/${name}`, service);
    },
    feed(service) {
      const { all, changes } = membership.takeFeed('endpoints', `shop/${service}`);
      return {
        all: [...all()].map(({ metadata }) => metadata?.name ?? ''),
        changes: Object.fromEntries([...changes].map(([name, pod]) => [name, pod !== undefined])),
      };
    },
  };
}

test('a changed pod requires a sync of every Service that selects it, and the feed contains it once', () => {
  const { put, remove, setService, feed, membership } = createHarness();
  setService('web', { app: 'web' });
  setService('all', {});
  expect(put('a', 'web')).toEqual(['shop/all', 'shop/web']);
  expect(feed('web')).toEqual({ all: ['a'], changes: {} });
  expect(put('b', 'web')).toEqual(['shop/all', 'shop/web']);
  expect(put('b', 'web', { podIP: '10.0.0.2' })).toEqual(['shop/all', 'shop/web']);
  expect(feed('web')).toEqual({ all: ['a', 'b'], changes: { b: true } });
  expect(feed('web')).toEqual({ all: ['a', 'b'], changes: {} });
  expect(remove('a')).toEqual(['shop/all', 'shop/web']);
  expect(feed('web')).toEqual({ all: ['b'], changes: { a: false } });
  expect(membership.pairs).toBe(2);
});

test('changed labels require a sync of the previous and the new Service, but not of a Service that selects the pod in both states', () => {
  const { put, setService, feed } = createHarness();
  setService('all', {});
  setService('api', { app: 'api' });
  setService('web', { app: 'web' });
  put('a', 'web');
  for (const name of ['all', 'api', 'web']) feed(name);
  expect(put('a', 'api')).toEqual(['shop/web', 'shop/api']);
  expect(feed('web')).toEqual({ all: [], changes: { a: false } });
  expect(feed('api')).toEqual({ all: ['a'], changes: { a: true } });
  expect(feed('all')).toEqual({ all: ['a'], changes: {} });
  expect(put('a', 'web', { podIP: '10.0.0.9' })).toEqual(['shop/api', 'shop/web', 'shop/all']);
});

test('a Service whose selector is changed and restored gets all changes in between', () => {
  const { put, remove, setService, feed } = createHarness();
  setService('web', { app: 'web' });
  put('a', 'web');
  put('b', 'web');
  feed('web');
  setService('web', { app: 'api' });
  remove('a');
  put('c', 'web');
  setService('web', { app: 'web' });
  expect(feed('web')).toEqual({ all: ['b', 'c'], changes: { a: false, b: true, c: true } });
});

test('a Service that is created after its pods, loses its selector or is deleted has a matching feed', () => {
  const { put, setService, feed, membership } = createHarness();
  put('a', 'web');
  setService('web', { app: 'web' });
  expect(feed('web')).toEqual({ all: ['a'], changes: {} });
  setService('web', null);
  expect(feed('web')).toEqual({ all: [], changes: { a: false } });
  membership.deleteService('shop/web');
  expect(feed('web')).toEqual({ all: [], changes: {} });
  expect(put('b', 'web')).toEqual([]);
});

test('each controller has its own changes, and after forget reads all pods instead', () => {
  const { put, setService, membership } = createHarness();
  setService('web', { app: 'web' });
  put('a', 'web');
  membership.takeFeed('endpoints', 'shop/web');
  membership.takeFeed('endpointslices', 'shop/web');
  put('b', 'web');
  expect([...membership.takeFeed('endpoints', 'shop/web').changes.keys()]).toEqual(['b']);
  membership.forget('endpointslices', 'shop/web');
  put('c', 'web');
  expect([...membership.takeFeed('endpointslices', 'shop/web').changes.keys()]).toEqual([]);
  expect([...membership.takeFeed('endpoints', 'shop/web').changes.keys()]).toEqual(['c']);
});
