import { afterEach, describe, expect, test } from 'vitest';
import { type ApiServer, createApiServer, resources } from '../../src/apiserver/index.ts';
import type { ApiObject, ClientPort } from '../../src/port/index.ts';
import type { Happening } from '../../src/runtime/happening.ts';
import { createHost, type Host, type HostOptions } from '../../src/runtime/host.ts';
import { nodeFor, podFor, serviceFor } from './controllers/objects.ts';
import { createClock, type ManualClock } from './queue/clock.ts';

interface Running {
  readonly host: Host;
  readonly told: readonly Happening[];
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

interface Cluster {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  start(options?: Partial<HostOptions>): Running;
  /** Who holds the Lease; empty where it was given back. */
  holder(name?: string): Promise<string>;
  writes(): Promise<number>;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function createCluster(services: readonly string[]): Promise<Cluster> {
  const clock = createClock();
  const pods = services.map((name) => podFor(`${name}-1`, { app: name }));
  const objects = [nodeFor('n1'), ...services.map((name) => serviceFor(name)), ...pods];
  const server = await createApiServer({ clock, background: false, endsPods: false, objects });
  open.push(() => server.close());
  return {
    server,
    clock,
    start(options = {}) {
      const told: Happening[] = [];
      const host = createHost({
        port: server.client,
        clock,
        random: () => 0.5,
        tell: (happening) => void told.push(happening),
        ...options,
      });
      const end = new AbortController();
      const running = host.run(end.signal);
      open.push(async () => {
        end.abort();
        await clock.pass(60_000);
        await running.catch(() => undefined);
      });
      return {
        host,
        told,
        stop() {
          end.abort();
          return running;
        },
      };
    },
    async holder(name = 'kube-endpoints') {
      const { spec } = await server.client.get(resources.leases, { namespace: 'kube-system', name });
      return (spec as { readonly holderIdentity?: string }).holderIdentity ?? '';
    },
    async writes() {
      return (await server.client.list(resources.endpoints, { namespace: 'shop' })).items.length;
    },
  };
}

const writesOf = ({ told }: Running): number => told.reduce((sum, each) => sum + (each.kind === 'synced' ? each.writes : 0), 0);
const replica = (identity: string): Partial<HostOptions> => ({ identity, leaderElection: {} });

describe('alone', () => {
  test('it works from the start, and ends when it is told to', async () => {
    const cluster = await createCluster(['web']);
    const one = cluster.start();
    expect(one.host.ready).toBe(false);
    await cluster.clock.pass(1000);
    expect({ ready: one.host.ready, idle: one.host.idle, writes: writesOf(one) }).toEqual({ ready: true, idle: true, writes: 2 });
    expect(one.host.stats().objects).toMatchObject({ pods: 1, endpoints: 1 });
    await one.stop();
    await expect(cluster.holder()).rejects.toThrow('not found');
  });
});

describe('with leader election', () => {
  test('one works, the other one is ready and waits; it takes over as soon as the first one has ended', async () => {
    const cluster = await createCluster(['web']);
    const first = cluster.start(replica('a'));
    await cluster.clock.pass(1000);
    const second = cluster.start(replica('b'));
    await cluster.clock.pass(20_000);
    expect(await cluster.holder()).toBe('a');
    expect([writesOf(first), writesOf(second), second.host.ready]).toEqual([2, 0, true]);
    await first.stop();
    expect(await cluster.holder()).toBe('');
    await cluster.clock.pass(5000);
    expect(await cluster.holder()).toBe('b');
    await cluster.server.client.create(resources.services, serviceFor('db'));
    await cluster.clock.pass(1000);
    expect(writesOf(second)).toBe(2);
  });

  test('the Lease is given back only when the work under way has ended', async () => {
    const cluster = await createCluster(['web']);
    const gate = gated(cluster.server.client);
    const one = cluster.start(slow(cluster, gate));
    await cluster.clock.pass(1000);
    expect(gate.waiting).toBe(1);
    const ended = one.stop();
    await cluster.clock.pass(5000);
    expect(await cluster.holder()).toBe('a');
    gate.open();
    await ended;
    expect(await cluster.writes()).toBe(1);
    expect(await cluster.holder()).toBe('');
  });

  test('work that does not end in time is given up before', async () => {
    const cluster = await createCluster(['web']);
    const gate = gated(cluster.server.client);
    const one = cluster.start({ ...slow(cluster, gate), drainTimeout: 3000 });
    await cluster.clock.pass(1000);
    const ended = one.stop();
    await cluster.clock.pass(2900);
    expect(await cluster.holder()).toBe('a');
    await cluster.clock.pass(200);
    await ended;
    expect([await cluster.holder(), await cluster.writes()]).toEqual(['', 0]);
  });

  test('where it cannot be given up, the Lease is left to run out', async () => {
    const cluster = await createCluster(['web']);
    const gate = gated(cluster.server.client, { stubborn: true });
    const one = cluster.start(slow(cluster, gate));
    await cluster.clock.pass(1000);
    const ended = one.stop();
    await cluster.clock.pass(60_000);
    expect(await cluster.holder()).toBe('a');
    gate.open();
    await ended;
    expect(await cluster.holder()).toBe('a');
  });
});

test('with shards, all work, and each Service is one replica’s', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `web-${i}`);
  const cluster = await createCluster(names);
  const shared = (identity: string): Partial<HostOptions> => ({ identity, shards: { name: 'group' }, controllers: ['endpoints'] });
  const all = ['a', 'b'].map((identity) => cluster.start(shared(identity)));
  await cluster.clock.pass(120_000);
  expect(all.map(({ host }) => host.idle)).toEqual([true, true]);
  const writes = all.map(writesOf);
  expect(writes.reduce((sum, each) => sum + each, 0)).toBe(12);
  expect(Math.min(...writes)).toBeGreaterThan(0);
});

test.each<[string, Partial<HostOptions>]>([
  ['identity is missing: give a text that no other process has', { leaderElection: {} }],
  ['leaderElection and shards exclude each other: give one of them', { identity: 'a', leaderElection: {}, shards: {} }],
  ['workers is 0: give a whole number from 1 on', { workers: 0 }],
  [
    'renewDeadline is 10000: make it greater than 1.2 times retryPeriod (20000)',
    { identity: 'a', leaderElection: { retryPeriod: 20_000 } },
  ],
])('RangeError: %s', (message, options) => {
  const port = {} as ClientPort;
  expect(() => createHost({ port, ...options })).toThrow(message);
});

test('what a host handed in throws ends everything, and is thrown on', async () => {
  const cluster = await createCluster(['web']);
  const tell = (happening: Happening): void => {
    if (happening.kind === 'synced') throw new Error('full');
  };
  const clock = cluster.clock;
  const host = createHost({ port: cluster.server.client, clock, random: () => 0.5, tell, ...replica('a') });
  const ended = host.run(new AbortController().signal).catch((error: unknown) => String(error));
  await clock.pass(30_000);
  expect(await ended).toBe('Error: full');
  expect(await cluster.holder()).toBe('');
});

type Gate = ReturnType<typeof gated>;

const slow = ({ server }: Cluster, { port }: Gate): Partial<HostOptions> => ({
  ...replica('a'),
  controllers: ['endpoints'],
  port,
  leasePort: server.client,
});

/** A port whose creations wait until they are let through, or are given up; a stubborn one does not give up. */
function gated(port: ClientPort, { stubborn = false } = {}): { readonly port: ClientPort; readonly waiting: number; open(): void } {
  const waiting: (() => void)[] = [];
  return {
    port: {
      ...port,
      create: async (resource, object, options): Promise<ApiObject> => {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          if (!stubborn) options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error), { once: true });
        });
        return port.create(resource, object, options);
      },
    },
    get waiting() {
      return waiting.length;
    },
    open() {
      for (const resolve of waiting) resolve();
    },
  };
}
