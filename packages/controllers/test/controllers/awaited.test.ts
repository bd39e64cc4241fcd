import { createFaults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import { createLead, createWorld, nodeFor, podFor, serviceFor, type World } from './world.ts';

const { endpoints, endpointSlices, pods, services } = resources;
const web = { namespace: 'shop', name: 'web' };
const kept = ['endpoints', 'endpointslices.discovery.k8s.io'];

/** Creations of Endpoints that wait for a word: before they reach the server, or after. */
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

test.each(['1.24', '1.31', '1.36'])('Endpoints that this replica makes while their Service goes do not stay (%s)', async (version) => {
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

/** A create of Endpoints whose answer is lost, and meanwhile their Service goes; `meddle` is done to what was made. */
async function losingTheAnswer(meddle: (client: ClientPort) => Promise<unknown>): Promise<number> {
  const objects = [nodeFor('n1'), podFor('web-1'), serviceFor('web')];
  let losing = false;
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    async create(resource, object, options) {
      if (!losing || resource.plural !== 'endpoints') return port.create(resource, object, options);
      losing = false;
      await port.delete(services, web);
      await port.create(resource, object, options);
      await meddle(port);
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

test('Endpoints whose creation had no answer do not stay either, once their Service has gone', async () => {
  expect(await losingTheAnswer(async () => undefined)).toBe(0);
});

test('but they do where somebody else has made something of them', async () => {
  const meddle = (client: ClientPort): Promise<unknown> =>
    client.patch(endpoints, web, { metadata: { labels: { by: 'hand' } } }, { type: 'merge' });
  expect(await losingTheAnswer(meddle)).toBe(1);
});

/** A create of Endpoints is under way while the lead is lost and won again, and arrives when their Service has gone. */
async function arrivingLate(meddle: (object: ApiObject) => ApiObject): Promise<number> {
  const ownership = createLead(true);
  let [failures, arrive] = [1, (): void => undefined];
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    create(resource, object, options) {
      if (resource.plural !== 'endpoints') return port.create(resource, object, options);
      // with the first try the trigger time is forgotten, by which they could be told later
      if (failures-- > 0) return Promise.reject(new Error('read ECONNRESET'));
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        arrive = () => void port.create(resource, meddle(object));
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

test('Endpoints that arrive after the lead was lost and won again do not stay without their Service', async () => {
  expect(await arrivingLate((object) => object)).toBe(0);
});

test('but others that came instead do', async () => {
  expect(await arrivingLate((object) => ({ ...object, subsets: [] }))).toBe(1);
});

/** Somebody deletes what was written before the cache has shown it, and the watch has missed both. */
async function deleteUnseen({ client, server }: World, faults: ReturnType<typeof createFaults>): Promise<void> {
  await client.deleteCollection(endpoints, { namespace: 'shop' });
  await client.deleteCollection(endpointSlices, { namespace: 'shop' });
  server.compact();
  faults.dropWatches({ resources: kept });
  faults.release();
}

test('what somebody deletes before the cache has shown it is made again', async () => {
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

test('so is what is deleted before its answer has come', async () => {
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

test('a list that comes when nothing is awaited makes nothing due', async () => {
  const faults = createFaults({});
  await using world = await createWorld({ objects: [nodeFor('n1'), serviceFor('web'), podFor('web-1')], server: { faults } });
  await world.start();
  const before = world.happenings.length;
  world.server.compact();
  faults.dropWatches({ broken: true });
  await world.pass(60_000);
  expect(world.happenings.slice(before).filter(({ kind }) => kind === 'queued')).toEqual([]);
});

test('slices are not planned from a cache that is older than what this replica wrote before it lost the Service and won it again', async () => {
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

test('a creation that was given up may arrive after another one was made and deleted: it does not stay', async () => {
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
