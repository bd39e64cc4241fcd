import { CloudError } from 'kube-endpoints/load-balancer';
import { ApiError, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createLead } from '../controllers/world.ts';
import { type CloudRequest, createCloud, hang, hangUntilAborted, type Interceptor, type TestCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf, type World } from './world.ts';

const nodes = [nodeNamed('n1')];
const provisioned = { finalizer: true, ips: ['192.0.2.1'] };

/** A cloud that applies the intercept until `isFaulty` is set to false. */
function createFaultyCloud(intercept: Interceptor, options = {}): TestCloud & { isFaulty: boolean } {
  const cloud = Object.assign(createCloud(options), { isFaulty: true });
  cloud.intercept = (request, work) => (cloud.isFaulty ? intercept(request, work) : undefined);
  return cloud;
}

const only =
  (call: CloudRequest['call'], intercept: Interceptor): Interceptor =>
  (request, work) =>
    request.call === call ? intercept(request, work) : undefined;

const warnings = async (world: World, name = 'web'): Promise<string[]> =>
  [...new Set(await world.events(name))].filter((text) => text.startsWith('SyncLoadBalancerFailed'));

describe('if ensure fails, the controller retries with back-off and records a Warning:', () => {
  test.each<[string, Interceptor, string]>([
    ['by an error', () => Promise.reject(new Error('no quota')), 'no quota'],
    [
      'thrown at once',
      () => {
        throw new CloudError('Invalid', 'spec.ports[0] is taken');
      },
      'spec.ports[0] is taken',
    ],
    ['by a text', () => Promise.reject('out of order'), 'out of order'],
    ['by nothing at all', () => Promise.reject(undefined), 'undefined'],
    [
      'by an answer of another kind',
      () => Promise.resolve('fine'),
      'the cloud returned an invalid load balancer status: status must be an object, got "fine"',
    ],
    [
      'by a malformed status',
      () => Promise.resolve({ ingress: [{ ip: 'here' }] }),
      'the cloud returned an invalid load balancer status: status.ingress[0].ip must be an IP address, got "here"',
    ],
    ['by no status', () => Promise.resolve(null), 'service status returned by EnsureLoadBalancer is nil'],
  ])('%s', async (_, intercept, message) => {
    const cloud = createFaultyCloud(only('ensure', intercept), { list: false });
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
    await world.start();
    expect(await warnings(world)).toEqual([expect.stringContaining(message)]);
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: true, ips: [] });
    await world.pass(32_100);
    // After 5, 10 and 20 seconds.
    expect(world.outcomes('web')).toEqual(['retried 1', 'retried 2', 'retried 3', 'retried 4']);
    cloud.isFaulty = false;
    await world.pass(41_000);
    expect(world.outcomes('web').at(-1)).toBe('success 0');
    expect(stateOf(await world.get('web'))).toEqual(provisioned);
    await world.pass(300_000);
    expect(world.controller.idle).toBe(true);
  });

  test('retries a failing Service at least every five minutes', async () => {
    const cloud = createFaultyCloud(
      only('ensure', () => Promise.reject(new Error('no'))),
      { list: false },
    );
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
    await world.start();
    await world.pass(1000_000);
    const before = world.outcomes('web').length;
    await world.pass(600_000);
    expect(world.outcomes('web')).toHaveLength(before + 2);
  });

  test('truncates a long error message to the maximum length of an Event', async () => {
    const cloud = createFaultyCloud(
      only('ensure', () => Promise.reject(new Error('x'.repeat(5000)))),
      { list: false },
    );
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
    await world.start();
    const [text = ''] = await warnings(world);
    expect(text.length).toBe('SyncLoadBalancerFailed: '.length + 1024);
  });

  test('honours retryAfter of the cloud, but backs off if it is zero or invalid', async () => {
    const after = [7000, 0, Number.NaN];
    const cloud = createFaultyCloud(
      only('ensure', () => Promise.reject(new CloudError('RetryAfter', 'busy', { retryAfter: after.shift() ?? 0 }))),
      { list: false },
    );
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
    await world.start();
    await world.pass(3900);
    expect(world.outcomes('web')).toHaveLength(1);
    await world.pass(200);
    expect(world.outcomes('web')).toHaveLength(2);
    await world.pass(1000);
    expect(world.outcomes('web')).toHaveLength(3);
  });

  test('leaves a Service alone, with its finalizer, if the cloud reports that another controller handles it', async () => {
    const cloud = createFaultyCloud(only('ensure', () => Promise.reject(new CloudError('Elsewhere', 'not mine'))));
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
    await world.start();
    expect(world.outcomes('web')).toEqual(['success 0']);
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: true, ips: [] });
  });
});

describe('a cloud call that hangs', () => {
  test('times out after cloudTimeout; a load balancer it creates later is deleted if its Service is gone', async () => {
    const late: (() => unknown)[] = [];
    const cloud = createFaultyCloud(
      only('ensure', (request, work) => {
        late.push(work);
        return hangUntilAborted(request);
      }),
      { list: false },
    );
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, cloudTimeout: 20_000 });
    await world.start();
    await world.delete('web');
    await world.pass(1000);
    cloud.isFaulty = false;
    await world.pass(17_000);
    expect(await warnings(world)).toEqual([expect.stringContaining('failed to ensure load balancer: no answer within 20 s')]);
    expect(await world.get('web')).toBeUndefined();
    expect(world.controller.idle).toBe(false);
    for (const work of late) work();
    expect(cloud.held.size).toBe(1);
    await world.pass(20_000);
    expect(cloud.held.size).toBe(0);
    expect(world.controller.idle).toBe(true);
  });

  test('is cleaned up when it completes long after its Service is gone', async () => {
    let finish: (() => void) | undefined;
    const cloud = createFaultyCloud(
      only('ensure', (_, work) => new Promise((resolve) => (finish = () => resolve(work())))),
      { list: false },
    );
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, cloudTimeout: 20_000 });
    await world.start();
    await world.delete('web');
    cloud.isFaulty = false;
    await world.pass(3600_000);
    expect(world.controller.idle).toBe(true);
    finish?.();
    expect(cloud.held.size).toBe(1);
    await world.pass(1000);
    expect(cloud.held.size).toBe(0);
  });

  test('and later applies outdated nodes is corrected without Events', async () => {
    let old: (() => unknown) | undefined;
    const cloud = createFaultyCloud(
      only('update', (request, work) => {
        old ??= work;
        return hangUntilAborted(request);
      }),
      { list: false },
    );
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, cloudTimeout: 20_000 });
    await world.start();
    await world.pass(30_000);
    await world.client.create(resources.nodes, nodeNamed('n2'));
    await world.pass(25_000);
    cloud.isFaulty = false;
    await world.client.create(resources.nodes, nodeNamed('n3'));
    await world.pass(3000);
    expect([...cloud.held.values()][0]?.nodes).toEqual(['n1', 'n2', 'n3']);
    const events = await world.events('web');
    old?.();
    expect([...cloud.held.values()][0]?.nodes).toEqual(['n1', 'n2']);
    await world.pass(20_000);
    expect([...cloud.held.values()][0]?.nodes).toEqual(['n1', 'n2', 'n3']);
    expect(await world.events('web')).toEqual(events);
  });

  test('does not block other Services, and delays shutdown by at most about ten seconds', async () => {
    const cloud = createFaultyCloud(
      only('ensure', ({ name }) => (name === 'stuck' ? hang() : undefined)),
      { list: false },
    );
    await using world = await createWorld({ objects: [...nodes, balanced('stuck'), balanced('web')], cloud });
    await world.start();
    expect(stateOf(await world.get('web'))).toEqual(provisioned);
    world.end();
    await world.pass(9000);
    expect(world.running).toBe(true);
    await world.pass(2000);
    expect(world.running).toBe(false);
  });

  test('during list is retried, and no load balancer is treated as an orphan meanwhile', async () => {
    const cloud = createFaultyCloud(only('list', hang));
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, cloudTimeout: 10_000 });
    await world.start();
    await world.pass(10_000);
    expect(world.controller.idle).toBe(false);
    cloud.isFaulty = false;
    await world.pass(60_000);
    expect(world.controller.idle).toBe(true);
    expect(cloud.held.size).toBe(1);
  });
});

describe('the controller', () => {
  test('ignores a second resolution of a cloud call', async () => {
    const cloud = createCloud();
    const twice: Interceptor = (_, work) => {
      const answer = work();
      const thenable = {
        // biome-ignore lint/suspicious/noThenProperty: this is what is tested
        then(resolve: (answer: unknown) => void, reject: (error: unknown) => void) {
          resolve(answer);
          resolve({ ingress: [{ ip: 'other' }] });
          reject(new Error('after all'));
        },
      };
      return thenable as unknown as Promise<unknown>;
    };
    cloud.intercept = only('ensure', twice);
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
    await world.start();
    expect(world.outcomes('web')).toEqual(['success 0']);
    expect(stateOf(await world.get('web'))).toEqual(provisioned);
  });

  test('recreates a load balancer that the cloud lost at the next orphan sweep', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web')] });
    await world.start();
    world.cloud.held.clear();
    await world.pass(601_000);
    expect(world.cloud.held.size).toBe(1);
  });

  test('recreates a lost load balancer when nodes change if the cloud cannot list', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud: createCloud({ list: false }) });
    await world.start();
    world.cloud.held.clear();
    await world.client.create(resources.nodes, nodeNamed('n2'));
    await world.pass();
    expect([...world.cloud.held.values()][0]?.nodes).toEqual(['n1', 'n2']);
  });

  test('converges if half of the cloud calls fail', async () => {
    let seed = 1;
    const draw = (): number => {
      seed = (seed * 16807) % 2147483647;
      return seed % 4;
    };
    const cloud = createFaultyCloud((_, work) => {
      const drawn = draw();
      if (drawn === 0) return Promise.reject(new Error('not now'));
      // The call takes effect, then fails.
      return drawn === 1 ? Promise.resolve(work()).then(() => Promise.reject(new Error('connection reset'))) : undefined;
    });
    const names = Array.from({ length: 20 }, (_, i) => `web-${i}`);
    await using world = await createWorld({ objects: [...nodes, ...names.map((name) => balanced(name))], cloud });
    await world.start();
    await world.pass(60_000);
    for (const name of names.slice(0, 10)) await world.delete(name);
    await world.pass(3600_000);
    const { items } = await world.client.list(resources.services, { namespace: 'shop' });
    expect(items.map(stateOf)).toEqual(items.map(() => provisioned));
    expect([...cloud.held.keys()].sort()).toEqual(items.map(({ metadata }) => metadata.uid).sort());
    expect(items).toHaveLength(10);
  });
});

describe('with API server faults, the controller', () => {
  test('retries a failed status patch and keeps the finalizer', async () => {
    let refusals = 2;
    await using world = await createWorld({
      objects: [...nodes, balanced('web')],
      through: (port) => ({
        ...port,
        patch(resource, key, patch, options) {
          const isStatus = resource.plural === 'services' && 'status' in (patch as object);
          if (!isStatus || refusals-- <= 0) return port.patch(resource, key, patch, options);
          const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 500, message: 'etcd is away' } as const;
          return Promise.reject(new ApiError(status));
        },
      }),
    });
    await world.start();
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: true, ips: [] });
    expect(await warnings(world)).toEqual([
      'SyncLoadBalancerFailed: Error syncing load balancer: failed to update load balancer status: etcd is away',
    ]);
    await world.pass(16_000);
    expect(stateOf(await world.get('web'))).toEqual(provisioned);
  });

  test('keeps other finalizers that its cache does not show yet', async () => {
    let foreign: (() => Promise<unknown>) | undefined;
    await using world = await createWorld({
      objects: [...nodes, balanced('web')],
      through: (port) => ({
        ...port,
        async patch(resource, key, patch, options) {
          const add = resource.plural === 'services' ? foreign : undefined;
          foreign = undefined;
          await add?.();
          return port.patch(resource, key, patch, options);
        },
      }),
    });
    await world.start();
    const finalizers = ['service.kubernetes.io/load-balancer-cleanup', 'example.com/hold'];
    foreign = () => world.change('web', { metadata: { finalizers } });
    await world.change('web', { spec: { type: 'ClusterIP' } });
    await world.pass(20_000);
    expect((await world.get('web'))?.metadata.finalizers).toEqual(['example.com/hold']);
  });
});

test('aborts a cloud call, without an Event, when the replica loses ownership of the Service', async () => {
  const ownership = createLead(true);
  const cloud = createFaultyCloud(only('ensure', hangUntilAborted), { list: false });
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, ownership });
  await world.start();
  ownership.lead(false);
  await world.pass(600_000);
  expect(await world.events('web')).toEqual(['EnsuringLoadBalancer: Ensuring load balancer']);
  expect(world.runtimeEvents).toContainEqual(expect.objectContaining({ kind: 'cloud', call: 'ensure', outcome: 'released' }));
  expect(world.outcomes('web')).toEqual(['requeued 1']);
  cloud.isFaulty = false;
  ownership.lead(true);
  await world.pass();
  expect(stateOf(await world.get('web'))).toEqual(provisioned);
});
