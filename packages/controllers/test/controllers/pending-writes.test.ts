import { createFaults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import { type ControllersFixture, createControllersFixture, createTestOwnership, nodeFor, podFor, serviceFor } from './fixture.ts';

const { endpoints, endpointSlices, pods, services } = resources;
const web = { namespace: 'shop', name: 'web' };
const writtenResources = ['endpoints', 'endpointslices.discovery.k8s.io'];

/** Delays creates of Endpoints, either the request or its response, until `open` is called. */
function createGate(delayedStage: 'request' | 'response'): { wrapPort(port: ClientPort): ClientPort; close(): void; open(): void } {
  let gateOpened = Promise.resolve();
  let openGate = (): void => undefined;
  return {
    wrapPort: (port) => ({
      ...port,
      async create(resource, object, options) {
        const isDelayed = resource.plural === 'endpoints';
        if (isDelayed && delayedStage === 'request') await gateOpened;
        const created = await port.create(resource, object, options);
        if (isDelayed && delayedStage === 'response') await gateOpened;
        return created;
      },
    }),
    close() {
      gateOpened = new Promise((resolve) => {
        openGate = resolve;
      });
    },
    open: () => openGate(),
  };
}

const countObjects = async ({ client }: ControllersFixture, resource: Resource): Promise<number> =>
  (await client.list(resource, { namespace: 'shop' })).items.length;

test.each(['1.24', '1.31', '1.36'])('Endpoints created while their Service is deleted are deleted again (%s)', async (version) => {
  const faults = createFaults({});
  const { wrapPort, close, open } = createGate('request');
  const objects = [nodeFor('n1'), serviceFor('web'), podFor('web-1')];
  await using fixture = await createControllersFixture({ objects, version, controllers: ['endpoints'], server: { faults }, wrapPort });
  await fixture.start();
  close();
  await fixture.client.delete(endpoints, web);
  await fixture.pass(10);
  faults.stall({ resources: ['endpoints'] });
  await fixture.client.delete(services, web);
  await fixture.pass(10);
  open();
  await fixture.pass(10);
  expect(await countObjects(fixture, endpoints)).toBe(1);
  faults.release();
  await fixture.pass(60_000);
  expect(await countObjects(fixture, endpoints)).toBe(0);
});

/** The Service is deleted while a create of its Endpoints loses its response; `changeObject` then modifies the created object. */
async function countAfterLostResponse(changeObject: (client: ClientPort) => Promise<unknown>): Promise<number> {
  const objects = [nodeFor('n1'), podFor('web-1'), serviceFor('web')];
  let losesResponse = false;
  const wrapPort = (port: ClientPort): ClientPort => ({
    ...port,
    async create(resource, object, options) {
      if (!losesResponse || resource.plural !== 'endpoints') return port.create(resource, object, options);
      losesResponse = false;
      await port.delete(services, web);
      await port.create(resource, object, options);
      await changeObject(port);
      throw new Error('read ECONNRESET');
    },
  });
  const faults = createFaults({});
  await using fixture = await createControllersFixture({
    objects,
    version: '1.24',
    controllers: ['endpoints'],
    server: { faults },
    wrapPort,
  });
  await fixture.start();
  losesResponse = true;
  await fixture.client.delete(endpoints, web);
  faults.stall({ resources: ['endpoints'] });
  await fixture.pass(1000);
  faults.release();
  await fixture.pass(60_000);
  expect(losesResponse).toBe(false);
  return countObjects(fixture, endpoints);
}

test('Endpoints whose create got no response are deleted if their Service is gone', async () => {
  expect(await countAfterLostResponse(async () => undefined)).toBe(0);
});

test('Endpoints whose create got no response are kept if another client changed them', async () => {
  const changeObject = (client: ClientPort): Promise<unknown> =>
    client.patch(endpoints, web, { metadata: { labels: { by: 'hand' } } }, { type: 'merge' });
  expect(await countAfterLostResponse(changeObject)).toBe(1);
});

/** Ownership is lost and regained during a create of Endpoints, which reaches the server after their Service is gone. */
async function countAfterLateCreate(changeObject: (object: ApiObject) => ApiObject): Promise<number> {
  const ownership = createTestOwnership({ owned: true });
  let [remainingFailures, deliverCreate] = [1, (): void => undefined];
  const wrapPort = (port: ClientPort): ClientPort => ({
    ...port,
    create(resource, object, options) {
      if (resource.plural !== 'endpoints') return port.create(resource, object, options);
      // The failed first try drops the trigger time, which would identify the Endpoints later.
      if (remainingFailures-- > 0) return Promise.reject(new Error('read ECONNRESET'));
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        deliverCreate = () => void port.create(resource, changeObject(object));
      });
    },
  });
  const objects = [nodeFor('n1'), podFor('web-1'), serviceFor('web')];
  await using fixture = await createControllersFixture({ objects, version: '1.24', controllers: ['endpoints'], ownership, wrapPort });
  await fixture.start();
  await fixture.client.delete(services, web);
  ownership.lose();
  ownership.gain();
  await fixture.pass(1000);
  deliverCreate();
  await fixture.pass(10);
  expect(await countObjects(fixture, endpoints)).toBe(1);
  await fixture.pass(60_000);
  return countObjects(fixture, endpoints);
}

test('Endpoints created late by an aborted write are deleted if their Service is gone', async () => {
  expect(await countAfterLateCreate((object) => object)).toBe(0);
});

test('Endpoints created late are kept if they differ from the aborted write', async () => {
  expect(await countAfterLateCreate((object) => ({ ...object, subsets: [] }))).toBe(1);
});

/** Another client deletes the written objects before the cache shows them, and the watch misses both events. */
async function deleteUnseen({ client, server }: ControllersFixture, faults: ReturnType<typeof createFaults>): Promise<void> {
  await client.deleteCollection(endpoints, { namespace: 'shop' });
  await client.deleteCollection(endpointSlices, { namespace: 'shop' });
  server.compact();
  faults.dropWatches({ resources: writtenResources });
  faults.release();
}

test('an object deleted before the cache shows it is created again', async () => {
  const faults = createFaults({});
  await using fixture = await createControllersFixture({ objects: [nodeFor('n1'), podFor('web-1')], server: { faults } });
  await fixture.start();
  faults.stall({ resources: writtenResources });
  await fixture.client.create(services, serviceFor('web'));
  await fixture.pass(100);
  expect([await countObjects(fixture, endpoints), await countObjects(fixture, endpointSlices)]).toEqual([1, 1]);
  await deleteUnseen(fixture, faults);
  await fixture.pass(60_000);
  expect(await differencesFrom(fixture.client)).toEqual([]);
});

test('an object deleted before the response to its create is created again', async () => {
  const faults = createFaults({});
  const { wrapPort, close, open } = createGate('response');
  const objects = [nodeFor('n1'), podFor('web-1')];
  await using fixture = await createControllersFixture({ objects, controllers: ['endpoints'], server: { faults }, wrapPort });
  await fixture.start();
  faults.stall({ resources: writtenResources });
  close();
  await fixture.client.create(services, serviceFor('web'));
  await fixture.pass(100);
  await deleteUnseen(fixture, faults);
  await fixture.pass(10_000);
  open();
  await fixture.pass(60_000);
  expect(await differencesFrom(fixture.client, { controllers: ['endpoints'] })).toEqual([]);
});

test('a relist without pending write expectations enqueues no keys', async () => {
  const faults = createFaults({});
  await using fixture = await createControllersFixture({
    objects: [nodeFor('n1'), serviceFor('web'), podFor('web-1')],
    server: { faults },
  });
  await fixture.start();
  const eventCountBefore = fixture.events.length;
  fixture.server.compact();
  faults.dropWatches({ broken: true });
  await fixture.pass(60_000);
  expect(fixture.events.slice(eventCountBefore).filter(({ kind }) => kind === 'queued')).toEqual([]);
});

test('slices are not planned from a cache older than own writes from before ownership was lost and regained', async () => {
  const faults = createFaults({});
  const ownership = createTestOwnership({ owned: true });
  await using fixture = await createControllersFixture({ objects: [nodeFor('n1'), podFor('web-1')], ownership, server: { faults } });
  await fixture.start();
  faults.stall({ resources: writtenResources });
  await fixture.client.create(services, serviceFor('web'));
  await fixture.pass(100);
  expect(fixture.takeWrites()).toHaveLength(2);
  ownership.lose();
  ownership.gain();
  await fixture.client.create(pods, podFor('web-2', { ip: '10.0.0.2' }));
  await fixture.pass(1500);
  const slicesSent = fixture.takeWrites().filter(({ resource }) => resource === 'endpointslices');
  expect(slicesSent).toEqual([]);
  faults.release();
  await fixture.pass(60_000);
  expect(await differencesFrom(fixture.client)).toEqual([]);
  const written: readonly (ApiObject['metadata']['name'] | string)[] = fixture
    .takeWrites()
    .map(({ verb, resource }) => `${verb} ${resource}`);
  expect(written.filter((write) => write === 'create endpointslices')).toEqual([]);
});

test('Endpoints of a timed-out create that arrives after another create and a delete are deleted', async () => {
  let [createCount, deliverCreate] = [0, (): void => undefined];
  const wrapPort = (port: ClientPort): ClientPort => ({
    ...port,
    create(resource, object, options) {
      if (resource.plural !== 'endpoints' || createCount++ > 1) return port.create(resource, object, options);
      deliverCreate = () => void port.create(resource, object);
      return Promise.reject(new Error('read ECONNRESET'));
    },
  });
  const objects = [nodeFor('n1'), podFor('web-1'), serviceFor('web')];
  await using fixture = await createControllersFixture({ objects, version: '1.24', controllers: ['endpoints'], wrapPort });
  await fixture.start();
  expect([createCount, await countObjects(fixture, endpoints)]).toEqual([3, 1]);
  await fixture.client.delete(services, web);
  await fixture.pass(60_000);
  expect(await countObjects(fixture, endpoints)).toBe(0);
  deliverCreate();
  await fixture.pass(10);
  expect(await countObjects(fixture, endpoints)).toBe(1);
  await fixture.pass(60_000);
  expect(await countObjects(fixture, endpoints)).toBe(0);
});
