import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { describe, expect, test } from 'vitest';
import { informerEvent, queuedEvent, syncedEvent, takenEvent } from '../../../controllers/test/operations/runtime-events.ts';
import { createProgress, hasOnlyDroppedWork } from '../../src/live/progress.ts';

describe('the progress line', () => {
  test('counts caches, queued keys, syncs and writes', () => {
    const progress = createProgress();
    progress.observer(informerEvent({ resource: 'pods', state: 'watching' }));
    progress.observer(informerEvent({ resource: 'nodes', state: 'listing' }));
    progress.observer(queuedEvent({ length: 3 }));
    progress.observer(takenEvent({ length: 2 }));
    progress.observer(queuedEvent({ queue: 'endpointslices', length: 5 }));
    progress.observer(syncedEvent({ writes: 1 }));
    expect(progress.text()).toBe('caches 1 of 2, 7 queued, 1 sync, 1 write');
    progress.observer(syncedEvent({ outcome: 'retried', failures: 1 }));
    expect(progress.text()).toBe('caches 1 of 2, 7 queued, 2 syncs, 1 write, 1 failure');
  });

  test.each([
    ['leads', { kind: 'leadership', identity: 'a', leads: true, leader: 'a' } as const],
    ['follows b', { kind: 'leadership', identity: 'a', leads: false, leader: 'b' } as const],
    ['no leader yet', { kind: 'leadership', identity: 'a', leads: false, leader: undefined } as const],
    ['one of 3', { kind: 'shards', identity: 'a', members: ['a', 'b', 'c'] } as const],
  ])('shows the role of the replica: %s', (text, event) => {
    const progress = createProgress();
    progress.observer(event);
    expect(progress.text()).toBe(`caches 0 of 0, 0 queued, 0 syncs, 0 writes, ${text}`);
  });
});

test('progress reports a dropped sync until it succeeds', () => {
  const progress = createProgress();
  progress.observer(syncedEvent({ outcome: 'dropped', error: new Error('why') }));
  progress.observer(syncedEvent({ controller: 'endpointslices', outcome: 'dropped' }));
  expect(progress.failureMessages).toEqual(['endpoints of shop/web: why', 'endpointslices of shop/web: given up']);
  progress.observer(syncedEvent());
  expect(progress.failureMessages).toEqual(['endpointslices of shop/web: given up']);
});

test('progress reports endlessly retried syncs and controllers that cannot run', () => {
  const progress = createProgress();
  progress.observer(syncedEvent({ controller: 'service-lb', outcome: 'retried', error: new Error('the cloud is full') }));
  progress.observer({ kind: 'missing', controller: 'service-lb', error: new Error('no load balancers') });
  expect(progress.failureMessages).toEqual(['service-lb of shop/web: the cloud is full', 'service-lb: no load balancers']);
  expect(progress.text()).toContain(', 1 failure');
  progress.observer(syncedEvent({ controller: 'service-lb' }));
  expect(progress.failureMessages).toEqual(['service-lb: no load balancers']);
});

const cloudCall = (event: Partial<Extract<RuntimeEvent, { kind: 'cloud' }>>): RuntimeEvent => ({
  ...{ kind: 'cloud', call: 'list', key: '', outcome: 'failed', milliseconds: 1 },
  ...event,
});

test('progress reports failed cloud calls outside of syncs until they succeed', () => {
  const progress = createProgress();
  const error = new Error('https://me:s3cret@lb is away');
  progress.observer(cloudCall({ error }));
  progress.observer(cloudCall({ call: 'get', key: 'shop/web', outcome: 'late', error: { code: 7, message: 'slow' } }));
  progress.observer(cloudCall({ call: 'ensure', key: 'shop/db', error }));
  progress.observer(cloudCall({ call: 'get', key: 'shop/db', outcome: 'released', error }));
  progress.observer({ kind: 'orphan', key: 'shop/gone', uid: 'u1', outcome: 'retried', error });
  progress.observer({ kind: 'orphan', key: 'shop/gone', uid: 'u2', outcome: 'found' });
  expect(progress.failureMessages).toEqual([
    'service-lb: load balancers without a Service could not be listed: https://…@lb is away',
    'service-lb of shop/web: slow',
    'service-lb: the load balancer of shop/gone, which has no Service, could not be deleted: https://…@lb is away',
  ]);
  expect(progress.text()).toContain(', 2 failures');
  progress.observer(cloudCall({ outcome: 'answered' }));
  progress.observer(cloudCall({ call: 'get', key: 'shop/web', outcome: 'answered' }));
  progress.observer({ kind: 'orphan', key: 'shop/gone', uid: 'u1', outcome: 'deleted' });
  expect(progress.failureMessages).toEqual([]);
});

test('progress reports Services whose nodes are outdated until a node sync succeeds', () => {
  const progress = createProgress();
  const nodeSync = (...pending: readonly string[]): RuntimeEvent => ({
    ...{ kind: 'nodes', state: 'ended', milliseconds: 1, services: 2, failed: pending.length },
    pending: pending.map((key) => ({ key, error: new Error('https://me:s3cret@lb is busy') })),
  });
  progress.observer(nodeSync('shop/web', 'shop/db'));
  progress.observer(syncedEvent({ controller: 'service-lb' }));
  const text = 'the nodes of its load balancer could not be brought up to date: https://…@lb is busy';
  expect(progress.failureMessages).toEqual([`service-lb of shop/web: ${text}`, `service-lb of shop/db: ${text}`]);
  expect(progress.text()).toContain(', 2 failures');
  progress.observer({ kind: 'nodes', state: 'begun', milliseconds: 1, services: 0, failed: 0 });
  progress.observer(nodeSync('shop/db'));
  expect(progress.failureMessages).toEqual([`service-lb of shop/db: ${text}`]);
  progress.observer(nodeSync());
  expect(progress.failureMessages).toEqual([]);
});

test.each<[boolean, string[], [number, number, number], [number, number, number]]>([
  [false, [], [0, 0, 0], [0, 0, 0]],
  [true, ['endpoints of shop/web: why'], [0, 0, 1], [0, 0, 0]],
  [false, ['endpoints of shop/web: why'], [0, 1, 0], [0, 0, 0]],
  [false, ['endpoints of shop/web: why'], [1, 0, 0], [0, 0, 0]],
  [false, ['endpoints of shop/web: why'], [0, 0, 2], [0, 0, 0]],
  [false, ['endpoints of shop/web: why'], [0, 0, 1], [0, 1, 0]],
  [true, ['service-lb of shop/web: why'], [0, 0, 0], [0, 0, 1]],
  [true, ['service-lb of shop/web: why', 'service-lb: a', 'service-lb: b'], [0, 0, 0], [1, 1, 1]],
  [false, ['service-lb of shop/web: why'], [0, 0, 0], [0, 1, 1]],
  [false, ['service-lb of shop/web: why'], [0, 0, 1], [0, 0, 0]],
])(
  'hasOnlyDroppedWork is %s for %j with [waiting, processing, delayed] keys: endpoints %j, service-lb %j',
  (expected, dropped, endpointsQueue, serviceLbQueue) => {
    const stats = ([waiting, processing, delayed]: typeof endpointsQueue) => ({
      ...{ waiting, processing, delayed, writes: 0 },
      syncs: { success: 0, requeued: 0, retried: 0, dropped: 0 },
    });
    expect(hasOnlyDroppedWork(dropped, { endpoints: stats(endpointsQueue), 'service-lb': stats(serviceLbQueue) })).toBe(expected);
  },
);

test('progress does not count requests as activity', () => {
  const progress = createProgress();
  progress.observer({ kind: 'request', verb: 'watch', resource: 'pods', code: 200, milliseconds: 1 });
  expect(progress.eventCount).toBe(0);
  progress.observer(queuedEvent());
  expect(progress.eventCount).toBe(1);
});
