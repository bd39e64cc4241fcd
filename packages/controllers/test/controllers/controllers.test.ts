import { type ApiObject, resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import { type ControllersFixture, createControllersFixture, nodeFor, podFor, readiness, serviceFor } from './fixture.ts';

const { endpoints, endpointSlices, pods, services, nodes } = resources;
const web = { namespace: 'shop', name: 'web' };
const shop = [nodeFor('n1', 'a'), serviceFor('web'), podFor('web-1'), podFor('web-2', { ip: '10.0.0.2', ready: false })];

const ipsOf = (object: ApiObject | undefined): unknown =>
  (object as EndpointsInput | undefined)?.subsets?.map(({ addresses, notReadyAddresses }) => ({
    ready: (addresses ?? []).map(({ ip }) => ip),
    notReady: (notReadyAddresses ?? []).map(({ ip }) => ip),
  }));

const setReady = (fixture: ControllersFixture, name: string, ready: boolean): Promise<ApiObject> =>
  fixture.client.patch(
    pods,
    { namespace: 'shop', name },
    { status: { conditions: readiness(ready, '2026-01-01T00:01:00Z') } },
    {
      type: 'merge',
      subresource: 'status',
    },
  );

test('creates Endpoints and EndpointSlices, then writes nothing more', async () => {
  await using fixture = await createControllersFixture({ objects: shop });
  await fixture.start();
  expect(fixture.controllers.ready).toBe(true);
  expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpoints', 'create endpointslices']);
  expect(ipsOf(await fixture.get(endpoints, 'web'))).toEqual([{ ready: ['10.0.0.1'], notReady: ['10.0.0.2'] }]);
  expect(await differencesFrom(fixture.client)).toEqual([]);
  await fixture.pass(60_000);
  expect(fixture.takeWrites()).toEqual([]);
  expect(fixture.controllers.idle).toBe(true);
});

test('a pod that becomes ready causes one write each of Endpoints and EndpointSlice', async () => {
  await using fixture = await createControllersFixture({ objects: shop });
  await fixture.start();
  fixture.takeWrites();
  await setReady(fixture, 'web-2', true);
  await fixture.pass();
  expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpoints', 'update endpointslices']);
  expect(await differencesFrom(fixture.client)).toEqual([]);
});

test('annotations of pods and changes of a Service status cause no sync', async () => {
  await using fixture = await createControllersFixture({ objects: shop });
  await fixture.start();
  const eventCountBefore = fixture.events.length;
  await fixture.client.patch(pods, { namespace: 'shop', name: 'web-1' }, { metadata: { annotations: { a: 'b' } } }, { type: 'merge' });
  await fixture.client.patch(services, web, { status: { loadBalancer: {} }, metadata: { annotations: { a: 'b' } } }, { type: 'merge' });
  await fixture.pass();
  expect(fixture.events.slice(eventCountBefore).filter(({ kind }) => kind === 'queued')).toEqual([]);
});

test('a changed pod label updates both the former and the new Service', async () => {
  await using fixture = await createControllersFixture({ objects: [...shop, serviceFor('api')] });
  await fixture.start();
  await fixture.client.patch(pods, { namespace: 'shop', name: 'web-1' }, { metadata: { labels: { app: 'api' } } }, { type: 'merge' });
  await fixture.pass();
  expect(ipsOf(await fixture.get(endpoints, 'web'))).toEqual([{ ready: [], notReady: ['10.0.0.2'] }]);
  expect(ipsOf(await fixture.get(endpoints, 'api'))).toEqual([{ ready: ['10.0.0.1'], notReady: [] }]);
  expect(await differencesFrom(fixture.client)).toEqual([]);
});

test('a pod that fails is removed even if its readiness condition does not change', async () => {
  await using fixture = await createControllersFixture({ objects: shop });
  await fixture.start();
  await fixture.client.patch(
    pods,
    { namespace: 'shop', name: 'web-1' },
    { status: { phase: 'Failed' } },
    { type: 'merge', subresource: 'status' },
  );
  await fixture.pass();
  expect(ipsOf(await fixture.get(endpoints, 'web'))).toEqual([{ ready: [], notReady: ['10.0.0.2'] }]);
  expect(await differencesFrom(fixture.client)).toEqual([]);
});

test('a changed selector of a Service replaces its endpoints', async () => {
  await using fixture = await createControllersFixture({ objects: [...shop, podFor('api-1', { app: 'api', ip: '10.0.0.3' })] });
  await fixture.start();
  await fixture.client.patch(services, web, { spec: { selector: { app: 'api' } } }, { type: 'merge' });
  await fixture.pass();
  expect(ipsOf(await fixture.get(endpoints, 'web'))).toEqual([{ ready: ['10.0.0.3'], notReady: [] }]);
  await setReady(fixture, 'web-2', true);
  await fixture.client.patch(services, web, { spec: { selector: { app: 'web' } } }, { type: 'merge' });
  await fixture.pass();
  expect(ipsOf(await fixture.get(endpoints, 'web'))).toEqual([{ ready: ['10.0.0.1', '10.0.0.2'], notReady: [] }]);
  expect(await differencesFrom(fixture.client)).toEqual([]);
});

test('a deleted Service causes no write, and manual Endpoints of another Service are kept', async () => {
  const custom = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'legacy' } };
  await using fixture = await createControllersFixture({ objects: [...shop, serviceFor('legacy', { selector: null })] });
  await fixture.client.create(endpoints, custom);
  await fixture.start();
  fixture.takeWrites();
  await fixture.client.delete(services, web);
  await fixture.pass();
  // The API server deletes the Endpoints of a Service itself.
  expect(fixture.takeWrites()).toEqual([]);
  expect(await fixture.get(endpoints, 'web')).toBeUndefined();
  expect(await fixture.get(endpoints, 'legacy')).toBeDefined();
});

test('an update by another client is reverted after a second, and a deletion at once', async () => {
  await using fixture = await createControllersFixture({ objects: shop });
  await fixture.start();
  fixture.takeWrites();
  const current = (await fixture.get(endpoints, 'web')) as ApiObject;
  await fixture.client.update(endpoints, { ...current, subsets: [] });
  await fixture.pass(900);
  expect(fixture.takeWrites()).toEqual([]);
  await fixture.pass(200);
  expect(fixture.takeWrites()).toEqual([{ verb: 'update', resource: 'endpoints', name: 'web' }]);
  await fixture.client.delete(endpoints, web);
  await fixture.client.deleteCollection(endpointSlices, { namespace: 'shop' });
  await fixture.pass();
  expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpoints', 'create endpointslices']);
  expect(await differencesFrom(fixture.client)).toEqual([]);
});

test('a deleted slice is recreated even if an earlier process wrote it', async () => {
  await using fixture = await createControllersFixture({ objects: shop });
  await fixture.start();
  await fixture.stop();
  await fixture.start();
  fixture.takeWrites();
  await fixture.client.deleteCollection(endpointSlices, { namespace: 'shop' });
  await fixture.pass();
  expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpointslices']);
});

test('leftover Endpoints are deleted at startup, except leader-election locks', async () => {
  const lock = { 'control-plane.alpha.kubernetes.io/leader': '{}' };
  const createEndpoints = (name: string, annotations?: Record<string, string>): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { namespace: 'shop', name, ...(annotations && { annotations }) },
  });
  await using fixture = await createControllersFixture({ objects: [...shop, createEndpoints('gone'), createEndpoints('lock', lock)] });
  await fixture.start();
  expect(fixture.takeWrites().filter(({ verb }) => verb === 'delete')).toEqual([{ verb: 'delete', resource: 'endpoints', name: 'gone' }]);
  await fixture.client.create(endpoints, createEndpoints('before-its-service'));
  await fixture.pass(60_000);
  expect(fixture.takeWrites()).toEqual([]);
});

test('a node that is created late adds its pods to the slices', async () => {
  await using fixture = await createControllersFixture({ objects: shop.slice(1) });
  await fixture.start();
  expect(await differencesFrom(fixture.client)).toEqual([]);
  expect(fixture.outcomes('endpointslices', 'shop/web')).toContain('retried');
  await fixture.pass(60_000);
  fixture.takeWrites();
  await fixture.client.create(nodes, nodeFor('n1', 'a'));
  await fixture.pass();
  expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpointslices']);
  await fixture.client.patch(nodes, { name: 'n1' }, { metadata: { labels: { 'topology.kubernetes.io/zone': 'b' } } }, { type: 'merge' });
  await fixture.pass();
  expect(JSON.stringify((await fixture.client.list(endpointSlices)).items)).toContain('"zone":"b"');
  expect(await differencesFrom(fixture.client)).toEqual([]);
});

test('batchPeriod combines changes of pods', async () => {
  await using fixture = await createControllersFixture({ objects: shop, batchPeriod: 500 });
  await fixture.start();
  fixture.takeWrites();
  for (const ready of [true, false, true]) {
    await setReady(fixture, 'web-2', ready);
    await fixture.pass(100);
  }
  expect(fixture.takeWrites()).toEqual([]);
  await fixture.pass(500);
  expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpoints', 'update endpointslices']);
});

test('a dry run reports its plans and writes nothing', async () => {
  await using fixture = await createControllersFixture({ objects: shop, dryRun: true });
  await fixture.start();
  await fixture.pass(600_000);
  expect(fixture.takeWrites()).toEqual([]);
  const planned = fixture.events.filter((each) => each.kind === 'planned' && each.key === 'shop/web');
  expect(planned).toMatchObject([
    { controller: 'endpoints', key: 'shop/web', action: 'create' },
    { controller: 'endpointslices', key: 'shop/web', existing: 0, desired: 1, endpoints: 2 },
  ]);
  expect(fixture.controllers.idle).toBe(true);
  expect((await fixture.client.list(resources.events)).items).toEqual([]);
});
