import { cleanupFinalizer } from 'kube-endpoints/internal';
import { type BalancedService, createLoadBalancerPlanner, type LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import { describe, expect, test } from 'vitest';
import { OwnershipLostError } from '../../src/controllers/failures.ts';
import {
  addBacklogs,
  ControllerStoppingError,
  classifyChange,
  createPrecedence,
  hasPublishedAddress,
  isCancellation,
  isClaimed,
  isReleased,
  type Precedence,
  toClusterIP,
} from '../../src/service-lb/claims.ts';
import { createCloud } from './cloud.ts';
import { createFixture, loadBalancerService, makeNode } from './fixture.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each<[string, boolean, object]>([
  ['is not being deleted', false, { finalizers: ['example.com/hold'] }],
  ['is being deleted and has the cleanup finalizer', false, { deletionTimestamp, finalizers: [cleanupFinalizer, 'example.com/hold'] }],
  ['is being deleted and has only other finalizers', true, { deletionTimestamp, finalizers: ['example.com/hold'] }],
  ['is being deleted and has no finalizer', true, { deletionTimestamp }],
])('for a Service that %s, isReleased returns %s', (_, expected, metadata) => {
  expect(isReleased({ metadata })).toBe(expected);
});

test('toClusterIP returns a copy of the Service with type ClusterIP', () => {
  const service = { metadata: { name: 'web' }, spec: { type: 'LoadBalancer', externalName: 'x' } };
  expect(toClusterIP(service)).toEqual({ metadata: { name: 'web' }, spec: { type: 'ClusterIP', externalName: 'x' } });
  expect(service.spec.type).toBe('LoadBalancer');
});

test('the controller cleans up a deleted Service that has other finalizers, without adding a finalizer, even after a restart', async () => {
  const finalizers = ['example.com/hold'];
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web', {}, { finalizers })] });
  await fixture.start();
  await fixture.delete('web');
  await fixture.pass(20_000);
  expect((await fixture.get('web'))?.metadata.finalizers).toEqual(finalizers);
  expect(fixture.cloud.loadBalancers.size).toBe(0);
  expect(fixture.readSyncOutcomes('web').every((outcome) => outcome === 'success 0')).toBe(true);
  await fixture.stop();
  fixture.cloud.takeCalls();
  await fixture.start();
  await fixture.pass(20_000);
  expect(fixture.cloud.takeCalls()).toEqual(['list ', 'get web']);
  expect(fixture.readSyncOutcomes('web').every((outcome) => outcome === 'success 0')).toBe(true);
  expect(fixture.controller.idle).toBe(true);
});

test('the controller deletes the load balancer of a deleted Service that has only other finalizers', async () => {
  const finalizers = ['example.com/hold'];
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web', {}, { finalizers })] });
  const uid = (await fixture.get('web'))?.metadata.uid ?? '';
  await fixture.delete('web');
  fixture.cloud.loadBalancers.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await fixture.start();
  expect(fixture.cloud.loadBalancers.size).toBe(0);
});

test('the controller deletes the load balancer of a Service that disappears while its cleanup fails, even if the cloud cannot list', async () => {
  const cloud = createCloud({ list: false });
  const finalizers = ['example.com/hold'];
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web', {}, { finalizers })], cloud });
  await fixture.start();
  cloud.intercept = ({ call }) => (call === 'get' ? Promise.reject(new Error('busy')) : undefined);
  await fixture.delete('web');
  await fixture.change('web', { metadata: { finalizers } });
  await fixture.pass(100);
  await fixture.change('web', { metadata: { finalizers: null } });
  await fixture.pass(60_000);
  expect([await fixture.get('web'), cloud.loadBalancers.size]).toEqual([undefined, 0]);
});

test('classifyChange makes a sync due if the planner throws', () => {
  const planner = {
    serviceChanged() {
      throw new TypeError('ports is not a list');
    },
  } as Partial<LoadBalancerPlanner> as LoadBalancerPlanner;
  expect(classifyChange(planner, undefined, {})).toEqual({ due: true, events: [] });
});

test.each<[string, boolean, BalancedService]>([
  ['a Service of type LoadBalancer', true, { spec: { type: 'LoadBalancer' } }],
  ['a Service of another loadBalancerClass', false, { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } }],
  ['a Service of type ClusterIP', false, { spec: { type: 'ClusterIP' } }],
  [
    'a Service of type ClusterIP with the cleanup finalizer',
    true,
    { metadata: { finalizers: [cleanupFinalizer] }, spec: { type: 'ClusterIP' } },
  ],
])('for %s, isClaimed returns %s', (_, claimed, service) => {
  expect(isClaimed(createLoadBalancerPlanner(), service)).toBe(claimed);
});

test('isCancellation returns true for OwnershipLost and ControllerStopping only', () => {
  expect([new OwnershipLostError('shop/web'), new ControllerStoppingError(), new Error('no'), undefined].map(isCancellation)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(String(new ControllerStoppingError())).toBe('ControllerStopping: the controller is stopping');
});

const serviceWithoutAddress: BalancedService = { spec: { type: 'LoadBalancer' } };
const serviceWithAddress: BalancedService = { ...serviceWithoutAddress, status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };

function createTestPrecedence(...publishedKeys: string[]): { readonly precedence: Precedence; readonly resumedKeys: string[] } {
  const resumedKeys: string[] = [];
  const precedence = createPrecedence((key) => void resumedKeys.push(key));
  for (const key of publishedKeys) precedence.add(key, serviceWithAddress);
  return { precedence, resumedKeys };
}

test('hasPublishedAddress returns true if the status has an ingress', () => {
  expect(
    [serviceWithAddress, serviceWithoutAddress, { status: { loadBalancer: { ingress: [] } } }, undefined].map(hasPublishedAddress),
  ).toEqual([true, false, false, false]);
});

describe('a Service without an address', () => {
  test('waits until every Service with an address has been synced', () => {
    const { precedence, resumedKeys } = createTestPrecedence('a', 'b');
    expect([
      precedence.deferIfNeeded('c', serviceWithoutAddress),
      precedence.deferIfNeeded('c', serviceWithoutAddress),
      precedence.deferIfNeeded('d', serviceWithoutAddress),
    ]).toEqual([true, true, true]);
    expect(precedence.waitingCount).toBe(2);
    precedence.finish('a');
    precedence.finish('x');
    expect(resumedKeys).toEqual([]);
    precedence.finish('b');
    expect([resumedKeys, precedence.waitingCount]).toEqual([['c', 'd'], 0]);
    precedence.finish('b');
    expect([resumedKeys, precedence.deferIfNeeded('c', serviceWithoutAddress)]).toEqual([['c', 'd'], false]);
  });

  test('does not wait if no Service has an address', () => {
    const { precedence } = createTestPrecedence();
    precedence.add('a', serviceWithoutAddress);
    expect(precedence.deferIfNeeded('b', serviceWithoutAddress)).toBe(false);
  });
});

test.each<[string, BalancedService | undefined]>([
  ['has an address', serviceWithAddress],
  ['is gone', undefined],
  ['is being deleted', { ...serviceWithoutAddress, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['is no longer of type LoadBalancer', { spec: { type: 'ClusterIP' } }],
])('a Service that %s does not wait', (_, service) => {
  const { precedence } = createTestPrecedence('a');
  expect([precedence.deferIfNeeded('b', service), precedence.waitingCount]).toEqual([false, 0]);
});

test('a Service that loses its address after `add` does not wait', () => {
  const { precedence } = createTestPrecedence('a');
  expect(precedence.deferIfNeeded('a', serviceWithoutAddress)).toBe(false);
});

test('addBacklogs adds up backlogs and keeps other fields', () => {
  const counts = { waiting: 1, processing: 2, delayed: 3 };
  expect(addBacklogs({ ...counts, writes: 9 }, [counts, { waiting: 10, processing: 0, delayed: 0 }])).toEqual({
    ...{ waiting: 12, processing: 4, delayed: 6 },
    writes: 9,
  });
});

test('stats count failed orphan deletions and a failed list as delayed', async () => {
  const cloud = createCloud();
  cloud.loadBalancers.set('u1', { service: { metadata: { namespace: 'shop', name: 'gone' } }, nodes: [] });
  let failingCall = 'delete';
  cloud.intercept = ({ call }) => (call === failingCall ? Promise.reject(new Error('down')) : undefined);
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web')], cloud });
  const readControllerStats = (): unknown => fixture.controller.stats().controllers['service-lb'];
  await fixture.start();
  expect(readControllerStats()).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  failingCall = 'list';
  await fixture.pass(600_000);
  expect(cloud.loadBalancers.has('u1')).toBe(false);
  expect(readControllerStats()).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  failingCall = '';
  await fixture.pass(30_000);
  expect(readControllerStats()).toMatchObject({ waiting: 0, processing: 0, delayed: 0 });
});
