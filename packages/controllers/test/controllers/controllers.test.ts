import { type ApiObject, resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import { createWorld, nodeFor, podFor, readiness, serviceFor, type World } from './world.ts';

const { endpoints, endpointSlices, pods, services, nodes } = resources;
const web = { namespace: 'shop', name: 'web' };
const shop = [nodeFor('n1', 'a'), serviceFor('web'), podFor('web-1'), podFor('web-2', { ip: '10.0.0.2', ready: false })];

const ipsOf = (object: ApiObject | undefined): unknown =>
  (object as EndpointsInput | undefined)?.subsets?.map(({ addresses, notReadyAddresses }) => ({
    ready: (addresses ?? []).map(({ ip }) => ip),
    notReady: (notReadyAddresses ?? []).map(({ ip }) => ip),
  }));

const setReady = (world: World, name: string, ready: boolean): Promise<ApiObject> =>
  world.client.patch(
    pods,
    { namespace: 'shop', name },
    { status: { conditions: readiness(ready, '2026-01-01T00:01:00Z') } },
    {
      type: 'merge',
      subresource: 'status',
    },
  );

test('creates Endpoints and EndpointSlices, then writes nothing more', async () => {
  await using world = await createWorld({ objects: shop });
  await world.start();
  expect(world.controllers.ready).toBe(true);
  expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpoints', 'create endpointslices']);
  expect(ipsOf(await world.get(endpoints, 'web'))).toEqual([{ ready: ['10.0.0.1'], notReady: ['10.0.0.2'] }]);
  expect(await differencesFrom(world.client)).toEqual([]);
  await world.pass(60_000);
  expect(world.sent()).toEqual([]);
  expect(world.controllers.idle).toBe(true);
});

test('a pod that becomes ready causes one write each of Endpoints and EndpointSlice', async () => {
  await using world = await createWorld({ objects: shop });
  await world.start();
  world.sent();
  await setReady(world, 'web-2', true);
  await world.pass();
  expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpoints', 'update endpointslices']);
  expect(await differencesFrom(world.client)).toEqual([]);
});

test('annotations of pods and changes of a Service status cause no sync', async () => {
  await using world = await createWorld({ objects: shop });
  await world.start();
  const before = world.events.length;
  await world.client.patch(pods, { namespace: 'shop', name: 'web-1' }, { metadata: { annotations: { a: 'b' } } }, { type: 'merge' });
  await world.client.patch(services, web, { status: { loadBalancer: {} }, metadata: { annotations: { a: 'b' } } }, { type: 'merge' });
  await world.pass();
  expect(world.events.slice(before).filter(({ kind }) => kind === 'queued')).toEqual([]);
});

test('a changed pod label updates both the former and the new Service', async () => {
  await using world = await createWorld({ objects: [...shop, serviceFor('api')] });
  await world.start();
  await world.client.patch(pods, { namespace: 'shop', name: 'web-1' }, { metadata: { labels: { app: 'api' } } }, { type: 'merge' });
  await world.pass();
  expect(ipsOf(await world.get(endpoints, 'web'))).toEqual([{ ready: [], notReady: ['10.0.0.2'] }]);
  expect(ipsOf(await world.get(endpoints, 'api'))).toEqual([{ ready: ['10.0.0.1'], notReady: [] }]);
  expect(await differencesFrom(world.client)).toEqual([]);
});

test('a pod that fails is removed even if its readiness condition does not change', async () => {
  await using world = await createWorld({ objects: shop });
  await world.start();
  await world.client.patch(
    pods,
    { namespace: 'shop', name: 'web-1' },
    { status: { phase: 'Failed' } },
    { type: 'merge', subresource: 'status' },
  );
  await world.pass();
  expect(ipsOf(await world.get(endpoints, 'web'))).toEqual([{ ready: [], notReady: ['10.0.0.2'] }]);
  expect(await differencesFrom(world.client)).toEqual([]);
});

test('a changed selector of a Service replaces its endpoints', async () => {
  await using world = await createWorld({ objects: [...shop, podFor('api-1', { app: 'api', ip: '10.0.0.3' })] });
  await world.start();
  await world.client.patch(services, web, { spec: { selector: { app: 'api' } } }, { type: 'merge' });
  await world.pass();
  expect(ipsOf(await world.get(endpoints, 'web'))).toEqual([{ ready: ['10.0.0.3'], notReady: [] }]);
  await setReady(world, 'web-2', true);
  await world.client.patch(services, web, { spec: { selector: { app: 'web' } } }, { type: 'merge' });
  await world.pass();
  expect(ipsOf(await world.get(endpoints, 'web'))).toEqual([{ ready: ['10.0.0.1', '10.0.0.2'], notReady: [] }]);
  expect(await differencesFrom(world.client)).toEqual([]);
});

test('deleting a Service deletes its Endpoints, but not manual ones', async () => {
  const custom = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'legacy' } };
  await using world = await createWorld({ objects: [...shop, serviceFor('legacy', { selector: null })] });
  await world.client.create(endpoints, custom);
  await world.start();
  world.sent();
  await world.client.delete(services, web);
  await world.pass();
  // The API server deletes the Endpoints of a Service itself.
  expect(world.sent()).toEqual([]);
  expect(await world.get(endpoints, 'web')).toBeUndefined();
  expect(await world.get(endpoints, 'legacy')).toBeDefined();
});

test('a foreign update is reverted after a second, and a deletion at once', async () => {
  await using world = await createWorld({ objects: shop });
  await world.start();
  world.sent();
  const current = (await world.get(endpoints, 'web')) as ApiObject;
  await world.client.update(endpoints, { ...current, subsets: [] });
  await world.pass(900);
  expect(world.sent()).toEqual([]);
  await world.pass(200);
  expect(world.sent()).toEqual([{ verb: 'update', resource: 'endpoints', name: 'web' }]);
  await world.client.delete(endpoints, web);
  await world.client.deleteCollection(endpointSlices, { namespace: 'shop' });
  await world.pass();
  expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpoints', 'create endpointslices']);
  expect(await differencesFrom(world.client)).toEqual([]);
});

test('a deleted slice is recreated even if an earlier process wrote it', async () => {
  await using world = await createWorld({ objects: shop });
  await world.start();
  await world.stop();
  await world.start();
  world.sent();
  await world.client.deleteCollection(endpointSlices, { namespace: 'shop' });
  await world.pass();
  expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpointslices']);
});

test('leftover Endpoints are deleted at startup, except leader-election locks', async () => {
  const lock = { 'control-plane.alpha.kubernetes.io/leader': '{}' };
  const make = (name: string, annotations?: Record<string, string>): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { namespace: 'shop', name, ...(annotations && { annotations }) },
  });
  await using world = await createWorld({ objects: [...shop, make('gone'), make('lock', lock)] });
  await world.start();
  expect(world.sent().filter(({ verb }) => verb === 'delete')).toEqual([{ verb: 'delete', resource: 'endpoints', name: 'gone' }]);
  await world.client.create(endpoints, make('before-its-service'));
  await world.pass(60_000);
  expect(world.sent()).toEqual([]);
});

test('a node that is created late adds its pods to the slices', async () => {
  await using world = await createWorld({ objects: shop.slice(1) });
  await world.start();
  expect(await differencesFrom(world.client)).toEqual([]);
  expect(world.outcomes('endpointslices', 'shop/web')).toContain('retried');
  await world.pass(60_000);
  world.sent();
  await world.client.create(nodes, nodeFor('n1', 'a'));
  await world.pass();
  expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpointslices']);
  await world.client.patch(nodes, { name: 'n1' }, { metadata: { labels: { 'topology.kubernetes.io/zone': 'b' } } }, { type: 'merge' });
  await world.pass();
  expect(JSON.stringify((await world.client.list(endpointSlices)).items)).toContain('"zone":"b"');
  expect(await differencesFrom(world.client)).toEqual([]);
});

test('batchPeriod combines changes of pods', async () => {
  await using world = await createWorld({ objects: shop, batchPeriod: 500 });
  await world.start();
  world.sent();
  for (const ready of [true, false, true]) {
    await setReady(world, 'web-2', ready);
    await world.pass(100);
  }
  expect(world.sent()).toEqual([]);
  await world.pass(500);
  expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpoints', 'update endpointslices']);
});

test('a dry run reports its plans and writes nothing', async () => {
  await using world = await createWorld({ objects: shop, dryRun: true });
  await world.start();
  await world.pass(600_000);
  expect(world.sent()).toEqual([]);
  const planned = world.events.filter((each) => each.kind === 'planned' && each.key === 'shop/web');
  expect(planned).toMatchObject([
    { controller: 'endpoints', key: 'shop/web', action: 'create' },
    { controller: 'endpointslices', key: 'shop/web', existing: 0, desired: 1, endpoints: 2 },
  ]);
  expect(world.controllers.idle).toBe(true);
  expect((await world.client.list(resources.events)).items).toEqual([]);
});
