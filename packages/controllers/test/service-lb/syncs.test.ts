import { cleanupFinalizer, createKeyedMutex } from 'kube-endpoints/internal';
import { type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import type { CachedService } from '../../src/service-lb/caches.ts';
import type { Calls } from '../../src/service-lb/calls.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import type { Job, Performer } from '../../src/service-lb/perform.ts';
import { createSyncs } from '../../src/service-lb/syncs.ts';
import { createLead } from '../controllers/world.ts';
import { createClock, settle } from '../queue/clock.ts';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

const nodes = [nodeNamed('n1')];

test('runs at most as many syncs at a time as there are workers', async () => {
  const cloud = createCloud({ list: false });
  let now = 0;
  let most = 0;
  cloud.intercept = async ({ call }, work) => {
    if (call !== 'ensure') return work();
    most = Math.max(most, ++now);
    await settle();
    now--;
    return work();
  };
  const objects = [...nodes, ...Array.from({ length: 9 }, (_, i) => balanced(`web-${i}`))];
  await using world = await createWorld({ objects, cloud, workers: 3 });
  await world.start();
  for (let round = 0; round < 9; round++) await settle();
  expect(most).toBe(3);
  expect(cloud.held.size).toBe(9);
});

test('syncs a Service again after a change during its sync', async () => {
  const cloud = createCloud({ list: false });
  const ports: unknown[] = [];
  let go: (() => void) | undefined;
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
  const inner = cloud.balancers.ensure;
  Object.assign(cloud.balancers, {
    async ensure(request: Parameters<typeof inner>[0]) {
      ports.push(request.service.spec?.ports?.map(({ port }) => port));
      if (!go) await new Promise<void>((resolve) => (go = resolve));
      return inner(request);
    },
  });
  await world.start();
  await world.change('web', { spec: { ports: [{ name: 'http', port: 81, targetPort: 8080, protocol: 'TCP' }] } });
  await world.pass();
  expect(ports).toEqual([[80]]);
  go?.();
  await world.pass();
  expect(ports).toEqual([[80], [81]]);
});

test('syncs a changed Service at once, without the back-off of earlier failures', async () => {
  const cloud = createCloud({ list: false });
  let isFaulty = true;
  cloud.intercept = ({ call }) => (call === 'ensure' && isFaulty ? Promise.reject(new Error('no')) : undefined);
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
  await world.start();
  await world.pass(200_000);
  const before = world.outcomes('web').length;
  isFaulty = false;
  await world.change('web', { metadata: { annotations: { fix: 'this' } } });
  await world.pass(100);
  expect(world.outcomes('web').slice(before)).toEqual(['success 0']);
  isFaulty = true;
  await world.change('web', { metadata: { annotations: { fix: 'that' } } });
  await world.pass(100);
  expect(world.outcomes('web').at(-1)).toBe('retried 1');
});

test('converges if a Service is deleted and recreated in quick succession', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')] });
  await world.start();
  for (let round = 0; round < 5; round++) {
    await world.delete('web');
    await world.pass(round * 10);
    await world.client.create(resources.services, balanced('web')).catch(() => undefined);
  }
  await world.pass(60_000);
  const service = (await world.get('web')) ?? (await world.client.create(resources.services, balanced('web')));
  await world.pass();
  expect(stateOf(await world.get('web'))).toEqual({ finalizer: true, ips: ['192.0.2.1'] });
  expect([...world.cloud.held.keys()]).toEqual([service.metadata.uid]);
});

test('a replica with a stale cache creates no load balancer for a Service that another replica has cleaned up', async () => {
  let gone = false;
  const ownership = createLead(false);
  await using world = await createWorld({
    objects: [...nodes, balanced('web', {}, { finalizers: [cleanupFinalizer] })],
    ownership,
    through: (port) => ({
      ...port,
      async *watch(resource, options) {
        for await (const event of port.watch(resource, options)) if (!gone) yield event;
      },
    }),
  });
  await world.start();
  gone = true;
  await world.change('web', { metadata: { finalizers: null } });
  await world.delete('web');
  ownership.lead(true);
  await world.pass();
  expect(world.outcomes('web')).toEqual(['success 0']);
  expect(world.cloud.takeCalls().filter((call) => call !== 'list ')).toEqual([]);
});

/** Creates the sync loop alone; the test sets the Services. */
function bench() {
  const [ownership, clock, services] = [createLead(true), createClock(), new Map<string, CachedService>()];
  const sent: string[] = [];
  const synced: string[] = [];
  const onEvent = (event: RuntimeEvent): void => {
    if (event.kind === 'synced') synced.push(`${event.key} ${event.outcome}`);
  };
  const setup = createSetup({ port: {} as ClientPort, cloud: createCloud(), clock, ownership, onEvent });
  const calls = {
    delete: async (key: string, { metadata }: CachedService) => void sent.push(`delete ${key} ${metadata?.uid}`),
    async readService(key: string) {
      sent.push(`read ${key}`);
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
  return { ownership, services, sent, synced, syncs };
}

const known = (uid: string, type: string, more: object = {}): CachedService => ({
  metadata: { namespace: 'shop', name: 'web', uid, ...more },
  spec: { type },
});

describe('the last known state of a Service', () => {
  test.each([
    ['that goes while its clean-up fails is its load balancer', false, ['delete shop/web u1']],
    ['that has gone while it was another replica’s is nothing', true, []],
  ])('%s', async (_, isLost, expected) => {
    const { ownership, services, sent, syncs } = bench();
    services.set('shop/web', known('u1', 'ClusterIP'));
    syncs.enqueue('shop/web');
    await settle();
    ownership.lead(!isLost);
    services.clear();
    syncs.disown();
    ownership.lead(true);
    syncs.enqueue('shop/web');
    await settle();
    expect(sent).toEqual(expected);
  });

  test('is dropped once it is gone, so a new Service of the same name is not verified', async () => {
    const { services, sent, syncs } = bench();
    services.set('shop/web', known('u1', 'LoadBalancer'));
    syncs.adopt('shop/web');
    await settle();
    services.clear();
    syncs.enqueue('shop/web');
    await settle();
    services.set('shop/web', known('u2', 'LoadBalancer', { finalizers: [cleanupFinalizer] }));
    syncs.enqueue('shop/web');
    await settle();
    expect(sent).toEqual([]);
  });
});

test('a Service without an address does not wait for one whose ownership was lost during takeover', async () => {
  const { ownership, services, synced, syncs } = bench();
  services.set('shop/old', { ...known('u1', 'LoadBalancer'), status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } });
  services.set('shop/web', known('u2', 'LoadBalancer'));
  ownership.lead(false);
  syncs.adopt('shop/old');
  ownership.lead(true);
  syncs.enqueue('shop/web');
  await settle();
  expect(synced).toEqual(['shop/web success']);
});
