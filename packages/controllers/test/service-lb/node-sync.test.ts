import { CloudError } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type NodeSyncLoop, nodeSyncLoop } from '../../src/service-lb/node-sync.ts';
import { createClock, type ManualClock, settle } from '../queue/clock.ts';
import { createCloud, hangUntilAborted } from './cloud.ts';
import { balanced, createWorld, nodeNamed, type World } from './world.ts';

const nodes = [nodeNamed('n1'), nodeNamed('n2')];
const exclude = 'node.kubernetes.io/exclude-from-external-load-balancers';

const nodesOf = (world: World): (readonly string[])[] => [...world.cloud.held.values()].map((each) => each.nodes);
const label = (world: World, name: string, labels: object): Promise<ApiObject> =>
  world.client.patch(resources.nodes, { name }, { metadata: { labels } }, { type: 'merge' });

describe('the nodes behind a load balancer', () => {
  test('are updated when a node is added, deleted or excluded, but not when an unrelated label changes', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web')] });
    await world.start();
    world.cloud.takeCalls();
    await world.client.create(resources.nodes, nodeNamed('n3'));
    await world.pass();
    await world.client.delete(resources.nodes, { name: 'n1' });
    await world.pass();
    await label(world, 'n2', { [exclude]: 'true' });
    await world.pass();
    await label(world, 'n2', { colour: 'red' });
    await world.pass();
    expect(world.cloud.takeCalls()).toEqual(['update web n1 n2 n3', 'update web n2 n3', 'update web n3']);
    expect((await world.events('web')).slice(2)).toEqual(['UpdatedLoadBalancer: Updated load balancer with new hosts']);
  });

  test('are updated once for changes within a second', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web')] });
    await world.start();
    world.cloud.takeCalls();
    for (const name of ['n3', 'n4', 'n5']) {
      await world.client.create(resources.nodes, nodeNamed(name));
      await world.pass(200);
    }
    await world.pass();
    expect(world.cloud.takeCalls()).toEqual(['update web n1 n2 n3 n4 n5']);
  });

  test('cause a Warning if there are none', async () => {
    await using world = await createWorld({ objects: [balanced('web')] });
    await world.start();
    expect(await world.events('web')).toContain('UnAvailableLoadBalancer: There are no available nodes for LoadBalancer');
  });

  test('are updated again if they change during an update', async () => {
    const cloud = createCloud();
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, cloudTimeout: 30_000 });
    await world.start();
    let stuck = true;
    cloud.intercept = (request) => (request.call === 'update' && stuck ? hangUntilAborted(request) : undefined);
    await world.client.create(resources.nodes, nodeNamed('n3'));
    await world.pass();
    await world.client.create(resources.nodes, nodeNamed('n4'));
    await world.pass();
    expect(world.controller.idle).toBe(false);
    stuck = false;
    await world.pass(70_000);
    expect(nodesOf(world)).toEqual([['n1', 'n2', 'n3', 'n4']]);
    expect(world.controller.idle).toBe(true);
  });
});

describe('an update that fails', () => {
  test('is retried by a sync with back-off', async () => {
    const cloud = createCloud();
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
    await world.start();
    let isFaulty = true;
    cloud.intercept = ({ call }) =>
      isFaulty && (call === 'update' || call === 'ensure') ? Promise.reject(new CloudError('Failed', 'busy')) : undefined;
    await world.client.create(resources.nodes, nodeNamed('n3'));
    await world.pass();
    expect(await world.events('web')).toContainEqual(expect.stringMatching(/^UpdateLoadBalancerFailed: .*busy$/));
    expect(world.outcomes('web').at(-1)).toBe('retried 1');
    isFaulty = false;
    await world.pass(5000);
    expect(nodesOf(world)).toEqual([['n1', 'n2', 'n3']]);
    const ended = world.runtimeEvents.filter((each) => each.kind === 'nodes' && each.state === 'ended');
    expect(ended).toMatchObject([{ services: 1, failed: 1, pending: [] }]);
  });

  test('is retried by the next node sync in releases with a node sync period', async () => {
    const cloud = createCloud();
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, version: '1.20' });
    await world.start();
    let isFaulty = true;
    cloud.intercept = ({ call }) => (isFaulty && call === 'update' ? Promise.reject(new CloudError('Failed', 'busy')) : undefined);
    await world.client.create(resources.nodes, nodeNamed('n3'));
    await world.pass(205_000);
    expect(nodesOf(world)).toEqual([['n1', 'n2']]);
    expect(world.controller.idle).toBe(false);
    expect(world.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
    const ended = world.runtimeEvents.filter((each) => each.kind === 'nodes' && each.state === 'ended');
    expect(ended.at(-1)).toMatchObject({ failed: 1, pending: [{ key: 'shop/web', error: { message: 'busy' } }] });
    isFaulty = false;
    await world.pass(100_000);
    expect(nodesOf(world)).toEqual([['n1', 'n2', 'n3']]);
    expect(world.controller.idle).toBe(true);
  });
});

test('a node update of a Service waits for its sync in progress', async () => {
  const cloud = createCloud();
  const order: string[] = [];
  let go: (() => void) | undefined;
  cloud.intercept = ({ call, nodes: given }, work) => {
    order.push([call, ...given].join(' '));
    if (call !== 'ensure' || go) return undefined;
    return new Promise<void>((resolve) => {
      go = resolve;
    }).then(work);
  };
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
  await world.start();
  await world.client.create(resources.nodes, nodeNamed('n3'));
  await world.pass();
  expect(order).toEqual(['list', 'ensure n1 n2']);
  go?.();
  await world.pass();
  expect(order).toEqual(['list', 'ensure n1 n2', 'update n1 n2 n3']);
});

interface Bench {
  readonly clock: ManualClock;
  readonly rounds: NodeSyncLoop;
  /** The start of each round with its waiting time in ms, and other calls. */
  readonly log: string[];
  end(): void;
}

function bench(): Bench {
  const clock = createClock();
  const log: string[] = [];
  let finish = (): void => undefined;
  const rounds = nodeSyncLoop({
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
  return { clock, rounds, log, end: () => finish() };
}

test('merges requests into one round, and requests during a round into one later round', async () => {
  const { clock, rounds, log, end } = bench();
  rounds.due(1000);
  rounds.due(0);
  expect(rounds.backlog).toEqual({ waiting: 1, processing: 0, delayed: 0 });
  await clock.pass(1500);
  rounds.due(1000);
  expect(rounds.backlog).toEqual({ waiting: 1, processing: 1, delayed: 0 });
  await clock.pass(5000);
  expect(log).toEqual(['due', 'begun after 1000 at 1000', 'due']);
  end();
  await settle();
  expect(log.at(-1)).toBe('begun after 5000 at 6500');
  end();
  await settle();
  expect(rounds.idle).toBe(true);
});

test('a round requested during another one starts after its own delay', async () => {
  const { clock, rounds, log, end } = bench();
  rounds.due(0);
  await clock.pass(0);
  rounds.due(1000);
  end();
  await clock.pass(999);
  expect(log).toEqual(['due', 'begun after 0 at 0', 'due']);
  await clock.pass(1);
  expect(log.at(-1)).toBe('begun after 1000 at 1000');
});

test('stop waits for the round in progress and starts no other', async () => {
  const { clock, rounds, log, end } = bench();
  rounds.due(0);
  await clock.pass(0);
  rounds.due(0);
  let over = false;
  const stopped = rounds.stop().then(() => {
    over = true;
  });
  await clock.pass(5000);
  expect(over).toBe(false);
  end();
  await stopped;
  rounds.due(0);
  await clock.pass(5000);
  expect(log).toEqual(['due', 'begun after 0 at 0', 'due']);
});

test('reports the error of a round and still runs the next one', async () => {
  const clock = createClock();
  const defects: unknown[] = [];
  const rounds = nodeSyncLoop({
    clock,
    onDue: () => undefined,
    syncNodes: () => Promise.reject(new Error('no')),
    onDefect: (error) => void defects.push(error),
  });
  for (const _ of [1, 2]) {
    rounds.due(0);
    await clock.pass(0);
  }
  expect(defects).toEqual([new Error('no'), new Error('no')]);
});
