import { createFaults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createWorld, podFor, readiness, serviceFor, type World } from './world.ts';

const { endpoints, events, pods, services } = resources;
const shop = [serviceFor('web'), podFor('web-1')];
const controllers = ['endpoints'] as const;
const web = { namespace: 'shop', name: 'web' };

const recorded = async ({ client }: World): Promise<unknown[]> =>
  (await client.list(events)).items.map(({ reason, type, count, message }) => ({ reason, type, count, message }));

test('a write that is refused is told by an Event, tried again as often as is asked for, and dropped', async () => {
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

test('a cache that lags is no matter for an Event', async () => {
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

test('nothing is deleted of a Service that only the cache does not show', async () => {
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

test('a namespace that is going takes nothing new, and that is all', async () => {
  await using world = await createWorld({ objects: shop, controllers, server: { background: false } });
  await world.client.delete(resources.namespaces, { name: 'shop' });
  await world.start();
  await world.pass(600_000);
  expect(world.sent()).toMatchObject([{ verb: 'create', failed: 'Forbidden' }]);
  expect(world.outcomes('endpoints', 'shop/web')).toEqual(['success']);
  expect(await recorded(world)).toEqual([]);
});

test('a pod with a timestamp that is none is tried as often as is asked for, and other Services are not held up', async () => {
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
  // A first sync has no use for the time of a pod; the next one does.
  await world.client.patch(services, web, { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
  await world.client.create(pods, podFor('web-2', { ip: '10.0.0.3' }));
  await world.pass(60_000);
  expect(world.outcomes('endpoints', 'shop/web').slice(-3)).toEqual(['retried', 'retried', 'dropped']);
});
