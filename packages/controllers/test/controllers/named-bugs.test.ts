import { createFaults, createFunctionAdmission } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import {
  type ControllersFixture,
  createControllersFixture,
  createTestOwnership,
  nodeFor,
  podFor,
  readiness,
  serviceFor,
} from './fixture.ts';

const { endpoints, endpointSlices, pods, services } = resources;
const web = { namespace: 'shop', name: 'web' };
const shop = [nodeFor('n1', 'a'), serviceFor('web'), podFor('web-1')];

const readyIPsOf = (object: ApiObject | undefined): unknown =>
  (object as EndpointsInput | undefined)?.subsets?.flatMap(({ addresses }) => (addresses ?? []).map(({ ip }) => ip)) ?? [];

async function setReady({ client }: ControllersFixture, ready: boolean, name = 'web-1'): Promise<void> {
  const conditions = readiness(ready, ready ? '2026-01-01T00:02:00Z' : '2026-01-01T00:01:00Z');
  await client.patch(pods, { namespace: 'shop', name }, { status: { conditions } }, { type: 'merge', subresource: 'status' });
}

describe('Endpoints that stay not ready', () => {
  // The cached Endpoints were older than the last write; a pod that was ready again compared as equal to them.
  const replayFlap = async (version: string): Promise<unknown> => {
    const faults = createFaults({});
    await using fixture = await createControllersFixture({ objects: shop, version, controllers: ['endpoints'], server: { faults } });
    await fixture.start();
    faults.stall({ resources: ['endpoints'] });
    await setReady(fixture, false);
    await fixture.pass(100);
    await setReady(fixture, true);
    await fixture.pass(100);
    faults.release();
    await fixture.pass(60_000);
    return readyIPsOf(await fixture.get(endpoints, 'web'));
  };

  test.each(['1.28.12', '1.29.7', '1.30.3', '1.31.0', '1.32', '1.36'])('#125638 #117193 #124547: %s follows readiness', async (version) => {
    expect(await replayFlap(version)).toEqual(['10.0.0.1']);
  });

  // Kubernetes' controller has no tracker in these releases, so its Endpoints stay not ready.
  test.each(['1.27', '1.28.11', '1.30.2'])('#125638 #117193 #124547: %s follows readiness without a tracker', async (version) => {
    expect(await replayFlap(version)).toEqual(['10.0.0.1']);
  });

  // The fixed tracker considered the current version stale after an update that changed nothing, here because of a webhook.
  const replayRevertedUpdate = async (version: string): Promise<{ readonly ready: unknown; readonly outcomes: string[] }> => {
    let reverts = true;
    const revertUpdates = createFunctionAdmission([
      {
        operations: ['UPDATE'],
        resources: ['endpoints'],
        mutate: ({ old }) => (reverts ? old : undefined),
      },
    ]);
    await using fixture = await createControllersFixture({
      objects: shop,
      version,
      controllers: ['endpoints'],
      server: { admission: [revertUpdates] },
    });
    await fixture.start();
    await setReady(fixture, false);
    await fixture.pass();
    reverts = false;
    await setReady(fixture, true);
    await fixture.pass();
    await setReady(fixture, false);
    await fixture.pass(60_000);
    return { ready: readyIPsOf(await fixture.get(endpoints, 'web')), outcomes: fixture.outcomes('endpoints', 'shop/web') };
  };

  test.each(['1.28.12', '1.29.7', '1.30.3', '1.31.0', '1.31.1'])(
    '#127370 #126578 #127429: %s retries without a write, like upstream',
    async (version) => {
      const { ready, outcomes } = await replayRevertedUpdate(version);
      expect(ready).toEqual(['10.0.0.1']);
      expect(outcomes.slice(-5)).toEqual(Array(5).fill('requeued'));
    },
  );

  test.each(['1.28.15', '1.29.10', '1.30.6', '1.31.2', '1.36'])('#127370 #126578 #127429: %s follows readiness', async (version) => {
    const { ready, outcomes } = await replayRevertedUpdate(version);
    expect(ready).toEqual([]);
    expect(outcomes).not.toContain('requeued');
  });
});

describe('a controller after a restart or as a new leader', () => {
  // The controller began to sync before it had seen all pods, and wrote an incomplete list.
  test('#23034 #17675: writes nothing before every cache is complete', async () => {
    const faults = createFaults({
      rules: [{ fault: 'unavailable', verbs: ['list', 'watch'], resources: ['pods'], when: 'always' }],
    });
    let isUnavailable = false;
    const wrapPort = (port: ClientPort): ClientPort => {
      const unavailablePort = faults.port(port);
      return {
        ...port,
        list: (...args) => (isUnavailable ? unavailablePort : port).list(...args),
        watch: (...args) => (isUnavailable ? unavailablePort : port).watch(...args),
      };
    };
    await using fixture = await createControllersFixture({ objects: shop, wrapPort });
    await fixture.start();
    await fixture.stop();
    fixture.takeWrites();
    isUnavailable = true;
    await fixture.start();
    await fixture.pass(600_000);
    expect({ ready: fixture.controllers.ready, sent: fixture.takeWrites() }).toEqual({ ready: false, sent: [] });
    isUnavailable = false;
    await fixture.pass(600_000);
    expect({ ready: fixture.controllers.ready, sent: fixture.takeWrites() }).toEqual({ ready: true, sent: [] });
    expect(readyIPsOf(await fixture.get(endpoints, 'web'))).toEqual(['10.0.0.1']);
  });

  // A new leader also starts without state.
  test('#23034 #17675: writes nothing if the objects are up to date', async () => {
    const ownership = createTestOwnership({ owned: false });
    await using fixture = await createControllersFixture({ objects: shop, ownership });
    ownership.gain();
    await fixture.start();
    fixture.takeWrites();
    ownership.lose();
    await setReady(fixture, false);
    await fixture.pass(60_000);
    expect(fixture.takeWrites()).toEqual([]);
    await setReady(fixture, true);
    await fixture.pass();
    ownership.gain();
    await fixture.pass(60_000);
    expect(fixture.takeWrites()).toEqual([]);
    await setReady(fixture, false);
    await fixture.pass();
    expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['update endpoints', 'update endpointslices']);
  });
});

describe('a Service that is deleted and recreated', () => {
  const recreate = async ({ client }: ControllersFixture): Promise<void> => {
    await client.delete(services, web);
    await client.create(services, serviceFor('web'));
  };

  // The sync of the new Service found the old Endpoints in the cache correct; their deletion enqueued no sync.
  test.each([['endpoints'], ['services'], ['endpointslices.discovery.k8s.io'], ['pods']])(
    '#47711: gets Endpoints while the watch of %s lags',
    async (laggingResource) => {
      const faults = createFaults({});
      await using fixture = await createControllersFixture({ objects: shop, server: { faults } });
      await fixture.start();
      faults.stall({ resources: [laggingResource] });
      await recreate(fixture);
      await fixture.pass(10);
      faults.release();
      await fixture.pass(120_000);
      expect(await differencesFrom(fixture.client)).toEqual([]);
      expect(readyIPsOf(await fixture.get(endpoints, 'web'))).toEqual(['10.0.0.1']);
    },
  );

  // The tracker waited forever for a slice that was created and deleted before the cache showed it.
  test('#141593: does not wait for a slice that the cache never showed', async () => {
    const faults = createFaults({});
    await using fixture = await createControllersFixture({ objects: shop.slice(0, 1).concat(podFor('web-1')), server: { faults } });
    await fixture.start();
    faults.stall({ resources: ['endpointslices.discovery.k8s.io'] });
    await fixture.client.create(services, serviceFor('web'));
    await fixture.pass(100);
    expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toContain('create endpointslices');
    await fixture.client.deleteCollection(endpointSlices, { namespace: 'shop' });
    fixture.server.compact();
    faults.dropWatches({ resources: ['endpointslices.discovery.k8s.io'] });
    faults.release();
    await fixture.client.create(pods, podFor('web-2', { ip: '10.0.0.2' }));
    await fixture.pass(120_000);
    expect(await differencesFrom(fixture.client)).toEqual([]);
  });
});

// An unready pod with another port is truncated to a subset without addresses, which API servers reject.
test('Endpoints with a subset emptied by truncation are rejected, and the existing Endpoints are kept', async () => {
  const manyPods = Array.from({ length: 1001 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));
  const extraPod = podFor('next', { ip: '10.1.0.1', ready: false });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'web:2', ports: [{ name: 'http', containerPort: 9090 }] }] };
  const service = serviceFor('web', { ports: [{ port: 80, targetPort: 'http' }] });
  await using fixture = await createControllersFixture({
    objects: [...shop.slice(0, 1), service, ...manyPods],
    controllers: ['endpoints'],
  });
  await fixture.start();
  await fixture.client.create(pods, { ...extraPod, spec });
  await fixture.pass();
  const before = await fixture.get(endpoints, 'web');
  fixture.takeWrites();
  await fixture.client.patch(
    pods,
    { namespace: 'shop', name: 'next' },
    { status: extraPod['status'] },
    { type: 'merge', subresource: 'status' },
  );
  await fixture.pass(600_000);
  // The first attempt and 15 retries.
  expect(fixture.takeWrites()).toEqual(Array(16).fill({ verb: 'update', resource: 'endpoints', name: 'web', failed: 'Invalid' }));
  expect(await fixture.get(endpoints, 'web')).toEqual(before);
  const { items } = await fixture.client.list(resources.events, { namespace: 'shop' });
  expect(items).toContainEqual(
    expect.objectContaining({
      reason: 'FailedToUpdateEndpoint',
      // The order of the two subsets depends on UIDs.
      message: expect.stringMatching(/subsets\[[01]\]: Required value: must specify `addresses` or `notReadyAddresses`/),
    }),
  );
});

describe('a controller whose writes could trigger further writes', () => {
  const countWrites = async (fixture: ControllersFixture): Promise<number> => {
    await fixture.start();
    await setReady(fixture, false);
    await fixture.pass();
    fixture.takeWrites();
    await fixture.pass(600_000);
    return fixture.takeWrites().length;
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
    await using fixture = await createControllersFixture({ objects: shop, server: { admission: [addLabel] } });
    expect(await countWrites(fixture)).toBe(0);
  });

  // The headless label exists on the Endpoints only but was compared: each sync of a headless Service wrote.
  test.each(['1.17.12', '1.18.9', '1.19.2'])(
    '#94112: %s writes headless Services at each sync, but no write triggers another',
    async (version) => {
      const headless = [...shop.slice(0, 1), serviceFor('web', { clusterIP: 'None' }), podFor('web-1')];
      await using fixture = await createControllersFixture({ objects: headless, version });
      expect(await countWrites(fixture)).toBe(0);
      await fixture.client.patch(services, web, { spec: { sessionAffinity: 'None' }, metadata: { labels: { a: 'b' } } }, { type: 'merge' });
      await fixture.pass();
      expect(fixture.takeWrites()).toHaveLength(1);
    },
  );

  // The order of subsets differed between releases.
  test.each(['1.20', '1.27', '1.34', '1.36'])('#133511: a restart at %s does not reorder multiple ports and subsets', async (version) => {
    const ports = ['a', 'b', 'c'].map((name, i) => ({ name, port: 80 + i, targetPort: i === 2 ? 'http' : 8080 + i, protocol: 'TCP' }));
    const podObjects = Array.from({ length: 12 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}`, ready: i % 3 > 0 }));
    await using fixture = await createControllersFixture({
      objects: [...shop.slice(0, 1), serviceFor('web', { ports }), ...podObjects],
      version,
    });
    await fixture.start();
    await fixture.stop();
    fixture.takeWrites();
    await fixture.start();
    await fixture.pass(60_000);
    expect(fixture.takeWrites()).toEqual([]);
  });
});
