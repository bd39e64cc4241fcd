import { createKeyedMutex, type KeyedMutex } from 'kube-endpoints/internal';
import { ApiError, type ApiObject, type ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createCalls } from '../../src/service-lb/calls.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import { createRemovals, type Removals } from '../../src/service-lb/removals.ts';
import { createLead } from '../controllers/world.ts';
import { createClock, type ManualClock, settle } from '../queue/clock.ts';
import { createCloud, type TestCloud } from './cloud.ts';
import { balanced } from './world.ts';

const uid = 'u1';
const service = { metadata: { namespace: 'shop', name: 'web', uid }, spec: { type: 'LoadBalancer' } };
const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];

interface Bench {
  readonly removals: Removals;
  readonly cloud: TestCloud;
  readonly clock: ManualClock;
  readonly mutex: KeyedMutex;
  readonly ownership: ReturnType<typeof createLead>;
  readonly confirmed: string[];
  readonly outcomes: string[];
}

/** @param there the Service on the API server */
function bench(there?: ApiObject): Bench {
  const cloud = createCloud();
  const clock = createClock();
  const ownership = createLead(true);
  const mutex = createKeyedMutex();
  const outcomes: string[] = [];
  const confirmed: string[] = [];
  const onEvent = (each: RuntimeEvent): void => {
    if (each.kind === 'orphan') outcomes.push(each.outcome);
  };
  const gone = new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 });
  const port = { get: () => (there ? Promise.resolve(there) : Promise.reject(gone)) } as Partial<ClientPort> as ClientPort;
  const setup = createSetup({ port, cloud, clock, ownership, onEvent });
  const calls = createCalls(setup, () => undefined);
  const removals = createRemovals({ setup, calls, mutex, confirm: (key) => void confirmed.push(key) });
  void removals.run();
  return { removals, cloud, clock, mutex, ownership, confirmed, outcomes };
}

test.each<[string, ApiObject | undefined, string]>([
  ['no Service exists', undefined, 'deleted'],
  ['another Service of the same name exists', balanced('web', {}, { uid: 'u2' }), 'deleted'],
  ['it is no load balancer any more, and was cleaned up', balanced('web', { type: 'ClusterIP' }, { uid }), 'deleted'],
  ['it is a load balancer', balanced('web', {}, { uid }), 'refuted'],
  ['it is one of another class', balanced('web', { loadBalancerClass: 'example.com/other' }, { uid }), 'deleted'],
  [
    'it is over, and held by others',
    balanced('web', {}, { uid, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] }),
    'deleted',
  ],
  ['its clean-up is still to come', balanced('web', { type: 'ClusterIP' }, { uid, finalizers }), 'refuted'],
])('if %s, the outcome is %s', async (_, there, outcome) => {
  const { removals, cloud, outcomes, confirmed } = bench(there);
  removals.add('shop/web', service);
  removals.add('shop/web', service);
  expect(removals.idle).toBe(false);
  await settle();
  expect(outcomes).toEqual([outcome]);
  expect(cloud.takeCalls()).toEqual(outcome === 'deleted' ? ['delete web'] : []);
  expect(confirmed).toEqual(outcome === 'deleted' ? [] : ['shop/web']);
  expect(removals.idle).toBe(true);
});

test('a removal waits for work in progress on the same Service', async () => {
  const { removals, cloud, mutex } = bench();
  const { promise, resolve } = Promise.withResolvers<void>();
  const other = mutex.run('shop/web', () => promise);
  removals.add('shop/web', service);
  await settle();
  expect(cloud.takeCalls()).toEqual([]);
  resolve();
  await other;
  await settle();
  expect(cloud.takeCalls()).toEqual(['delete web']);
});

test('a removal is dropped if the Service belongs to another replica or after shutdown', async () => {
  const harness = bench();
  harness.ownership.lead(false);
  harness.removals.add('shop/web', service);
  expect(harness.removals.idle).toBe(true);
  harness.ownership.lead(true);
  harness.cloud.intercept = () => Promise.reject(new Error('busy'));
  harness.removals.add('shop/web', service);
  await settle();
  expect(harness.outcomes).toEqual(['retried']);
  harness.ownership.lead(false);
  await harness.clock.pass(5000);
  expect(harness.removals.idle).toBe(true);
  harness.removals.shutDown();
  harness.ownership.lead(true);
  harness.removals.add('shop/web', service);
  await settle();
  expect(harness.cloud.takeCalls()).toEqual(['delete web']);
});
