import { createApiServer } from '@kube-endpoints/apiserver';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import type { InformerState } from '../../src/cache/index.ts';
import { createCaches, createListTracker, type ListTracker } from '../../src/controllers/caches.ts';
import { type ControllersOptions, createSetup } from '../../src/controllers/options.ts';
import { createClock, flushPromises } from '../queue/clock.ts';
import { podFor, serviceFor } from './objects.ts';

const machines: Resource = { group: 'example.com', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true };
const machine: ApiObject = { apiVersion: 'example.com/v1', kind: 'Machine', metadata: { namespace: 'shop', name: 'p' } };

async function createFilledCaches(options: Partial<ControllersOptions>) {
  const clock = createClock();
  const objects = [serviceFor('web'), podFor('p'), podFor('q', { namespace: 'other' }), machine];
  const server = await createApiServer({ clock, objects, resources: [{ resource: machines }] });
  const caches = createCaches(createSetup({ port: server.client, clock, ...options }));
  const controller = new AbortController();
  const running = caches.namedInformers.map(([, informer]) => informer.run(controller.signal));
  await clock.pass(100);
  await flushPromises();
  return {
    caches,
    async [Symbol.asyncDispose]() {
      controller.abort();
      await Promise.all(running);
      await server.close();
    },
  };
}

const namesIn = ({ namedInformers: all }: ReturnType<typeof createCaches>): string[] => all.map(([name]) => name);

test('caches watch only the resources that the controllers need', async () => {
  await using fixture = await createFilledCaches({});
  expect(namesIn(fixture.caches)).toEqual(['pods', 'services', 'nodes', 'endpoints', 'endpointslices']);
  await using endpointsOnly = await createFilledCaches({ controllers: ['endpoints'] });
  expect(namesIn(endpointsOnly.caches)).toEqual(['pods', 'services', 'endpoints']);
  await using mirroringOnly = await createFilledCaches({ controllers: ['endpointslicemirroring'] });
  expect(namesIn(mirroringOnly.caches)).toEqual(['services', 'endpoints', 'endpointslices']);
  expect([...mirroringOnly.caches.pods.values()]).toEqual([]);
});

test('caches are limited to the configured namespace', async () => {
  await using allNamespaces = await createFilledCaches({});
  expect([...allNamespaces.caches.pods.values()].map(({ metadata }) => metadata?.name)).toEqual(['q', 'p']);
  await using shopOnly = await createFilledCaches({ namespace: 'shop' });
  expect([...shopOnly.caches.pods.values()].map(({ metadata }) => metadata?.name)).toEqual(['p']);
});

test('a pod and a workload of the same name have different keys', async () => {
  await using fixture = await createFilledCaches({
    workloads: { resource: machines, toPod: () => ({ status: { podIP: '10.1.0.1' } }), withPods: true },
  });
  const { pods } = fixture.caches;
  const reported: string[] = [];
  // A new listener receives the cached objects at once.
  const removeListener = pods.listen(({ type }, key) => reported.push(`${type} ${key}`));
  removeListener();
  expect(reported).toEqual(['added other/q', 'added shop/p', 'added shop/machines.example.com:p']);
  expect(pods.get('shop/p')?.status?.podIP).toBe('10.0.0.1');
  expect(pods.get('shop/machines.example.com:p')?.status?.podIP).toBe('10.1.0.1');
  expect([...pods.values()]).toHaveLength(3);
});

const recordPhases = (listTracker: ListTracker): string[] => {
  const phases: string[] = [];
  listTracker.listen((phase) => phases.push(phase));
  return phases;
};

const enterStates = (listTracker: ListTracker, ...states: InformerState[]): void => {
  for (const state of states) listTracker.onEvent({ kind: 'informer', resource: 'endpoints', state, objects: 0 });
};

test('a list tracker reports started, then completed when the informer watches', () => {
  const listTracker = createListTracker();
  const phases = recordPhases(listTracker);
  enterStates(listTracker, 'listing', 'watching');
  expect(phases).toEqual(['started', 'completed']);
});

test('a list tracker reports nothing for a resumed watch, and started again after a failed list', () => {
  const listTracker = createListTracker();
  enterStates(listTracker, 'listing', 'watching');
  const phases = recordPhases(listTracker);
  enterStates(listTracker, 'watching', 'waiting', 'watching');
  expect(phases).toEqual([]);
  enterStates(listTracker, 'listing', 'waiting', 'listing', 'watching');
  expect(phases).toEqual(['started', 'started', 'completed']);
});

test('a list tracker ignores the error of a single object', () => {
  const listTracker = createListTracker();
  enterStates(listTracker, 'listing');
  const phases = recordPhases(listTracker);
  listTracker.onEvent({ kind: 'informer', resource: 'endpoints', state: 'listing', objects: 0, error: new Error('no object') });
  expect(phases).toEqual([]);
});

test('a list tracker does not call a removed listener', () => {
  const listTracker = createListTracker();
  const phases: string[] = [];
  const removeListener = listTracker.listen((phase) => phases.push(phase));
  removeListener();
  enterStates(listTracker, 'listing', 'watching');
  expect(phases).toEqual([]);
});
