import { CloudError } from 'kube-endpoints/load-balancer';
import { ApiError, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createTestOwnership } from '../controllers/fixture.ts';
import { type CloudRequest, createCloud, hang, hangUntilAborted, type Interceptor, type TestCloud } from './cloud.ts';
import { createFixture, type Fixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

const nodes = [makeNode('n1')];
const provisionedState = { finalizer: true, ips: ['192.0.2.1'] };

/** A cloud that applies the intercept until `isFaulty` is set to false. */
function createFaultyCloud(intercept: Interceptor, options = {}): TestCloud & { isFaulty: boolean } {
  const cloud = Object.assign(createCloud(options), { isFaulty: true });
  cloud.intercept = (request, work) => (cloud.isFaulty ? intercept(request, work) : undefined);
  return cloud;
}

const interceptOnly =
  (call: CloudRequest['call'], intercept: Interceptor): Interceptor =>
  (request, work) =>
    request.call === call ? intercept(request, work) : undefined;

const readWarnings = async (fixture: Fixture, name = 'web'): Promise<string[]> =>
  [...new Set(await fixture.readEvents(name))].filter((text) => text.startsWith('SyncLoadBalancerFailed'));

describe('if ensure fails, the controller', () => {
  test.each<[string, Interceptor, string]>([
    ['an error', () => Promise.reject(new Error('no quota')), 'no quota'],
    [
      'an error that is thrown synchronously',
      () => {
        throw new CloudError('Invalid', 'spec.ports[0] is taken');
      },
      'spec.ports[0] is taken',
    ],
    ['a string as the error', () => Promise.reject('out of order'), 'out of order'],
    ['undefined as the error', () => Promise.reject(undefined), 'undefined'],
    [
      'an answer that is not a status',
      () => Promise.resolve('fine'),
      'the cloud returned an invalid load balancer status: status must be an object, got "fine"',
    ],
    [
      'a malformed status',
      () => Promise.resolve({ ingress: [{ ip: 'here' }] }),
      'the cloud returned an invalid load balancer status: status.ingress[0].ip must be an IP address, got "here"',
    ],
    ['null as the status', () => Promise.resolve(null), 'service status returned by EnsureLoadBalancer is nil'],
  ])('retries with back-off and records a Warning (%s)', async (_, intercept, message) => {
    const cloud = createFaultyCloud(interceptOnly('ensure', intercept), { list: false });
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
    await fixture.start();
    expect(await readWarnings(fixture)).toEqual([expect.stringContaining(message)]);
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: true, ips: [] });
    await fixture.pass(32_100);
    // Retries after 5, 10 and 20 seconds.
    expect(fixture.readSyncOutcomes('web')).toEqual(['retried 1', 'retried 2', 'retried 3', 'retried 4']);
    cloud.isFaulty = false;
    await fixture.pass(41_000);
    expect(fixture.readSyncOutcomes('web').at(-1)).toBe('success 0');
    expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
    await fixture.pass(300_000);
    expect(fixture.controller.idle).toBe(true);
  });

  test('retries a failing Service at least every five minutes', async () => {
    const cloud = createFaultyCloud(
      interceptOnly('ensure', () => Promise.reject(new Error('no'))),
      { list: false },
    );
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
    await fixture.start();
    await fixture.pass(1000_000);
    const previousCount = fixture.readSyncOutcomes('web').length;
    await fixture.pass(600_000);
    expect(fixture.readSyncOutcomes('web')).toHaveLength(previousCount + 2);
  });

  test('truncates a long error message to the maximum length of an Event', async () => {
    const cloud = createFaultyCloud(
      interceptOnly('ensure', () => Promise.reject(new Error('x'.repeat(5000)))),
      { list: false },
    );
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
    await fixture.start();
    const [text = ''] = await readWarnings(fixture);
    expect(text.length).toBe('SyncLoadBalancerFailed: '.length + 1024);
  });

  test('honours retryAfter of the cloud, but backs off if it is zero or invalid', async () => {
    const retryDelays = [7000, 0, Number.NaN];
    const cloud = createFaultyCloud(
      interceptOnly('ensure', () => Promise.reject(new CloudError('RetryAfter', 'busy', { retryAfter: retryDelays.shift() ?? 0 }))),
      { list: false },
    );
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
    await fixture.start();
    await fixture.pass(3900);
    expect(fixture.readSyncOutcomes('web')).toHaveLength(1);
    await fixture.pass(200);
    expect(fixture.readSyncOutcomes('web')).toHaveLength(2);
    await fixture.pass(1000);
    expect(fixture.readSyncOutcomes('web')).toHaveLength(3);
  });

  test('does not retry, and keeps the finalizer, if the cloud reports that another controller handles the Service', async () => {
    const cloud = createFaultyCloud(interceptOnly('ensure', () => Promise.reject(new CloudError('Elsewhere', 'handled elsewhere'))));
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
    await fixture.start();
    expect(fixture.readSyncOutcomes('web')).toEqual(['success 0']);
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: true, ips: [] });
  });
});

describe('a hanging cloud call', () => {
  test('times out after cloudTimeout; a load balancer it creates later is deleted if its Service is gone', async () => {
    const delayedCalls: (() => unknown)[] = [];
    const cloud = createFaultyCloud(
      interceptOnly('ensure', (request, work) => {
        delayedCalls.push(work);
        return hangUntilAborted(request);
      }),
      { list: false },
    );
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, cloudTimeout: 20_000 });
    await fixture.start();
    await fixture.delete('web');
    await fixture.pass(1000);
    cloud.isFaulty = false;
    await fixture.pass(17_000);
    expect(await readWarnings(fixture)).toEqual([expect.stringContaining('failed to ensure load balancer: no answer within 20 s')]);
    expect(await fixture.get('web')).toBeUndefined();
    expect(fixture.controller.idle).toBe(false);
    for (const work of delayedCalls) work();
    expect(cloud.loadBalancers.size).toBe(1);
    await fixture.pass(20_000);
    expect(cloud.loadBalancers.size).toBe(0);
    expect(fixture.controller.idle).toBe(true);
  });

  test('leaves no load balancer if it completes long after its Service is gone', async () => {
    let finish: (() => void) | undefined;
    const cloud = createFaultyCloud(
      interceptOnly('ensure', (_, work) => new Promise((resolve) => (finish = () => resolve(work())))),
      { list: false },
    );
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, cloudTimeout: 20_000 });
    await fixture.start();
    await fixture.delete('web');
    cloud.isFaulty = false;
    await fixture.pass(3600_000);
    expect(fixture.controller.idle).toBe(true);
    finish?.();
    expect(cloud.loadBalancers.size).toBe(1);
    await fixture.pass(1000);
    expect(cloud.loadBalancers.size).toBe(0);
  });

  test('is corrected without Events if it applies outdated nodes later', async () => {
    let outdatedUpdate: (() => unknown) | undefined;
    const cloud = createFaultyCloud(
      interceptOnly('update', (request, work) => {
        outdatedUpdate ??= work;
        return hangUntilAborted(request);
      }),
      { list: false },
    );
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, cloudTimeout: 20_000 });
    await fixture.start();
    await fixture.pass(30_000);
    await fixture.client.create(resources.nodes, makeNode('n2'));
    await fixture.pass(25_000);
    cloud.isFaulty = false;
    await fixture.client.create(resources.nodes, makeNode('n3'));
    await fixture.pass(3000);
    expect([...cloud.loadBalancers.values()][0]?.nodes).toEqual(['n1', 'n2', 'n3']);
    const events = await fixture.readEvents('web');
    outdatedUpdate?.();
    expect([...cloud.loadBalancers.values()][0]?.nodes).toEqual(['n1', 'n2']);
    await fixture.pass(20_000);
    expect([...cloud.loadBalancers.values()][0]?.nodes).toEqual(['n1', 'n2', 'n3']);
    expect(await fixture.readEvents('web')).toEqual(events);
  });

  test('does not block other Services, and delays the shutdown by about ten seconds at most', async () => {
    const cloud = createFaultyCloud(
      interceptOnly('ensure', ({ name }) => (name === 'stuck' ? hang() : undefined)),
      { list: false },
    );
    await using fixture = await createFixture({
      objects: [...nodes, loadBalancerService('stuck'), loadBalancerService('web')],
      cloud,
      workers: 2,
    });
    await fixture.start();
    expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
    fixture.abort();
    await fixture.pass(9000);
    expect(fixture.isRunning).toBe(true);
    await fixture.pass(2000);
    expect(fixture.isRunning).toBe(false);
  });

  test('to list is retried, and no load balancer is treated as an orphan meanwhile', async () => {
    const cloud = createFaultyCloud(interceptOnly('list', hang));
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, cloudTimeout: 10_000 });
    await fixture.start();
    await fixture.pass(10_000);
    expect(fixture.controller.idle).toBe(false);
    cloud.isFaulty = false;
    await fixture.pass(60_000);
    expect(fixture.controller.idle).toBe(true);
    expect(cloud.loadBalancers.size).toBe(1);
  });
});

describe('the controller', () => {
  test('ignores a second resolution of a cloud call', async () => {
    const cloud = createCloud();
    const resolveTwice: Interceptor = (_, work) => {
      const answer = work();
      const thenable = {
        // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable
        then(resolve: (answer: unknown) => void, reject: (error: unknown) => void) {
          resolve(answer);
          resolve({ ingress: [{ ip: 'other' }] });
          reject(new Error('after all'));
        },
      };
      return thenable as unknown as Promise<unknown>;
    };
    cloud.intercept = interceptOnly('ensure', resolveTwice);
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
    await fixture.start();
    expect(fixture.readSyncOutcomes('web')).toEqual(['success 0']);
    expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
  });

  test('recreates a load balancer that the cloud lost at the next orphan sweep', async () => {
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
    await fixture.start();
    fixture.cloud.loadBalancers.clear();
    await fixture.pass(601_000);
    expect(fixture.cloud.loadBalancers.size).toBe(1);
  });

  test('recreates a lost load balancer when nodes change if the cloud cannot list', async () => {
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud: createCloud({ list: false }) });
    await fixture.start();
    fixture.cloud.loadBalancers.clear();
    await fixture.client.create(resources.nodes, makeNode('n2'));
    await fixture.pass();
    expect([...fixture.cloud.loadBalancers.values()][0]?.nodes).toEqual(['n1', 'n2']);
  });

  test('converges if half of the cloud calls fail', async () => {
    let seed = 1;
    const drawOutcome = (): number => {
      seed = (seed * 16807) % 2147483647;
      return seed % 4;
    };
    const cloud = createFaultyCloud((_, work) => {
      const outcome = drawOutcome();
      if (outcome === 0) return Promise.reject(new Error('not now'));
      // The call takes effect, then fails.
      return outcome === 1 ? Promise.resolve(work()).then(() => Promise.reject(new Error('connection reset'))) : undefined;
    });
    const serviceNames = Array.from({ length: 20 }, (_, i) => `web-${i}`);
    await using fixture = await createFixture({ objects: [...nodes, ...serviceNames.map((name) => loadBalancerService(name))], cloud });
    await fixture.start();
    await fixture.pass(60_000);
    for (const name of serviceNames.slice(0, 10)) await fixture.delete(name);
    await fixture.pass(3600_000);
    const { items } = await fixture.client.list(resources.services, { namespace: 'shop' });
    expect(items.map(stateOf)).toEqual(items.map(() => provisionedState));
    expect([...cloud.loadBalancers.keys()].sort()).toEqual(items.map(({ metadata }) => metadata.uid).sort());
    expect(items).toHaveLength(10);
  });
});

describe('with API server faults, the controller', () => {
  test('retries a failed status patch and keeps the finalizer', async () => {
    let refusalsLeft = 2;
    await using fixture = await createFixture({
      objects: [...nodes, loadBalancerService('web')],
      wrapPort: (port) => ({
        ...port,
        patch(resource, key, patch, options) {
          const isStatus = resource.plural === 'services' && 'status' in (patch as object);
          if (!isStatus || refusalsLeft-- <= 0) return port.patch(resource, key, patch, options);
          const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 500, message: 'etcd is down' } as const;
          return Promise.reject(new ApiError(status));
        },
      }),
    });
    await fixture.start();
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: true, ips: [] });
    expect(await readWarnings(fixture)).toEqual([
      'SyncLoadBalancerFailed: Error syncing load balancer: failed to update load balancer status: etcd is down',
    ]);
    await fixture.pass(16_000);
    expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
  });

  test('keeps other finalizers that its cache does not show yet', async () => {
    let addForeignFinalizer: (() => Promise<unknown>) | undefined;
    await using fixture = await createFixture({
      objects: [...nodes, loadBalancerService('web')],
      wrapPort: (port) => ({
        ...port,
        async patch(resource, key, patch, options) {
          const add = resource.plural === 'services' ? addForeignFinalizer : undefined;
          addForeignFinalizer = undefined;
          await add?.();
          return port.patch(resource, key, patch, options);
        },
      }),
    });
    await fixture.start();
    const finalizers = ['service.kubernetes.io/load-balancer-cleanup', 'example.com/hold'];
    addForeignFinalizer = () => fixture.change('web', { metadata: { finalizers } });
    await fixture.change('web', { spec: { type: 'ClusterIP' } });
    await fixture.pass(20_000);
    expect((await fixture.get('web'))?.metadata.finalizers).toEqual(['example.com/hold']);
  });
});

test('aborts a cloud call, without an Event, when the replica loses ownership of the Service', async () => {
  const ownership = createTestOwnership({ owned: true });
  const cloud = createFaultyCloud(interceptOnly('ensure', hangUntilAborted), { list: false });
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, ownership });
  await fixture.start();
  ownership.lose();
  await fixture.pass(600_000);
  expect(await fixture.readEvents('web')).toEqual(['EnsuringLoadBalancer: Ensuring load balancer']);
  expect(fixture.runtimeEvents).toContainEqual(expect.objectContaining({ kind: 'cloud', call: 'ensure', outcome: 'released' }));
  expect(fixture.readSyncOutcomes('web')).toEqual(['requeued 1']);
  cloud.isFaulty = false;
  ownership.gain();
  await fixture.pass();
  expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
});
