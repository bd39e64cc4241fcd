import { cleanupFinalizer } from 'kube-endpoints/internal';
import { createKeyedMutex } from 'kube-endpoints/internal/apimachinery';
import { type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import type { CachedService } from '../../src/service-lb/caches.ts';
import type { Calls } from '../../src/service-lb/calls.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import type { Job, Performer } from '../../src/service-lb/perform.ts';
import { createSyncs } from '../../src/service-lb/syncs.ts';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createClock, flushPromises } from '../queue/clock.ts';
import { createCloud } from './cloud.ts';
import { createFixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

const nodes = [makeNode('n1')];

test('the controller runs at most as many syncs at a time as there are workers', async () => {
  const cloud = createCloud({ list: false });
  let runningCount = 0;
  let maxRunningCount = 0;
  cloud.intercept = async ({ call }, work) => {
    if (call !== 'ensure') return work();
    maxRunningCount = Math.max(maxRunningCount, ++runningCount);
    await flushPromises();
    runningCount--;
    return work();
  };
  const objects = [...nodes, ...Array.from({ length: 9 }, (_, i) => loadBalancerService(`web-${i}`))];
  await using fixture = await createFixture({ objects, cloud, workers: 3 });
  await fixture.start();
  for (let round = 0; round < 9; round++) await flushPromises();
  expect(maxRunningCount).toBe(3);
  expect(cloud.loadBalancers.size).toBe(9);
});

test('the controller syncs a Service again after a change during its sync', async () => {
  const cloud = createCloud({ list: false });
  const ensuredPorts: unknown[] = [];
  let release: (() => void) | undefined;
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
  const originalEnsure = cloud.balancers.ensure;
  Object.assign(cloud.balancers, {
    async ensure(request: Parameters<typeof originalEnsure>[0]) {
      ensuredPorts.push(request.service.spec?.ports?.map(({ port }) => port));
      if (!release) await new Promise<void>((resolve) => (release = resolve));
      return originalEnsure(request);
    },
  });
  await fixture.start();
  await fixture.change('web', { spec: { ports: [{ name: 'http', port: 81, targetPort: 8080, protocol: 'TCP' }] } });
  await fixture.pass();
  expect(ensuredPorts).toEqual([[80]]);
  release?.();
  await fixture.pass();
  expect(ensuredPorts).toEqual([[80], [81]]);
});

test('the controller syncs a changed Service at once, without the back-off of earlier failures', async () => {
  const cloud = createCloud({ list: false });
  let isFaulty = true;
  cloud.intercept = ({ call }) => (call === 'ensure' && isFaulty ? Promise.reject(new Error('no')) : undefined);
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
  await fixture.start();
  await fixture.pass(200_000);
  const previousCount = fixture.readSyncOutcomes('web').length;
  isFaulty = false;
  await fixture.change('web', { metadata: { annotations: { fix: 'this' } } });
  await fixture.pass(100);
  expect(fixture.readSyncOutcomes('web').slice(previousCount)).toEqual(['success 0']);
  isFaulty = true;
  await fixture.change('web', { metadata: { annotations: { fix: 'that' } } });
  await fixture.pass(100);
  expect(fixture.readSyncOutcomes('web').at(-1)).toBe('retried 1');
});

test('the controller converges if a Service is deleted and recreated several times within a second', async () => {
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
  await fixture.start();
  for (let round = 0; round < 5; round++) {
    await fixture.delete('web');
    await fixture.pass(round * 10);
    await fixture.client.create(resources.services, loadBalancerService('web')).catch(() => undefined);
  }
  await fixture.pass(60_000);
  const service = (await fixture.get('web')) ?? (await fixture.client.create(resources.services, loadBalancerService('web')));
  await fixture.pass();
  expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: true, ips: ['192.0.2.1'] });
  expect([...fixture.cloud.loadBalancers.keys()]).toEqual([service.metadata.uid]);
});

test('a replica with a stale cache creates no load balancer for a Service that another replica has cleaned up', async () => {
  let isWatchStale = false;
  const ownership = createTestOwnership({ owned: false });
  await using fixture = await createFixture({
    objects: [...nodes, loadBalancerService('web', {}, { finalizers: [cleanupFinalizer] })],
    ownership,
    wrapPort: (port) => ({
      ...port,
      async *watch(resource, options) {
        for await (const event of port.watch(resource, options)) if (!isWatchStale) yield event;
      },
    }),
  });
  await fixture.start();
  isWatchStale = true;
  await fixture.change('web', { metadata: { finalizers: null } });
  await fixture.delete('web');
  ownership.gain();
  await fixture.pass();
  expect(fixture.readSyncOutcomes('web')).toEqual(['success 0']);
  expect(fixture.cloud.takeCalls().filter((call) => call !== 'list ')).toEqual([]);
});

/** Creates only the sync queue, without caches: the test sets the Services. */
function setUp() {
  const [ownership, clock, services] = [createTestOwnership({ owned: true }), createClock(), new Map<string, CachedService>()];
  const sentRequests: string[] = [];
  const syncResults: string[] = [];
  const onEvent = (event: RuntimeEvent): void => {
    if (event.kind === 'synced') syncResults.push(`${event.key} ${event.outcome}`);
  };
  const setup = createSetup({ port: {} as ClientPort, cloud: createCloud(), clock, ownership, onEvent });
  const calls = {
    delete: async (key: string, { metadata }: CachedService) => void sentRequests.push(`delete ${key} ${metadata?.uid}`),
    async readService(key: string) {
      sentRequests.push(`read ${key}`);
      return services.get(key);
    },
  } as unknown as Calls;
  const performer = {
    async run({ key }: Job) {
      if (services.get(key)?.spec?.type === 'ClusterIP') throw new Error('cannot be cleaned up');
    },
  } as unknown as Performer;
  const syncs = createSyncs({ setup, services, nodes: () => [], calls, mutex: createKeyedMutex(), performer });
  const running = syncs.run();
  onTestFinished(() => {
    syncs.shutDown();
    return running;
  });
  return { ownership, services, sentRequests, syncResults, syncs };
}

const cachedService = (uid: string, type: string, metadata: object = {}): CachedService => ({
  metadata: { namespace: 'shop', name: 'web', uid, ...metadata },
  spec: { type },
});

describe('the sync of a deleted Service', () => {
  test.each([
    ['deletes its load balancer if its cleanup had failed', false, ['delete shop/web u1']],
    ['deletes nothing if the Service disappeared while another replica owned it', true, []],
  ])('%s', async (_, isLost, expected) => {
    const { ownership, services, sentRequests, syncs } = setUp();
    services.set('shop/web', cachedService('u1', 'ClusterIP'));
    syncs.enqueue('shop/web');
    await flushPromises();
    if (isLost) ownership.lose();
    services.clear();
    syncs.disown();
    ownership.gain();
    syncs.enqueue('shop/web');
    await flushPromises();
    expect(sentRequests).toEqual(expected);
  });

  test('resets its state, so that a new Service of the same name is not read from the API server', async () => {
    const { services, sentRequests, syncs } = setUp();
    services.set('shop/web', cachedService('u1', 'LoadBalancer'));
    syncs.adopt('shop/web');
    await flushPromises();
    services.clear();
    syncs.enqueue('shop/web');
    await flushPromises();
    services.set('shop/web', cachedService('u2', 'LoadBalancer', { finalizers: [cleanupFinalizer] }));
    syncs.enqueue('shop/web');
    await flushPromises();
    expect(sentRequests).toEqual([]);
  });
});

test('a Service without an address does not wait for a Service whose ownership was lost during the takeover', async () => {
  const { ownership, services, syncResults, syncs } = setUp();
  services.set('shop/old', { ...cachedService('u1', 'LoadBalancer'), status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } });
  services.set('shop/web', cachedService('u2', 'LoadBalancer'));
  ownership.lose();
  syncs.adopt('shop/old');
  ownership.gain();
  syncs.enqueue('shop/web');
  await flushPromises();
  expect(syncResults).toEqual(['shop/web success']);
});
