import { createFaults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import { createLead, createWorld, nodeFor, podFor, serviceFor, type World } from './world.ts';

const { endpoints, endpointSlices, pods, services } = resources;
const web = { namespace: 'shop', name: 'web' };
const kept = ['endpoints', 'endpointslices.discovery.k8s.io'];

/** Holds back creates of Endpoints, either the request or its response, until opened. */
function createGate(at: 'way there' | 'way back'): { through(port: ClientPort): ClientPort; close(): void; open(): void } {
  let opened = Promise.resolve();
  let open = (): void => undefined;
  return {
    through: (port) => ({
      ...port,
      async create(resource, object, options) {
        const held = resource.plural === 'endpoints';
        if (held && at === 'way there') await opened;
        const answer = await port.create(resource, object, options);
        if (held && at === 'way back') await opened;
        return answer;
      },
    }),
    close() {
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
  };
}

const count = async ({ client }: World, resource: Resource): Promise<number> =>
  (await client.list(resource, { namespace: 'shop' })).items.length;

test.each(['1.24', '1.31', '1.36'])('Endpoints created while their Service is deleted are deleted again (%s)', async (version) => {
  const faults = createFaults({});
  const { through, close, open } = createGate('way there');
  const objects = [nodeFor('n1'), serviceFor('web'), podFor('web-1')];
  await using world = await createWorld({ objects, version, controllers: ['endpoints'], server: { faults }, through });
  await world.start();
  close();
  await world.client.delete(endpoints, web);
  await world.pass(10);
  faults.stall({ resources: ['endpoints'] });
  await world.client.delete(services, web);
  await world.pass(10);
  open();
  await world.pass(10);
  expect(await count(world, endpoints)).toBe(1);
  faults.release();
  await world.pass(60_000);
  expect(await count(world, endpoints)).toBe(0);
});

/** The Service is deleted while a create of its Endpoints loses its response; `change` then modifies the created object. */
async function losingTheAnswer(change: (client: ClientPort) => Promise<unknown>): Promise<number> {
  const objects = [nodeFor('n1'), podFor('web-1'), serviceFor('web')];
  let losing = false;
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    async create(resource, object, options) {
      if (!losing || resource.plural !== 'endpoints') return port.create(resource, object, options);
      losing = false;
      await port.delete(services, web);
      await port.create(resource, object, options);
      await change(port);
      throw new Error('read ECONNRESET');
    },
  });
  const faults = createFaults({});
  await using world = await createWorld({ objects, version: '1.24', controllers: ['endpoints'], server: { faults }, through });
  await world.start();
  losing = true;
  await world.client.delete(endpoints, web);
  faults.stall({ resources: ['endpoints'] });
  await world.pass(1000);
  faults.release();
  await world.pass(60_000);
  expect(losing).toBe(false);
  return count(world, endpoints);
}

test('Endpoints whose create got no response are deleted if their Service is gone', async () => {
  expect(await losingTheAnswer(async () => undefined)).toBe(0);
});

test('Endpoints whose create got no response are kept if another client changed them', async () => {
  const change = (client: ClientPort): Promise<unknown> =>
    client.patch(endpoints, web, { metadata: { labels: { by: 'hand' } } }, { type: 'merge' });
  expect(await losingTheAnswer(change)).toBe(1);
});

/** Ownership is lost and regained during a create of Endpoints, which reaches the server after their Service is gone. */
async function arrivingLate(change: (object: ApiObject) => ApiObject): Promise<number> {
  const ownership = createLead(true);
  let [failures, arrive] = [1, (): void => undefined];
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    create(resource, object, options) {
      if (resource.plural !== 'endpoints') return port.create(resource, object, options);
      // The failed first try drops the trigger time, which would identify the Endpoints later.
      if (failures-- > 0) return Promise.reject(new Error('read ECONNRESET'));
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        arrive = () => void port.create(resource, change(object));
      });
    },
  });
  const objects = [nodeFor('n1'), podFor('web-1'), serviceFor('web')];
  await using world = await createWorld({ objects, version: '1.24', controllers: ['endpoints'], ownership, through });
  await world.start();
  await world.client.delete(services, web);
  ownership.lead(false);
  ownership.lead(true);
  await world.pass(1000);
  arrive();
  await world.pass(10);
  expect(await count(world, endpoints)).toBe(1);
  await world.pass(60_000);
  return count(world, endpoints);
}

test('Endpoints created late by an aborted write are deleted if their Service is gone', async () => {
  expect(await arrivingLate((object) => object)).toBe(0);
});

test('Endpoints created late are kept if they differ from the aborted write', async () => {
  expect(await arrivingLate((object) => ({ ...object, subsets: [] }))).toBe(1);
});

/** Another client deletes what was written before the cache shows it, and the watch misses both events. */
async function deleteUnseen({ client, server }: World, faults: ReturnType<typeof createFaults>): Promise<void> {
  await client.deleteCollection(endpoints, { namespace: 'shop' });
  await client.deleteCollection(endpointSlices, { namespace: 'shop' });
  server.compact();
  faults.dropWatches({ resources: kept });
  faults.release();
}

test('an object deleted before the cache shows it is created again', async () => {
  const faults = createFaults({});
  await using world = await createWorld({ objects: [nodeFor('n1'), podFor('web-1')], server: { faults } });
  await world.start();
  faults.stall({ resources: kept });
  await world.client.create(services, serviceFor('web'));
  await world.pass(100);
  expect([await count(world, endpoints), await count(world, endpointSlices)]).toEqual([1, 1]);
  await deleteUnseen(world, faults);
  await world.pass(60_000);
  expect(await differencesFrom(world.client)).toEqual([]);
});

test('an object deleted before the response to its create is created again', async () => {
  const faults = createFaults({});
  const { through, close, open } = createGate('way back');
  const objects = [nodeFor('n1'), podFor('web-1')];
  await using world = await createWorld({ objects, controllers: ['endpoints'], server: { faults }, through });
  await world.start();
  faults.stall({ resources: kept });
  close();
  await world.client.create(services, serviceFor('web'));
  await world.pass(100);
  await deleteUnseen(world, faults);
  await world.pass(10_000);
  open();
  await world.pass(60_000);
  expect(await differencesFrom(world.client, { controllers: ['endpoints'] })).toEqual([]);
});

test('a relist without pending write expectations enqueues no keys', async () => {
  const faults = createFaults({});
  await using world = await createWorld({ objects: [nodeFor('n1'), serviceFor('web'), podFor('web-1')], server: { faults } });
  await world.start();
  const before = world.events.length;
  world.server.compact();
  faults.dropWatches({ broken: true });
  await world.pass(60_000);
  expect(world.events.slice(before).filter(({ kind }) => kind === 'queued')).toEqual([]);
});

test('slices are not planned from a cache older than own writes from before ownership was lost and regained', async () => {
  const faults = createFaults({});
  const ownership = createLead(true);
  await using world = await createWorld({ objects: [nodeFor('n1'), podFor('web-1')], ownership, server: { faults } });
  await world.start();
  faults.stall({ resources: kept });
  await world.client.create(services, serviceFor('web'));
  await world.pass(100);
  expect(world.sent()).toHaveLength(2);
  ownership.lead(false);
  ownership.lead(true);
  await world.client.create(pods, podFor('web-2', { ip: '10.0.0.2' }));
  await world.pass(1500);
  const slicesSent = world.sent().filter(({ resource }) => resource === 'endpointslices');
  expect(slicesSent).toEqual([]);
  faults.release();
  await world.pass(60_000);
  expect(await differencesFrom(world.client)).toEqual([]);
  const written: readonly (ApiObject['metadata']['name'] | string)[] = world.sent().map(({ verb, resource }) => `${verb} ${resource}`);
  expect(written.filter((each) => each === 'create endpointslices')).toEqual([]);
});

test('Endpoints of a timed-out create that arrives after another create and a delete are deleted', async () => {
  let [given, arrive] = [0, (): void => undefined];
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    create(resource, object, options) {
      if (resource.plural !== 'endpoints' || given++ > 1) return port.create(resource, object, options);
      arrive = () => void port.create(resource, object);
      return Promise.reject(new Error('read ECONNRESET'));
    },
  });
  const objects = [nodeFor('n1'), podFor('web-1'), serviceFor('web')];
  await using world = await createWorld({ objects, version: '1.24', controllers: ['endpoints'], through });
  await world.start();
  expect([given, await count(world, endpoints)]).toEqual([3, 1]);
  await world.client.delete(services, web);
  await world.pass(60_000);
  expect(await count(world, endpoints)).toBe(0);
  arrive();
  await world.pass(10);
  expect(await count(world, endpoints)).toBe(1);
  await world.pass(60_000);
  expect(await count(world, endpoints)).toBe(0);
});
