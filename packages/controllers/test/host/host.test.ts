import { type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createHost, type HostOptions } from '../../src/host/host.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { serviceFor } from '../controllers/objects.ts';
import { countWrites, createCluster, createGate, gatedReplicaOptions, replicaOptions } from './cluster.ts';

describe('a host without leader election', () => {
  test('is ready after the first sync, and stops on abort without a Lease', async () => {
    const cluster = await createCluster(['web']);
    const running = cluster.start();
    expect(running.host.ready).toBe(false);
    await cluster.clock.pass(1000);
    expect({ ready: running.host.ready, idle: running.host.idle, writes: countWrites(running) }).toEqual({
      ready: true,
      idle: true,
      writes: 2,
    });
    expect(running.host.stats().objects).toMatchObject({ pods: 1, endpoints: 1 });
    await running.stop();
    await expect(cluster.readLeaseHolder()).rejects.toThrow('not found');
  });

  test('aborts work that exceeds drainTimeout and drops queued keys', async () => {
    const cluster = await createCluster(['web', 'db', 'api']);
    const gate = createGate(cluster.server.client);
    const running = cluster.start({ port: gate.port, controllers: ['endpoints'], workers: 1, drainTimeout: 3000 });
    await cluster.clock.pass(1000);
    const ended = running.stop();
    await cluster.clock.pass(2900);
    expect([gate.waitingCount, running.host.idle]).toEqual([1, false]);
    await cluster.clock.pass(100);
    await ended;
    expect([gate.waitingCount, await cluster.countEndpoints()]).toEqual([1, 0]);
  });

  test.each(['services', 'endpoints'])('aborts an unanswered request for %s after drainTimeout', async (plural) => {
    const cluster = await createCluster(['web']);
    const { client } = cluster.server;
    await client.create(resources.endpoints, { metadata: { namespace: 'shop', name: 'leftover' } });
    const neverSettled = new Promise<never>(() => undefined);
    const port: ClientPort = {
      ...client,
      get: (resource, ...args) => (resource.plural === plural ? neverSettled : client.get(resource, ...args)),
      // The list that only reads the current resourceVersion.
      list: (resource, options) => (resource.plural === plural && options?.limit === 1 ? neverSettled : client.list(resource, options)),
    };
    const running = cluster.start({ port, controllers: ['endpoints'], drainTimeout: 3000 });
    await cluster.clock.pass(2000);
    expect(running.host.idle).toBe(false);
    let ended = false;
    void running.stop().then(() => {
      ended = true;
    });
    await cluster.clock.pass(3000);
    expect([ended, cluster.clock.scheduled]).toEqual([true, 0]);
  });

  test('finishes queued work within drainTimeout', async () => {
    const cluster = await createCluster(['web', 'db', 'api']);
    const gate = createGate(cluster.server.client);
    const running = cluster.start({ port: gate.port, controllers: ['endpoints'], workers: 1 });
    await cluster.clock.pass(1000);
    const ended = running.stop();
    for (let i = 0; i < 3; i++) {
      gate.open();
      await cluster.clock.pass(1000);
    }
    await ended;
    expect(await cluster.countEndpoints()).toBe(3);
  });

  test('runs only once', async () => {
    const cluster = await createCluster(['web']);
    const { host } = cluster.start(replicaOptions('a'));
    await expect(host.run(new AbortController().signal)).rejects.toThrow('this host has already run: create a new one');
    await cluster.clock.pass(3000);
    expect(await cluster.readLeaseHolder()).toBe('a');
  });
});

describe('with leader election, a host', () => {
  test('is ready as a follower, and takes over when the leader stops', async () => {
    const cluster = await createCluster(['web']);
    const first = cluster.start(replicaOptions('a'));
    await cluster.clock.pass(1000);
    const second = cluster.start(replicaOptions('b'));
    await cluster.clock.pass(20_000);
    expect(await cluster.readLeaseHolder()).toBe('a');
    expect([countWrites(first), countWrites(second), second.host.ready]).toEqual([2, 0, true]);
    await first.stop();
    expect(await cluster.readLeaseHolder()).toBe('');
    await cluster.clock.pass(5000);
    expect(await cluster.readLeaseHolder()).toBe('b');
    await cluster.server.client.create(resources.services, serviceFor('db'));
    await cluster.clock.pass(1000);
    expect(countWrites(second)).toBe(2);
  });

  test('releases the Lease only after work in progress has ended', async () => {
    const cluster = await createCluster(['web']);
    const gate = createGate(cluster.server.client);
    const running = cluster.start(gatedReplicaOptions(cluster, gate));
    await cluster.clock.pass(1000);
    expect(gate.waitingCount).toBe(1);
    const ended = running.stop();
    await cluster.clock.pass(5000);
    expect(await cluster.readLeaseHolder()).toBe('a');
    gate.open();
    await ended;
    expect(await cluster.countEndpoints()).toBe(1);
    expect(await cluster.readLeaseHolder()).toBe('');
  });

  test('aborts work that exceeds drainTimeout, then releases the Lease', async () => {
    const cluster = await createCluster(['web']);
    const gate = createGate(cluster.server.client);
    const running = cluster.start({ ...gatedReplicaOptions(cluster, gate), drainTimeout: 3000 });
    await cluster.clock.pass(1000);
    const ended = running.stop();
    await cluster.clock.pass(2900);
    expect(await cluster.readLeaseHolder()).toBe('a');
    await cluster.clock.pass(200);
    await ended;
    expect([await cluster.readLeaseHolder(), await cluster.countEndpoints()]).toEqual(['', 0]);
  });

  test('releases the Lease even if the server does not respond to writes of Events', async () => {
    const cluster = await createCluster(['web']);
    const { client } = cluster.server;
    const port: ClientPort = {
      ...client,
      create: (resource, ...args) => {
        if (resource.plural === 'events') return new Promise(() => undefined);
        return resource.plural === 'endpoints' ? Promise.reject(new Error('no')) : client.create(resource, ...args);
      },
    };
    const running = cluster.start({ ...replicaOptions('a'), port });
    await cluster.clock.pass(1000);
    const ended = running.stop();
    await cluster.clock.pass(1000);
    await ended;
    expect(await cluster.readLeaseHolder()).toBe('');
  });

  test('lets the Lease expire if work cannot be aborted', async () => {
    const cluster = await createCluster(['web']);
    const gate = createGate(cluster.server.client, { ignoresAbort: true });
    const running = cluster.start(gatedReplicaOptions(cluster, gate));
    await cluster.clock.pass(1000);
    const ended = running.stop();
    await cluster.clock.pass(60_000);
    expect(await cluster.readLeaseHolder()).toBe('a');
    gate.open();
    await ended;
    expect(await cluster.readLeaseHolder()).toBe('a');
  });
});

test('each Service is synced by one of the hosts with shards, and each host syncs some', async () => {
  const serviceNames = Array.from({ length: 12 }, (_, i) => `web-${i}`);
  const cluster = await createCluster(serviceNames);
  const shardOptions = (identity: string): Partial<HostOptions> => ({ identity, shards: { name: 'group' }, controllers: ['endpoints'] });
  const runningHosts = ['a', 'b'].map((identity) => cluster.start(shardOptions(identity)));
  await cluster.clock.pass(120_000);
  expect(runningHosts.map(({ host }) => host.idle)).toEqual([true, true]);
  const writes = runningHosts.map(countWrites);
  expect(writes.reduce((sum, each) => sum + each, 0)).toBe(12);
  expect(Math.min(...writes)).toBeGreaterThan(0);
});

describe.each<[string, Partial<HostOptions>]>([
  ['leader election', { leaderElection: {} }],
  ['shards', { shards: { name: 'group' } }],
])('a dry run with %s', (_, options) => {
  test('plans every Service without taking a Lease', async () => {
    const cluster = await createCluster(['web', 'db']);
    const dryRunHost = cluster.start({ ...options, identity: 'dry', dryRun: true, controllers: ['endpoints'] });
    await cluster.clock.pass(5000);
    const planned = dryRunHost.reported.flatMap((each) => (each.kind === 'planned' && each.key.startsWith('shop/') ? [each.key] : []));
    expect([planned.sort(), dryRunHost.host.ready]).toEqual([['shop/db', 'shop/web'], true]);
    expect((await cluster.server.client.list(resources.leases)).items).toEqual([]);
    const realHost = cluster.start({ ...options, identity: 'real', controllers: ['endpoints'] });
    await cluster.clock.pass(5000);
    expect([countWrites(realHost), countWrites(dryRunHost)]).toEqual([2, 0]);
  });

  test('requires an identity', async () => {
    const { server } = await createCluster([]);
    expect(() => createHost({ port: server.client, dryRun: true, ...options })).toThrow('identity is missing');
  });
});

test('a host with shards is ready once it has owned keys', async () => {
  const cluster = await createCluster(['web']);
  const { client } = cluster.server;
  let failsToList = true;
  const list: ClientPort['list'] = (...args) => (failsToList ? Promise.reject(new Error('forbidden')) : client.list(...args));
  const running = cluster.start({ identity: 'a', shards: {}, leasePort: { ...client, list } });
  await cluster.clock.pass(30_000);
  expect([running.host.ready, countWrites(running)]).toEqual([false, 0]);
  failsToList = false;
  await cluster.clock.pass(5000);
  expect([running.host.ready, countWrites(running)]).toEqual([true, 2]);
  failsToList = true;
  await cluster.clock.pass(60_000);
  expect(running.host.ready).toBe(true);
});

test('run() rejects with the error of an observer, and releases the Lease', async () => {
  const cluster = await createCluster(['web']);
  const onEvent = (event: RuntimeEvent): void => {
    if (event.kind === 'synced') throw new Error('disk full');
  };
  const clock = cluster.clock;
  const host = createHost({ port: cluster.server.client, clock, random: () => 0.5, onEvent, ...replicaOptions('a') });
  const ended = host.run(new AbortController().signal).catch((error: unknown) => String(error));
  await clock.pass(30_000);
  expect(await ended).toBe('Error: disk full');
  expect(await cluster.readLeaseHolder()).toBe('');
});
