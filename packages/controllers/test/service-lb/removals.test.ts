import { createKeyedMutex, type KeyedMutex } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, type ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createCalls } from '../../src/service-lb/calls.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import { createRemovals, type Removals } from '../../src/service-lb/removals.ts';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createCloud, type TestCloud } from './cloud.ts';
import { loadBalancerService } from './fixture.ts';

const uid = 'u1';
const service = { metadata: { namespace: 'shop', name: 'web', uid }, spec: { type: 'LoadBalancer' } };
const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];

interface Setup {
  readonly removals: Removals;
  readonly cloud: TestCloud;
  readonly clock: ManualClock;
  readonly mutex: KeyedMutex;
  readonly ownership: ReturnType<typeof createTestOwnership>;
  readonly enqueuedKeys: string[];
  readonly outcomes: string[];
}

/** @param existing the Service on the API server */
function setUp(existing?: ApiObject): Setup {
  const cloud = createCloud();
  const clock = createClock();
  const ownership = createTestOwnership({ owned: true });
  const mutex = createKeyedMutex();
  const outcomes: string[] = [];
  const enqueuedKeys: string[] = [];
  const onEvent = (each: RuntimeEvent): void => {
    if (each.kind === 'orphan') outcomes.push(each.outcome);
  };
  const notFound = new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 });
  const port = { get: () => (existing ? Promise.resolve(existing) : Promise.reject(notFound)) } as Partial<ClientPort> as ClientPort;
  const setup = createSetup({ port, cloud, clock, ownership, onEvent });
  const calls = createCalls(setup, () => undefined);
  const removals = createRemovals({ setup, calls, mutex, enqueueSync: (key) => void enqueuedKeys.push(key) });
  void removals.run();
  return { removals, cloud, clock, mutex, ownership, enqueuedKeys, outcomes };
}

test.each<[string, string, ApiObject | undefined]>([
  ['the Service does not exist', 'deleted', undefined],
  ['the Service was recreated', 'deleted', loadBalancerService('web', {}, { uid: 'u2' })],
  ['the type of the Service has changed and it was cleaned up', 'deleted', loadBalancerService('web', { type: 'ClusterIP' }, { uid })],
  ['the Service is of type LoadBalancer', 'refuted', loadBalancerService('web', {}, { uid })],
  ['the Service has another loadBalancerClass', 'deleted', loadBalancerService('web', { loadBalancerClass: 'example.com/other' }, { uid })],
  [
    'the Service is being deleted and has only other finalizers',
    'deleted',
    loadBalancerService('web', {}, { uid, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] }),
  ],
  [
    'the type of the Service has changed and it was not cleaned up',
    'refuted',
    loadBalancerService('web', { type: 'ClusterIP' }, { uid, finalizers }),
  ],
])('if %s, the outcome of a removal is %s', async (_, outcome, existing) => {
  const { removals, cloud, outcomes, enqueuedKeys } = setUp(existing);
  removals.add('shop/web', service);
  removals.add('shop/web', service);
  expect(removals.idle).toBe(false);
  await flushPromises();
  expect(outcomes).toEqual([outcome]);
  expect(cloud.takeCalls()).toEqual(outcome === 'deleted' ? ['delete web'] : []);
  expect(enqueuedKeys).toEqual(outcome === 'deleted' ? [] : ['shop/web']);
  expect(removals.idle).toBe(true);
});

test('a removal waits for work in progress on the same Service', async () => {
  const { removals, cloud, mutex } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  const otherWork = mutex.run('shop/web', () => promise);
  removals.add('shop/web', service);
  await flushPromises();
  expect(cloud.takeCalls()).toEqual([]);
  resolve();
  await otherWork;
  await flushPromises();
  expect(cloud.takeCalls()).toEqual(['delete web']);
});

test('a removal is dropped if the Service belongs to another replica or after shutdown', async () => {
  const harness = setUp();
  harness.ownership.lose();
  harness.removals.add('shop/web', service);
  expect(harness.removals.idle).toBe(true);
  harness.ownership.gain();
  harness.cloud.intercept = () => Promise.reject(new Error('busy'));
  harness.removals.add('shop/web', service);
  await flushPromises();
  expect(harness.outcomes).toEqual(['retried']);
  harness.ownership.lose();
  await harness.clock.pass(5000);
  expect(harness.removals.idle).toBe(true);
  harness.removals.shutDown();
  harness.ownership.gain();
  harness.removals.add('shop/web', service);
  await flushPromises();
  expect(harness.cloud.takeCalls()).toEqual(['delete web']);
});
