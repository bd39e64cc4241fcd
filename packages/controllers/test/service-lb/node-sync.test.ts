import { CloudError } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createNodeSyncLoop, type NodeSyncLoop } from '../../src/service-lb/node-sync.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createCloud, hangUntilAborted } from './cloud.ts';
import { createFixture, type Fixture, loadBalancerService, makeNode } from './fixture.ts';

const nodes = [makeNode('n1'), makeNode('n2')];
const excludeLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';

const nodeNamesOf = (fixture: Fixture): (readonly string[])[] => [...fixture.cloud.loadBalancers.values()].map((each) => each.nodes);
const setLabels = (fixture: Fixture, name: string, labels: object): Promise<ApiObject> =>
  fixture.client.patch(resources.nodes, { name }, { metadata: { labels } }, { type: 'merge' });

describe('the nodes behind a load balancer', () => {
  test('are updated when a node is added, deleted or excluded, but not when an unrelated label changes', async () => {
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
    await fixture.start();
    fixture.cloud.takeCalls();
    await fixture.client.create(resources.nodes, makeNode('n3'));
    await fixture.pass();
    await fixture.client.delete(resources.nodes, { name: 'n1' });
    await fixture.pass();
    await setLabels(fixture, 'n2', { [excludeLabel]: 'true' });
    await fixture.pass();
    await setLabels(fixture, 'n2', { colour: 'red' });
    await fixture.pass();
    expect(fixture.cloud.takeCalls()).toEqual(['update web n1 n2 n3', 'update web n2 n3', 'update web n3']);
    expect((await fixture.readEvents('web')).slice(2)).toEqual(['UpdatedLoadBalancer: Updated load balancer with new hosts']);
  });

  test('are updated once for changes within a second', async () => {
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
    await fixture.start();
    fixture.cloud.takeCalls();
    for (const name of ['n3', 'n4', 'n5']) {
      await fixture.client.create(resources.nodes, makeNode(name));
      await fixture.pass(200);
    }
    await fixture.pass();
    expect(fixture.cloud.takeCalls()).toEqual(['update web n1 n2 n3 n4 n5']);
  });

  test('cause a Warning if no node is available', async () => {
    await using fixture = await createFixture({ objects: [loadBalancerService('web')] });
    await fixture.start();
    expect(await fixture.readEvents('web')).toContain('UnAvailableLoadBalancer: There are no available nodes for LoadBalancer');
  });

  test('are updated again if they change during an update', async () => {
    const cloud = createCloud();
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, cloudTimeout: 30_000 });
    await fixture.start();
    let isHanging = true;
    cloud.intercept = (request) => (request.call === 'update' && isHanging ? hangUntilAborted(request) : undefined);
    await fixture.client.create(resources.nodes, makeNode('n3'));
    await fixture.pass();
    await fixture.client.create(resources.nodes, makeNode('n4'));
    await fixture.pass();
    expect(fixture.controller.idle).toBe(false);
    isHanging = false;
    await fixture.pass(70_000);
    expect(nodeNamesOf(fixture)).toEqual([['n1', 'n2', 'n3', 'n4']]);
    expect(fixture.controller.idle).toBe(true);
  });
});

describe('a failed update of the nodes', () => {
  test('is retried by a sync with back-off', async () => {
    const cloud = createCloud();
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
    await fixture.start();
    let isFaulty = true;
    cloud.intercept = ({ call }) =>
      isFaulty && (call === 'update' || call === 'ensure') ? Promise.reject(new CloudError('Failed', 'busy')) : undefined;
    await fixture.client.create(resources.nodes, makeNode('n3'));
    await fixture.pass();
    expect(await fixture.readEvents('web')).toContainEqual(expect.stringMatching(/^UpdateLoadBalancerFailed: .*busy$/));
    expect(fixture.readSyncOutcomes('web').at(-1)).toBe('retried 1');
    isFaulty = false;
    await fixture.pass(5000);
    expect(nodeNamesOf(fixture)).toEqual([['n1', 'n2', 'n3']]);
    const endedEvents = fixture.runtimeEvents.filter((each) => each.kind === 'nodes' && each.state === 'ended');
    expect(endedEvents).toMatchObject([{ services: 1, failed: 1, pending: [] }]);
  });

  test('is retried by the next node sync in releases with a node sync period', async () => {
    const cloud = createCloud();
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, version: '1.20' });
    await fixture.start();
    let isFaulty = true;
    cloud.intercept = ({ call }) => (isFaulty && call === 'update' ? Promise.reject(new CloudError('Failed', 'busy')) : undefined);
    await fixture.client.create(resources.nodes, makeNode('n3'));
    await fixture.pass(205_000);
    expect(nodeNamesOf(fixture)).toEqual([['n1', 'n2']]);
    expect(fixture.controller.idle).toBe(false);
    expect(fixture.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
    const endedEvents = fixture.runtimeEvents.filter((each) => each.kind === 'nodes' && each.state === 'ended');
    expect(endedEvents.at(-1)).toMatchObject({ failed: 1, pending: [{ key: 'shop/web', error: { message: 'busy' } }] });
    isFaulty = false;
    await fixture.pass(100_000);
    expect(nodeNamesOf(fixture)).toEqual([['n1', 'n2', 'n3']]);
    expect(fixture.controller.idle).toBe(true);
  });
});

test('a node update of a Service waits for the running sync of that Service', async () => {
  const cloud = createCloud();
  const callOrder: string[] = [];
  let release: (() => void) | undefined;
  cloud.intercept = ({ call, nodes: nodeNames }, work) => {
    callOrder.push([call, ...nodeNames].join(' '));
    if (call !== 'ensure' || release) return undefined;
    return new Promise<void>((resolve) => {
      release = resolve;
    }).then(work);
  };
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
  await fixture.start();
  await fixture.client.create(resources.nodes, makeNode('n3'));
  await fixture.pass();
  expect(callOrder).toEqual(['list', 'ensure n1 n2']);
  release?.();
  await fixture.pass();
  expect(callOrder).toEqual(['list', 'ensure n1 n2', 'update n1 n2 n3']);
});

interface Setup {
  readonly clock: ManualClock;
  readonly loop: NodeSyncLoop;
  /** The calls of the callbacks, with times in milliseconds. */
  readonly log: string[];
  finishSync(): void;
}

function setUp(): Setup {
  const clock = createClock();
  const log: string[] = [];
  let finish = (): void => undefined;
  const loop = createNodeSyncLoop({
    clock,
    onDue: () => void log.push('due'),
    syncNodes(waited) {
      log.push(`begun after ${waited} at ${clock.elapsed()}`);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    onDefect: (error) => void log.push(String(error)),
  });
  return { clock, loop, log, finishSync: () => finish() };
}

test('the loop merges requests into one sync, and requests during a sync into one later sync', async () => {
  const { clock, loop, log, finishSync } = setUp();
  loop.schedule(1000);
  loop.schedule(0);
  expect(loop.backlog).toEqual({ waiting: 1, processing: 0, delayed: 0 });
  await clock.pass(1500);
  loop.schedule(1000);
  expect(loop.backlog).toEqual({ waiting: 1, processing: 1, delayed: 0 });
  await clock.pass(5000);
  expect(log).toEqual(['due', 'begun after 1000 at 1000', 'due']);
  finishSync();
  await flushPromises();
  expect(log.at(-1)).toBe('begun after 5000 at 6500');
  finishSync();
  await flushPromises();
  expect(loop.idle).toBe(true);
});

test('a sync that becomes due during another sync starts after its own delay', async () => {
  const { clock, loop, log, finishSync } = setUp();
  loop.schedule(0);
  await clock.pass(0);
  loop.schedule(1000);
  finishSync();
  await clock.pass(999);
  expect(log).toEqual(['due', 'begun after 0 at 0', 'due']);
  await clock.pass(1);
  expect(log.at(-1)).toBe('begun after 1000 at 1000');
});

test('stop waits for the running sync and starts no other', async () => {
  const { clock, loop, log, finishSync } = setUp();
  loop.schedule(0);
  await clock.pass(0);
  loop.schedule(0);
  let hasStopped = false;
  const stopped = loop.stop().then(() => {
    hasStopped = true;
  });
  await clock.pass(5000);
  expect(hasStopped).toBe(false);
  finishSync();
  await stopped;
  loop.schedule(0);
  await clock.pass(5000);
  expect(log).toEqual(['due', 'begun after 0 at 0', 'due']);
});

test('the loop reports the error of a sync and still runs the next one', async () => {
  const clock = createClock();
  const defects: unknown[] = [];
  const loop = createNodeSyncLoop({
    clock,
    onDue: () => undefined,
    syncNodes: () => Promise.reject(new Error('no')),
    onDefect: (error) => void defects.push(error),
  });
  for (const _ of [1, 2]) {
    loop.schedule(0);
    await clock.pass(0);
  }
  expect(defects).toEqual([new Error('no'), new Error('no')]);
});
