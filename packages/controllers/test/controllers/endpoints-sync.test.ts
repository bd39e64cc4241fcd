import { createFaults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import type { Endpoints } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { createUnansweredCreations } from '../../src/controllers/endpoints-sync.ts';
import { createWorld, podFor, readiness, serviceFor, type World } from './world.ts';

const { endpoints, events, pods, services } = resources;
const shop = [serviceFor('web'), podFor('web-1')];
const controllers = ['endpoints'] as const;
const web = { namespace: 'shop', name: 'web' };

const recorded = async ({ client }: World): Promise<unknown[]> =>
  (await client.list(events)).items.map(({ reason, type, count, message }) => ({ reason, type, count, message }));

test('a failing create is recorded as an Event, retried up to maxRetries, then dropped', async () => {
  const faults = createFaults({
    rules: [{ fault: 'internalError', message: 'no luck', verbs: ['create'], resources: ['endpoints'], when: 'always' }],
  });
  await using world = await createWorld({ objects: shop, controllers, maxRetries: 3, through: (port) => faults.port(port) });
  await world.start();
  expect(world.outcomes('endpoints', 'shop/web')).toEqual(['retried', 'retried', 'retried', 'dropped']);
  expect(await recorded(world)).toEqual([
    {
      reason: 'FailedToCreateEndpoint',
      type: 'Warning',
      count: 4,
      message: expect.stringMatching(/^Failed to create endpoint for service shop\/web: .*no luck/),
    },
  ]);
});

test('a Conflict due to a stale cache records no Event', async () => {
  const faults = createFaults({});
  await using world = await createWorld({ objects: shop, controllers, server: { faults } });
  await world.start();
  faults.stall({ resources: ['endpoints'] });
  const current = (await world.get(endpoints, 'web')) as ApiObject;
  await world.client.update(endpoints, { ...current, metadata: { ...current.metadata, annotations: { other: 'writer' } } });
  await world.client.delete(pods, { namespace: 'shop', name: 'web-1' }, { gracePeriodSeconds: 0 });
  await world.pass(100);
  faults.release();
  await world.pass(60_000);
  expect(world.outcomes('endpoints', 'shop/web')).toContain('retried');
  expect(world.sent().some(({ failed }) => failed === 'Conflict')).toBe(true);
  expect(await recorded(world)).toEqual([]);
  expect(await world.get(endpoints, 'web')).not.toHaveProperty('subsets');
  expect((await world.get(endpoints, 'web'))?.metadata.annotations).toEqual({ other: 'writer' });
});

test('Endpoints are not deleted if only the cache lacks the Service', async () => {
  const faults = createFaults({});
  await using world = await createWorld({ objects: [podFor('web-1')], controllers, server: { faults } });
  await world.start();
  faults.stall({ resources: ['services'] });
  await world.client.create(services, serviceFor('web'));
  const labels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
  await world.client.create(endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata: { ...web, labels } });
  await world.pass(5000);
  expect(world.outcomes('endpoints', 'shop/web')).toContain('requeued');
  expect(world.sent()).toEqual([]);
  faults.release();
  await world.pass(60_000);
  expect(world.sent().map(({ verb }) => verb)).toEqual(['update']);
});

test('a create refused by a terminating namespace is not retried', async () => {
  await using world = await createWorld({ objects: shop, controllers, server: { background: false } });
  await world.client.delete(resources.namespaces, { name: 'shop' });
  await world.start();
  await world.pass(600_000);
  expect(world.sent()).toMatchObject([{ verb: 'create', failed: 'Forbidden' }]);
  expect(world.outcomes('endpoints', 'shop/web')).toEqual(['success']);
  expect(await recorded(world)).toEqual([]);
});

test('a pod with an invalid timestamp is retried up to maxRetries without delaying other Services', async () => {
  const spoilt = (object: ApiObject): ApiObject =>
    object.metadata.name === 'web-1'
      ? { ...object, status: { ...(object['status'] as object), conditions: readiness(true, 'never') } }
      : object;
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    async *watch(...given) {
      for await (const event of port.watch(...given)) yield given[0].plural === 'pods' ? { ...event, object: spoilt(event.object) } : event;
    },
  });
  const objects = [...shop, serviceFor('api'), podFor('api-1', { app: 'api', ip: '10.0.0.2' })];
  await using world = await createWorld({ objects, controllers, maxRetries: 2, through });
  await world.start();
  await world.pass(60_000);
  expect(world.outcomes('endpoints', 'shop/api')).toEqual(['success']);
  // Pod times matter only from the second sync on.
  await world.client.patch(services, web, { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
  await world.client.create(pods, podFor('web-2', { ip: '10.0.0.3' }));
  await world.pass(60_000);
  expect(world.outcomes('endpoints', 'shop/web').slice(-3)).toEqual(['retried', 'retried', 'dropped']);
});

const endpointsOf = (labels: Record<string, string>, ...ips: string[]): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { namespace: 'shop', name: 'web', labels },
  ...(ips.length > 0 && { subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 80 }] }] }),
});

const stored = (endpoints: Endpoints): Endpoints => ({
  ...endpoints,
  metadata: { ...endpoints.metadata, uid: 'u', resourceVersion: '7' },
});

test('unanswered creates match the stored object regardless of server fields and label order', () => {
  const unanswered = createUnansweredCreations({ elapsed: () => 0 });
  expect(unanswered.matches('shop/web', endpointsOf({}))).toBe(false);
  const sent = endpointsOf({ b: '2', a: '1' }, '10.0.0.1');
  unanswered.add('shop/web', sent);
  expect(unanswered.has('shop/web')).toBe(true);
  expect(unanswered.matches('shop/web', stored(endpointsOf({ a: '1', b: '2' }, '10.0.0.1')))).toBe(true);
  expect(unanswered.matches('shop/web', stored(endpointsOf({ a: '1' }, '10.0.0.1')))).toBe(false);
  expect(unanswered.matches('shop/web', stored(endpointsOf({ a: '1', b: '2' }, '10.0.0.2')))).toBe(false);
  expect(unanswered.matches('shop/api', stored(sent))).toBe(false);
});

test('unanswered creates treat an empty list of subsets like absent subsets', () => {
  const unanswered = createUnansweredCreations({ elapsed: () => 0 });
  unanswered.add('shop/web', { ...endpointsOf({}), subsets: [] });
  expect(unanswered.matches('shop/web', stored(endpointsOf({})))).toBe(true);
});

test('unanswered creates match each of several creates and drop a resolved one', () => {
  const unanswered = createUnansweredCreations({ elapsed: () => 0 });
  for (const ip of ['10.0.0.1', '10.0.0.2']) unanswered.add('shop/web', endpointsOf({}, ip));
  unanswered.drop('shop/web', stored(endpointsOf({}, '10.0.0.2')));
  expect(['10.0.0.1', '10.0.0.2'].map((ip) => unanswered.matches('shop/web', endpointsOf({}, ip)))).toEqual([true, false]);
  unanswered.drop('shop/web', endpointsOf({}, '10.0.0.1'));
  expect(unanswered.has('shop/web')).toBe(false);
});

test('unanswered creates keep the last eight of a Service', () => {
  const unanswered = createUnansweredCreations({ elapsed: () => 0 });
  const each = (act: (endpoints: Endpoints) => unknown) => Array.from({ length: 10 }, (_, n) => act(endpointsOf({}, `10.0.0.${n}`)));
  each((endpoints) => unanswered.add('shop/web', endpoints));
  expect(each((endpoints) => unanswered.matches('shop/web', endpoints))).toEqual([false, false, ...Array(8).fill(true)]);
});

test('unanswered creates expire after half an hour', () => {
  let now = 0;
  const unanswered = createUnansweredCreations({ elapsed: () => now });
  unanswered.add('shop/web', endpointsOf({}));
  now = 1_799_999;
  expect(unanswered.has('shop/web')).toBe(true);
  now = 1_800_000;
  expect(unanswered.has('shop/web')).toBe(false);
  expect(unanswered.matches('shop/web', endpointsOf({}))).toBe(false);
  unanswered.add('shop/api', endpointsOf({}));
  now = 0;
  expect(unanswered.has('shop/web')).toBe(false);
});
