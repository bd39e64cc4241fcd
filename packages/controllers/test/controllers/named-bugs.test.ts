import { createFaults, createFunctionAdmission } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import { createLead, createWorld, nodeFor, podFor, readiness, serviceFor, type World } from './world.ts';

const { endpoints, endpointSlices, pods, services } = resources;
const web = { namespace: 'shop', name: 'web' };
const shop = [nodeFor('n1', 'a'), serviceFor('web'), podFor('web-1')];

const readyIn = (object: ApiObject | undefined): unknown =>
  (object as EndpointsInput | undefined)?.subsets?.flatMap(({ addresses }) => (addresses ?? []).map(({ ip }) => ip)) ?? [];

async function setReady({ client }: World, ready: boolean, name = 'web-1'): Promise<void> {
  const conditions = readiness(ready, ready ? '2026-01-01T00:02:00Z' : '2026-01-01T00:01:00Z');
  await client.patch(pods, { namespace: 'shop', name }, { status: { conditions } }, { type: 'merge', subresource: 'status' });
}

describe('Endpoints that stay not ready', () => {
  // The cached Endpoints were older than the last write; a pod that was ready again compared as equal to them.
  const flap = async (version: string): Promise<unknown> => {
    const faults = createFaults({});
    await using world = await createWorld({ objects: shop, version, controllers: ['endpoints'], server: { faults } });
    await world.start();
    faults.stall({ resources: ['endpoints'] });
    await setReady(world, false);
    await world.pass(100);
    await setReady(world, true);
    await world.pass(100);
    faults.release();
    await world.pass(60_000);
    return readyIn(await world.get(endpoints, 'web'));
  };

  test.each(['1.28.12', '1.29.7', '1.30.3', '1.31.0', '1.32', '1.36'])('#125638 #117193 #124547: %s follows readiness', async (version) => {
    expect(await flap(version)).toEqual(['10.0.0.1']);
  });

  // Kubernetes' controller has no tracker in these releases and stays stuck: nothing reports that its own write was overtaken.
  test.each(['1.27', '1.28.11', '1.30.2'])('#125638 #117193 #124547: %s follows readiness without a tracker', async (version) => {
    expect(await flap(version)).toEqual(['10.0.0.1']);
  });

  // The fixed tracker took the current version for replaced if an update had changed nothing, here because of a webhook.
  const takenBack = async (version: string): Promise<{ readonly ready: unknown; readonly outcomes: string[] }> => {
    let obstinate = true;
    const keepAsItWas = createFunctionAdmission([
      {
        operations: ['UPDATE'],
        resources: ['endpoints'],
        mutate: ({ old }) => (obstinate ? old : undefined),
      },
    ]);
    await using world = await createWorld({ objects: shop, version, controllers: ['endpoints'], server: { admission: [keepAsItWas] } });
    await world.start();
    await setReady(world, false);
    await world.pass();
    obstinate = false;
    await setReady(world, true);
    await world.pass();
    await setReady(world, false);
    await world.pass(60_000);
    return { ready: readyIn(await world.get(endpoints, 'web')), outcomes: world.outcomes('endpoints', 'shop/web') };
  };

  test.each(['1.28.12', '1.29.7', '1.30.3', '1.31.0', '1.31.1'])(
    '#127370 #126578 #127429: %s retries in vain, like upstream',
    async (version) => {
      const { ready, outcomes } = await takenBack(version);
      expect(ready).toEqual(['10.0.0.1']);
      expect(outcomes.slice(-5)).toEqual(Array(5).fill('requeued'));
    },
  );

  test.each(['1.28.15', '1.29.10', '1.30.6', '1.31.2', '1.36'])('#127370 #126578 #127429: %s follows readiness', async (version) => {
    const { ready, outcomes } = await takenBack(version);
    expect(ready).toEqual([]);
    expect(outcomes).not.toContain('requeued');
  });
});

describe('a restart or a new leader', () => {
  // The controller began to sync before it had seen all pods, and wrote an incomplete list.
  test('#23034 #17675: writes nothing before every cache is complete', async () => {
    const faults = createFaults({
      rules: [{ fault: 'unavailable', verbs: ['list', 'watch'], resources: ['pods'], when: 'always' }],
    });
    let closed = false;
    const through = (port: ClientPort): ClientPort => {
      const failing = faults.port(port);
      return {
        ...port,
        list: (...given) => (closed ? failing : port).list(...given),
        watch: (...given) => (closed ? failing : port).watch(...given),
      };
    };
    await using world = await createWorld({ objects: shop, through });
    await world.start();
    await world.stop();
    world.sent();
    closed = true;
    await world.start();
    await world.pass(600_000);
    expect({ ready: world.controllers.ready, sent: world.sent() }).toEqual({ ready: false, sent: [] });
    closed = false;
    await world.pass(600_000);
    expect({ ready: world.controllers.ready, sent: world.sent() }).toEqual({ ready: true, sent: [] });
    expect(readyIn(await world.get(endpoints, 'web'))).toEqual(['10.0.0.1']);
  });

  // A new leader also started without state.
  test('#23034 #17675: writes nothing if the objects are up to date', async () => {
    const ownership = createLead(false);
    await using world = await createWorld({ objects: shop, ownership });
    ownership.lead(true);
    await world.start();
    world.sent();
    ownership.lead(false);
    await setReady(world, false);
    await world.pass(60_000);
    expect(world.sent()).toEqual([]);
    await setReady(world, true);
    await world.pass();
    ownership.lead(true);
    await world.pass(60_000);
    expect(world.sent()).toEqual([]);
    await setReady(world, false);
    await world.pass();
    expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpoints', 'update endpointslices']);
  });
});

describe('a Service that is deleted and recreated', () => {
  const recreate = async ({ client }: World): Promise<void> => {
    await client.delete(services, web);
    await client.create(services, serviceFor('web'));
  };

  // The sync of the new Service saw the old Endpoints in the cache and found them right; their deletion enqueued no sync.
  test.each([['endpoints'], ['services'], ['endpointslices.discovery.k8s.io'], ['pods']])(
    '#47711: gets Endpoints while the watch of %s lags',
    async (lagging) => {
      const faults = createFaults({});
      await using world = await createWorld({ objects: shop, server: { faults } });
      await world.start();
      faults.stall({ resources: [lagging] });
      await recreate(world);
      await world.pass(10);
      faults.release();
      await world.pass(120_000);
      expect(await differencesFrom(world.client)).toEqual([]);
      expect(readyIn(await world.get(endpoints, 'web'))).toEqual(['10.0.0.1']);
    },
  );

  // The tracker waited forever for a slice that was created and deleted before the cache showed it.
  test('#141593: does not wait for a slice that the cache never showed', async () => {
    const faults = createFaults({});
    await using world = await createWorld({ objects: shop.slice(0, 1).concat(podFor('web-1')), server: { faults } });
    await world.start();
    faults.stall({ resources: ['endpointslices.discovery.k8s.io'] });
    await world.client.create(services, serviceFor('web'));
    await world.pass(100);
    expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toContain('create endpointslices');
    await world.client.deleteCollection(endpointSlices, { namespace: 'shop' });
    world.server.compact();
    faults.dropWatches({ resources: ['endpointslices.discovery.k8s.io'] });
    faults.release();
    await world.client.create(pods, podFor('web-2', { ip: '10.0.0.2' }));
    await world.pass(120_000);
    expect(await differencesFrom(world.client)).toEqual([]);
  });
});

// Truncation leaves a subset without addresses, which API servers reject: an unready pod with another port is enough.
test('Endpoints with a subset emptied by truncation are rejected, and the existing ones stay', async () => {
  const crowd = Array.from({ length: 1001 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));
  const next = podFor('next', { ip: '10.1.0.1', ready: false });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'web:2', ports: [{ name: 'http', containerPort: 9090 }] }] };
  const service = serviceFor('web', { ports: [{ port: 80, targetPort: 'http' }] });
  await using world = await createWorld({ objects: [...shop.slice(0, 1), service, ...crowd], controllers: ['endpoints'] });
  await world.start();
  await world.client.create(pods, { ...next, spec });
  await world.pass();
  const before = await world.get(endpoints, 'web');
  world.sent();
  await world.client.patch(pods, { namespace: 'shop', name: 'next' }, { status: next['status'] }, { type: 'merge', subresource: 'status' });
  await world.pass(600_000);
  expect(world.sent()).toEqual(Array(16).fill({ verb: 'update', resource: 'endpoints', name: 'web', failed: 'Invalid' }));
  expect(await world.get(endpoints, 'web')).toEqual(before);
  const { items } = await world.client.list(resources.events, { namespace: 'shop' });
  expect(items).toContainEqual(
    expect.objectContaining({
      reason: 'FailedToUpdateEndpoint',
      // The order of the two depends on UIDs.
      message: expect.stringMatching(/subsets\[[01]\]: Required value: must specify `addresses` or `notReadyAddresses`/),
    }),
  );
});

describe('endless writes', () => {
  const settled = async (world: World): Promise<number> => {
    await world.start();
    await setReady(world, false);
    await world.pass();
    world.sent();
    await world.pass(600_000);
    return world.sent().length;
  };

  // A webhook changed the written objects, so they never compared as equal and each write triggered the next.
  test('#127103: a webhook that changes Endpoints and slices does not cause repeated writes', async () => {
    const addLabel = createFunctionAdmission([
      {
        operations: ['CREATE', 'UPDATE'],
        resources: ['endpoints', 'endpointslices'],
        mutate: ({ object }) => object && { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, team: 'x' } } },
      },
    ]);
    await using world = await createWorld({ objects: shop, server: { admission: [addLabel] } });
    expect(await settled(world)).toBe(0);
  });

  // The headless label exists on the Endpoints only but was compared: each sync of a headless Service wrote.
  test.each(['1.17.12', '1.18.9', '1.19.2'])(
    '#94112: %s writes headless Services at each sync, but no write triggers another',
    async (version) => {
      const headless = [...shop.slice(0, 1), serviceFor('web', { clusterIP: 'None' }), podFor('web-1')];
      await using world = await createWorld({ objects: headless, version });
      expect(await settled(world)).toBe(0);
      await world.client.patch(services, web, { spec: { sessionAffinity: 'None' }, metadata: { labels: { a: 'b' } } }, { type: 'merge' });
      await world.pass();
      expect(world.sent()).toHaveLength(1);
    },
  );

  // The order of subsets differed between releases.
  test.each(['1.20', '1.27', '1.34', '1.36'])('#133511: a restart at %s does not reorder multiple ports and subsets', async (version) => {
    const ports = ['a', 'b', 'c'].map((name, i) => ({ name, port: 80 + i, targetPort: i === 2 ? 'http' : 8080 + i, protocol: 'TCP' }));
    const many = Array.from({ length: 12 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}`, ready: i % 3 > 0 }));
    await using world = await createWorld({ objects: [...shop.slice(0, 1), serviceFor('web', { ports }), ...many], version });
    await world.start();
    await world.stop();
    world.sent();
    await world.start();
    await world.pass(60_000);
    expect(world.sent()).toEqual([]);
  });
});
