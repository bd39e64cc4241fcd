import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import type { CloudPort } from 'kube-endpoints/load-balancer';
import { type ClientPort, resources } from 'kube-endpoints/port';
import { afterEach, describe, expect, test } from 'vitest';
import { createHost, type Host, type HostOptions } from '../../src/host/host.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { podFor } from '../controllers/objects.ts';
import { createClock, type ManualClock } from '../queue/clock.ts';
import { createCloud, hangUntilAborted, type TestCloud } from '../service-lb/cloud.ts';
import { loadBalancerService, makeNode, stateOf } from '../service-lb/fixture.ts';

interface RunningHost {
  readonly host: Host;
  readonly reported: readonly RuntimeEvent[];
  stop(): Promise<void>;
}

interface Cluster {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  readonly cloud: TestCloud;
  start(options?: Partial<HostOptions>): RunningHost;
  readServiceState(): Promise<unknown>;
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

async function createCluster(): Promise<Cluster> {
  const clock = createClock();
  const cloud = createCloud();
  const objects = [makeNode('n1'), loadBalancerService('web'), podFor('web-1')];
  const server = await createApiServer({ clock, background: false, endsPods: false, objects });
  cleanups.push(() => server.close());
  return {
    server,
    clock,
    cloud,
    start(options = {}) {
      const reported: RuntimeEvent[] = [];
      const onEvent = (event: RuntimeEvent): void => void reported.push(event);
      const commonOptions = { port: server.client, clock, random: () => 0.5, onEvent, serviceLoadBalancer: { cloud } };
      const host = createHost({ ...commonOptions, ...options });
      const abortController = new AbortController();
      const running = host.run(abortController.signal);
      const stop = (): Promise<void> => {
        abortController.abort();
        return running;
      };
      cleanups.push(async () => {
        abortController.abort();
        await clock.pass(60_000);
        await running;
      });
      return { host, reported, stop };
    },
    readServiceState: async () => stateOf(await server.client.get(resources.services, { namespace: 'shop', name: 'web' })),
  };
}

const provisionedState = { finalizer: true, ips: ['192.0.2.1'] };
const countEndpoints = async ({ server }: Cluster): Promise<number> =>
  (await server.client.list(resources.endpoints, { namespace: 'shop' })).items.length;

describe('the service load-balancer controller of a host', () => {
  test('runs together with the other controllers if a cloud is configured, and is part of the statistics', async () => {
    const cluster = await createCluster();
    const { host } = cluster.start();
    expect(host.ready).toBe(false);
    await cluster.clock.pass(3000);
    expect(await cluster.readServiceState()).toEqual(provisionedState);
    expect(await countEndpoints(cluster)).toBe(1);
    expect([host.ready, host.idle]).toEqual([true, true]);
    const { objects, controllers, pairs } = host.stats();
    expect(Object.keys(controllers).sort()).toEqual(['endpoints', 'endpointslicemirroring', 'endpointslices', 'service-lb']);
    expect(objects).toMatchObject({ pods: 1, 'service-lb/nodes': 1 });
    expect(pairs).toBe(1);
  });

  test('runs alone if it is the only controller requested', async () => {
    const cluster = await createCluster();
    const { host } = cluster.start({ controllers: ['service-lb'] });
    await cluster.clock.pass(3000);
    expect(await cluster.readServiceState()).toEqual(provisionedState);
    expect(await countEndpoints(cluster)).toBe(0);
    expect(host.stats()).toMatchObject({ pairs: 0, controllers: { 'service-lb': { syncs: { success: 1 } } } });
  });

  test('does not run if only other controllers are requested', async () => {
    const cluster = await createCluster();
    cluster.start({ controllers: ['endpoints'] });
    await cluster.clock.pass(3000);
    expect(await countEndpoints(cluster)).toBe(1);
    expect(cluster.cloud.takeCalls()).toEqual([]);
  });
});

describe('if the service load-balancer controller cannot run', () => {
  const cloudWithoutBalancers: CloudPort = { name: 'bare', balancers: undefined };
  test.each<[string, Partial<HostOptions>]>([
    ['cloud is missing', { serviceLoadBalancer: { cloud: undefined } }],
    ['cloud is missing', { controllers: ['endpoints', 'service-lb'], serviceLoadBalancer: { cloud: undefined } }],
    ['cloud is "bare", which has no load balancers', { serviceLoadBalancer: { cloud: cloudWithoutBalancers } }],
  ])('%s: the host reports it and runs the other controllers', async (message, options) => {
    const cluster = await createCluster();
    const { reported } = cluster.start(options);
    await cluster.clock.pass(3000);
    const missingControllers = reported.flatMap((each) => (each.kind === 'missing' ? [`${each.controller} ${String(each.error)}`] : []));
    expect(missingControllers).toEqual([expect.stringContaining(`service-lb RangeError: ${message}`)]);
    expect(await countEndpoints(cluster)).toBe(1);
  });

  test('createHost throws if no other controller is requested', () => {
    const port = { list: () => undefined, watch: () => undefined } as unknown as ClientPort;
    expect(() => createHost({ port, controllers: ['service-lb'] })).toThrow('cloud is missing');
    expect(() => createHost({ port, controllers: ['service-lb'], serviceLoadBalancer: { cloud: cloudWithoutBalancers } })).toThrow(
      'no load balancers',
    );
  });
});

describe('with leader election', () => {
  const replicaOptions = (identity: string): Partial<HostOptions> => ({ identity, leaderElection: {}, controllers: ['service-lb'] });

  test('only the leader calls the cloud, and the next leader takes over its load balancers', async () => {
    const cluster = await createCluster();
    const first = cluster.start(replicaOptions('a'));
    await cluster.clock.pass(1000);
    const second = cluster.start(replicaOptions('b'));
    await cluster.clock.pass(20_000);
    expect(cluster.cloud.takeCalls().filter((request) => request !== 'list ')).toEqual(['ensure web n1']);
    expect(second.host.ready).toBe(true);
    await first.stop();
    await cluster.clock.pass(10_000);
    expect(cluster.cloud.takeCalls()).toContain('ensure web n1');
    expect(cluster.cloud.loadBalancers.size).toBe(1);
  });

  test('a hanging cloud call does not prevent a takeover', async () => {
    const cluster = await createCluster();
    const first = cluster.start(replicaOptions('a'));
    cluster.cloud.intercept = (request) => (request.call === 'ensure' ? hangUntilAborted(request) : undefined);
    await cluster.clock.pass(1000);
    cluster.start(replicaOptions('b'));
    const ended = first.stop();
    await cluster.clock.pass(9000);
    cluster.cloud.intercept = () => undefined;
    await cluster.clock.pass(10_000);
    await ended;
    expect(await cluster.readServiceState()).toEqual(provisionedState);
  });
});

test('an error in one component stops the others', async () => {
  const cluster = await createCluster();
  const onEvent = (event: RuntimeEvent): void => {
    if (event.kind === 'cloud') throw new Error('disk full');
  };
  const host = createHost({
    port: cluster.server.client,
    clock: cluster.clock,
    random: () => 0.5,
    onEvent,
    serviceLoadBalancer: { cloud: cluster.cloud },
  });
  const ended = host.run(new AbortController().signal).catch((error: unknown) => String(error));
  await cluster.clock.pass(30_000);
  expect(await ended).toBe('Error: disk full');
});
