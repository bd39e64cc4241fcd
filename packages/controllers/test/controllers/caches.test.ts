import { createApiServer } from '@kube-endpoints/apiserver';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import type { InformerState } from '../../src/cache/index.ts';
import { createCaches, createListTracker, type ListTracker } from '../../src/controllers/caches.ts';
import { type ControllersOptions, createSetup } from '../../src/controllers/options.ts';
import { createClock, settle } from '../queue/clock.ts';
import { podFor, serviceFor } from './objects.ts';

const machines: Resource = { group: 'example.com', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true };
const machine: ApiObject = { apiVersion: 'example.com/v1', kind: 'Machine', metadata: { namespace: 'shop', name: 'p' } };

async function filled(options: Partial<ControllersOptions>) {
  const clock = createClock();
  const objects = [serviceFor('web'), podFor('p'), podFor('q', { namespace: 'other' }), machine];
  const server = await createApiServer({ clock, objects, resources: [{ resource: machines }] });
  const caches = createCaches(createSetup({ port: server.client, clock, ...options }));
  const end = new AbortController();
  const running = caches.all.map(([, informer]) => informer.run(end.signal));
  await clock.pass(100);
  await settle();
  return {
    caches,
    async [Symbol.asyncDispose]() {
      end.abort();
      await Promise.all(running);
      await server.close();
    },
  };
}

const namesIn = ({ all }: ReturnType<typeof createCaches>): string[] => all.map(([name]) => name);

test('caches watch only the resources that the controllers need', async () => {
  await using both = await filled({});
  expect(namesIn(both.caches)).toEqual(['pods', 'services', 'nodes', 'endpoints', 'endpointslices']);
  await using one = await filled({ controllers: ['endpoints'] });
  expect(namesIn(one.caches)).toEqual(['pods', 'services', 'endpoints']);
});

test('caches are limited to the configured namespace', async () => {
  await using all = await filled({});
  expect([...all.caches.pods.values()].map(({ metadata }) => metadata?.name)).toEqual(['q', 'p']);
  await using one = await filled({ namespace: 'shop' });
  expect([...one.caches.pods.values()].map(({ metadata }) => metadata?.name)).toEqual(['p']);
});

test('a pod and a workload of the same name have different keys', async () => {
  await using both = await filled({ workloads: { resource: machines, toPod: () => ({ status: { podIP: '10.1.0.1' } }), withPods: true } });
  const { pods } = both.caches;
  const reported: string[] = [];
  const stop = pods.listen(({ type }, key) => reported.push(`${type} ${key}`));
  stop();
  expect(reported).toEqual(['added other/q', 'added shop/p', 'added shop/machines.example.com:p']);
  expect(pods.get('shop/p')?.status?.podIP).toBe('10.0.0.1');
  expect(pods.get('shop/machines.example.com:p')?.status?.podIP).toBe('10.1.0.1');
  expect([...pods.values()]).toHaveLength(3);
});

const record = (lists: ListTracker): string[] => {
  const received: string[] = [];
  lists.listen((what) => received.push(what));
  return received;
};

const enter = (lists: ListTracker, ...states: InformerState[]): void => {
  for (const state of states) lists.onEvent({ kind: 'informer', resource: 'endpoints', state, objects: 0 });
};

test('lists report begins, then shown once the informer watches', () => {
  const lists = createListTracker();
  const received = record(lists);
  enter(lists, 'listing', 'watching');
  expect(received).toEqual(['started', 'completed']);
});

test('lists report nothing for a resumed watch and repeat begins after a failed list', () => {
  const lists = createListTracker();
  enter(lists, 'listing', 'watching');
  const received = record(lists);
  enter(lists, 'watching', 'waiting', 'watching');
  expect(received).toEqual([]);
  enter(lists, 'listing', 'waiting', 'listing', 'watching');
  expect(received).toEqual(['started', 'started', 'completed']);
});

test('lists ignore the error of a single object', () => {
  const lists = createListTracker();
  enter(lists, 'listing');
  const received = record(lists);
  lists.onEvent({ kind: 'informer', resource: 'endpoints', state: 'listing', objects: 0, error: new Error('no object') });
  expect(received).toEqual([]);
});

test('lists do not call a listener that was removed', () => {
  const lists = createListTracker();
  const received: string[] = [];
  const leave = lists.listen((what) => received.push(what));
  leave();
  enter(lists, 'listing', 'watching');
  expect(received).toEqual([]);
});
