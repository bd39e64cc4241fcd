import { cleanupFinalizer } from 'kube-endpoints/internal';
import { type BalancedService, createLoadBalancerPlanner, type LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import { describe, expect, test } from 'vitest';
import { OwnershipLost } from '../../src/controllers/failures.ts';
import {
  asReleased,
  ControllerStopping,
  classifyChange,
  createPrecedence,
  hasStatus,
  isCancellation,
  isClaimed,
  isReleased,
  type Precedence,
  withBacklogs,
} from '../../src/service-lb/claims.ts';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed } from './world.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each<[string, object, boolean]>([
  ['is not being deleted', { finalizers: ['example.com/hold'] }, false],
  ['is being deleted and has to be cleaned up', { deletionTimestamp, finalizers: [cleanupFinalizer, 'example.com/hold'] }, false],
  ['is being deleted and held by others alone', { deletionTimestamp, finalizers: ['example.com/hold'] }, true],
  ['is being deleted and has no finalizer', { deletionTimestamp }, true],
])('isOver for a Service that %s: %s', (_, metadata, over) => {
  expect(isReleased({ metadata })).toBe(over);
});

test('asOver returns a copy of the Service with type ClusterIP', () => {
  const service = { metadata: { name: 'web' }, spec: { type: 'LoadBalancer', externalName: 'x' } };
  expect(asReleased(service)).toEqual({ metadata: { name: 'web' }, spec: { type: 'ClusterIP', externalName: 'x' } });
  expect(service.spec.type).toBe('LoadBalancer');
});

test('cleans up a deleted Service that other finalizers hold, without a new finalizer, also after a restart', async () => {
  const finalizers = ['example.com/hold'];
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', {}, { finalizers })] });
  await world.start();
  await world.delete('web');
  await world.pass(20_000);
  expect((await world.get('web'))?.metadata.finalizers).toEqual(finalizers);
  expect(world.cloud.held.size).toBe(0);
  expect(world.outcomes('web').every((outcome) => outcome === 'success 0')).toBe(true);
  await world.stop();
  world.cloud.takeCalls();
  await world.start();
  await world.pass(20_000);
  expect(world.cloud.takeCalls()).toEqual(['list ', 'get web']);
  expect(world.outcomes('web').every((outcome) => outcome === 'success 0')).toBe(true);
  expect(world.controller.idle).toBe(true);
});

test('deletes the load balancer of a deleted Service that other finalizers hold', async () => {
  const finalizers = ['example.com/hold'];
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', {}, { finalizers })] });
  const uid = (await world.get('web'))?.metadata.uid ?? '';
  await world.delete('web');
  world.cloud.held.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await world.start();
  expect(world.cloud.held.size).toBe(0);
});

test('deletes the load balancer of a Service that goes away while its clean-up fails, even if the cloud cannot list', async () => {
  const cloud = createCloud({ list: false });
  const finalizers = ['example.com/hold'];
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', {}, { finalizers })], cloud });
  await world.start();
  cloud.intercept = ({ call }) => (call === 'get' ? Promise.reject(new Error('busy')) : undefined);
  await world.delete('web');
  await world.change('web', { metadata: { finalizers } });
  await world.pass(100);
  await world.change('web', { metadata: { finalizers: null } });
  await world.pass(60_000);
  expect([await world.get('web'), cloud.held.size]).toEqual([undefined, 0]);
});

test('weigh enqueues a sync if the planner throws', () => {
  const planner = {
    serviceChanged() {
      throw new TypeError('ports are no list');
    },
  } as Partial<LoadBalancerPlanner> as LoadBalancerPlanner;
  expect(classifyChange(planner, undefined, {})).toEqual({ due: true, events: [] });
});

test.each<[string, BalancedService, boolean]>([
  ['a load balancer', { spec: { type: 'LoadBalancer' } }, true],
  ['one of another class', { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } }, false],
  ['no load balancer', { spec: { type: 'ClusterIP' } }, false],
  ['no longer a load balancer, to be cleaned up', { metadata: { finalizers: [cleanupFinalizer] }, spec: { type: 'ClusterIP' } }, true],
])('isClaimed for %s: %s', (_, service, claimed) => {
  expect(isClaimed(createLoadBalancerPlanner(), service)).toBe(claimed);
});

test('isCancellation holds for OwnershipLost and ControllerStopping only', () => {
  expect([new OwnershipLost('shop/web'), new ControllerStopping(), new Error('no'), undefined].map(isCancellation)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(String(new ControllerStopping())).toBe('ControllerStopping: the controller is stopping');
});

const pending: BalancedService = { spec: { type: 'LoadBalancer' } };
const published: BalancedService = { ...pending, status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };

function bench(...first: string[]): { readonly precedence: Precedence; readonly resumed: string[] } {
  const resumed: string[] = [];
  const precedence = createPrecedence((key) => void resumed.push(key));
  for (const key of first) precedence.add(key, published);
  return { precedence, resumed };
}

test('hasStatus holds if the status has an ingress', () => {
  expect([published, pending, { status: { loadBalancer: { ingress: [] } } }, undefined].map(hasStatus)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

describe('a Service without an address', () => {
  test('waits until every Service with an address has been synced', () => {
    const { precedence, resumed } = bench('a', 'b');
    expect([precedence.defers('c', pending), precedence.defers('c', pending), precedence.defers('d', pending)]).toEqual([true, true, true]);
    expect(precedence.waiting).toBe(2);
    precedence.finish('a');
    precedence.finish('x');
    expect(resumed).toEqual([]);
    precedence.finish('b');
    expect([resumed, precedence.waiting]).toEqual([['c', 'd'], 0]);
    precedence.finish('b');
    expect([resumed, precedence.defers('c', pending)]).toEqual([['c', 'd'], false]);
  });

  test('does not wait if no Service has an address', () => {
    const { precedence } = bench();
    precedence.add('a', pending);
    expect(precedence.defers('b', pending)).toBe(false);
  });
});

test.each<[string, BalancedService | undefined]>([
  ['has an address', published],
  ['is gone', undefined],
  ['is being deleted', { ...pending, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['is no load balancer any more', { spec: { type: 'ClusterIP' } }],
])('a Service that %s does not wait', (_, service) => {
  const { precedence } = bench('a');
  expect([precedence.defers('b', service), precedence.waiting]).toEqual([false, 0]);
});

test('a Service that lost its address after it was put first does not wait', () => {
  const { precedence } = bench('a');
  expect(precedence.defers('a', pending)).toBe(false);
});

test('withBacklogs adds up backlogs and keeps other fields', () => {
  const one = { waiting: 1, processing: 2, delayed: 3 };
  expect(withBacklogs({ ...one, writes: 9 }, [one, { waiting: 10, processing: 0, delayed: 0 }])).toEqual({
    ...{ waiting: 12, processing: 4, delayed: 6 },
    writes: 9,
  });
});

test('stats count failed orphan deletions and a failed list as delayed', async () => {
  const cloud = createCloud();
  cloud.held.set('u1', { service: { metadata: { namespace: 'shop', name: 'gone' } }, nodes: [] });
  let failing = 'delete';
  cloud.intercept = ({ call }) => (call === failing ? Promise.reject(new Error('down')) : undefined);
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], cloud });
  const backlog = (): unknown => world.controller.stats().controllers['service-lb'];
  await world.start();
  expect(backlog()).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  failing = 'list';
  await world.pass(600_000);
  expect(cloud.held.has('u1')).toBe(false);
  expect(backlog()).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  failing = '';
  await world.pass(30_000);
  expect(backlog()).toMatchObject({ waiting: 0, processing: 0, delayed: 0 });
});
