import { createFaults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import type { Endpoints } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { createUnansweredCreations } from '../../src/controllers/endpoints-sync.ts';
import { type ControllersFixture, createControllersFixture, podFor, readiness, serviceFor } from './fixture.ts';

const { endpoints, events, pods, services } = resources;
const shop = [serviceFor('web'), podFor('web-1')];
const controllers = ['endpoints'] as const;
const web = { namespace: 'shop', name: 'web' };

const readEvents = async ({ client }: ControllersFixture): Promise<unknown[]> =>
  (await client.list(events)).items.map(({ reason, type, count, message }) => ({ reason, type, count, message }));

test('a failing create is recorded as an Event, retried up to maxRetries, then dropped', async () => {
  const faults = createFaults({
    rules: [{ fault: 'internalError', message: 'no luck', verbs: ['create'], resources: ['endpoints'], when: 'always' }],
  });
  await using fixture = await createControllersFixture({
    objects: shop,
    controllers,
    maxRetries: 3,
    wrapPort: (port) => faults.port(port),
  });
  await fixture.start();
  expect(fixture.outcomes('endpoints', 'shop/web')).toEqual(['retried', 'retried', 'retried', 'dropped']);
  expect(await readEvents(fixture)).toEqual([
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
  await using fixture = await createControllersFixture({ objects: shop, controllers, server: { faults } });
  await fixture.start();
  faults.stall({ resources: ['endpoints'] });
  const current = (await fixture.get(endpoints, 'web')) as ApiObject;
  await fixture.client.update(endpoints, { ...current, metadata: { ...current.metadata, annotations: { other: 'writer' } } });
  await fixture.client.delete(pods, { namespace: 'shop', name: 'web-1' }, { gracePeriodSeconds: 0 });
  await fixture.pass(100);
  faults.release();
  await fixture.pass(60_000);
  expect(fixture.outcomes('endpoints', 'shop/web')).toContain('retried');
  expect(fixture.takeWrites().some(({ failed }) => failed === 'Conflict')).toBe(true);
  expect(await readEvents(fixture)).toEqual([]);
  expect(await fixture.get(endpoints, 'web')).not.toHaveProperty('subsets');
  expect((await fixture.get(endpoints, 'web'))?.metadata.annotations).toEqual({ other: 'writer' });
});

test('Endpoints are not deleted if only the cache lacks the Service', async () => {
  const faults = createFaults({});
  await using fixture = await createControllersFixture({ objects: [podFor('web-1')], controllers, server: { faults } });
  await fixture.start();
  faults.stall({ resources: ['services'] });
  await fixture.client.create(services, serviceFor('web'));
  const labels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
  await fixture.client.create(endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata: { ...web, labels } });
  await fixture.pass(5000);
  expect(fixture.outcomes('endpoints', 'shop/web')).toContain('requeued');
  expect(fixture.takeWrites()).toEqual([]);
  faults.release();
  await fixture.pass(60_000);
  expect(fixture.takeWrites().map(({ verb }) => verb)).toEqual(['update']);
});

test('a create refused by a terminating namespace is not retried', async () => {
  await using fixture = await createControllersFixture({ objects: shop, controllers, server: { background: false } });
  await fixture.client.delete(resources.namespaces, { name: 'shop' });
  await fixture.start();
  await fixture.pass(600_000);
  expect(fixture.takeWrites()).toMatchObject([{ verb: 'create', failed: 'Forbidden' }]);
  expect(fixture.outcomes('endpoints', 'shop/web')).toEqual(['success']);
  expect(await readEvents(fixture)).toEqual([]);
});

test('a Service with a pod with an invalid timestamp is retried up to maxRetries without delaying other Services', async () => {
  const setInvalidTime = (object: ApiObject): ApiObject =>
    object.metadata.name === 'web-1'
      ? { ...object, status: { ...(object['status'] as object), conditions: readiness(true, 'never') } }
      : object;
  const wrapPort = (port: ClientPort): ClientPort => ({
    ...port,
    async *watch(...args) {
      for await (const event of port.watch(...args))
        yield args[0].plural === 'pods' ? { ...event, object: setInvalidTime(event.object) } : event;
    },
  });
  const objects = [...shop, serviceFor('api'), podFor('api-1', { app: 'api', ip: '10.0.0.2' })];
  await using fixture = await createControllersFixture({ objects, controllers, maxRetries: 2, wrapPort });
  await fixture.start();
  await fixture.pass(60_000);
  expect(fixture.outcomes('endpoints', 'shop/api')).toEqual(['success']);
  // Pod times have an effect only from the second sync on.
  await fixture.client.patch(services, web, { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
  await fixture.client.create(pods, podFor('web-2', { ip: '10.0.0.3' }));
  await fixture.pass(60_000);
  expect(fixture.outcomes('endpoints', 'shop/web').slice(-3)).toEqual(['retried', 'retried', 'dropped']);
});

const endpointsOf = (labels: Record<string, string>, ...ips: string[]): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { namespace: 'shop', name: 'web', labels },
  ...(ips.length > 0 && { subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 80 }] }] }),
});

const addServerFields = (endpoints: Endpoints): Endpoints => ({
  ...endpoints,
  metadata: { ...endpoints.metadata, uid: 'u', resourceVersion: '7' },
});

test('unanswered creates match the stored object regardless of server fields and label order', () => {
  const unansweredCreations = createUnansweredCreations({ elapsed: () => 0 });
  expect(unansweredCreations.matches('shop/web', endpointsOf({}))).toBe(false);
  const created = endpointsOf({ b: '2', a: '1' }, '10.0.0.1');
  unansweredCreations.add('shop/web', created);
  expect(unansweredCreations.has('shop/web')).toBe(true);
  expect(unansweredCreations.matches('shop/web', addServerFields(endpointsOf({ a: '1', b: '2' }, '10.0.0.1')))).toBe(true);
  expect(unansweredCreations.matches('shop/web', addServerFields(endpointsOf({ a: '1' }, '10.0.0.1')))).toBe(false);
  expect(unansweredCreations.matches('shop/web', addServerFields(endpointsOf({ a: '1', b: '2' }, '10.0.0.2')))).toBe(false);
  expect(unansweredCreations.matches('shop/api', addServerFields(created))).toBe(false);
});

test('unanswered creates treat an empty list of subsets like absent subsets', () => {
  const unansweredCreations = createUnansweredCreations({ elapsed: () => 0 });
  unansweredCreations.add('shop/web', { ...endpointsOf({}), subsets: [] });
  expect(unansweredCreations.matches('shop/web', addServerFields(endpointsOf({})))).toBe(true);
});

test('unanswered creates match each of several creates and drop a resolved one', () => {
  const unansweredCreations = createUnansweredCreations({ elapsed: () => 0 });
  for (const ip of ['10.0.0.1', '10.0.0.2']) unansweredCreations.add('shop/web', endpointsOf({}, ip));
  unansweredCreations.drop('shop/web', addServerFields(endpointsOf({}, '10.0.0.2')));
  expect(['10.0.0.1', '10.0.0.2'].map((ip) => unansweredCreations.matches('shop/web', endpointsOf({}, ip)))).toEqual([true, false]);
  unansweredCreations.drop('shop/web', endpointsOf({}, '10.0.0.1'));
  expect(unansweredCreations.has('shop/web')).toBe(false);
});

test('unanswered creates keep the last eight of a Service', () => {
  const unansweredCreations = createUnansweredCreations({ elapsed: () => 0 });
  const forTenCreates = (check: (endpoints: Endpoints) => unknown) =>
    Array.from({ length: 10 }, (_, n) => check(endpointsOf({}, `10.0.0.${n}`)));
  forTenCreates((endpoints) => unansweredCreations.add('shop/web', endpoints));
  expect(forTenCreates((endpoints) => unansweredCreations.matches('shop/web', endpoints))).toEqual([false, false, ...Array(8).fill(true)]);
});

test('unanswered creates expire after half an hour', () => {
  let now = 0;
  const unansweredCreations = createUnansweredCreations({ elapsed: () => now });
  unansweredCreations.add('shop/web', endpointsOf({}));
  now = 1_799_999;
  expect(unansweredCreations.has('shop/web')).toBe(true);
  now = 1_800_000;
  expect(unansweredCreations.has('shop/web')).toBe(false);
  expect(unansweredCreations.matches('shop/web', endpointsOf({}))).toBe(false);
  unansweredCreations.add('shop/api', endpointsOf({}));
  // The expired entry was removed, so an earlier time does not bring it back.
  now = 0;
  expect(unansweredCreations.has('shop/web')).toBe(false);
});
