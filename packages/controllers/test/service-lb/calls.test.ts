import { createApiServer } from '@kube-endpoints/apiserver';
import { CloudError } from 'kube-endpoints/load-balancer';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { OwnershipLost } from '../../src/controllers/failures.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import {
  type CallRunner,
  type Calls,
  CallTimeoutError,
  createCallRunner,
  createCalls,
  createInDoubtCalls,
  type InDoubtCalls,
} from '../../src/service-lb/calls.ts';
import { ControllerStopping } from '../../src/service-lb/claims.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createCloud } from './cloud.ts';
import { loadBalancerService } from './fixture.ts';

const web = { namespace: 'shop', name: 'web' };
const status = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } };

async function withServer(work: (client: ClientPort, calls: Calls, service: ApiObject) => Promise<void>): Promise<void> {
  const clock = createClock();
  const server = await createApiServer({ clock, objects: [loadBalancerService('web')] });
  try {
    const calls = createCalls(createSetup({ port: server.client, cloud: createCloud(), clock }), () => undefined);
    await work(server.client, calls, await server.client.get(resources.services, web));
  } finally {
    await server.close();
  }
}

describe('a patch', () => {
  test('updates the status of the Service that was read', () =>
    withServer(async (client, calls, service) => {
      await calls.patch('shop/web', service, status);
      expect((await client.get(resources.services, web))['status']).toEqual(expect.objectContaining({ loadBalancer: expect.anything() }));
    }));

  test('fails if the Service was recreated with the same name', () =>
    withServer(async (client, calls, service) => {
      await client.delete(resources.services, web);
      await client.create(resources.services, loadBalancerService('web'));
      await expect(calls.patch('shop/web', service, status)).rejects.toThrow();
      expect((await client.get(resources.services, web))['status']).toEqual({ loadBalancer: {} });
    }));

  test('a patch that removes all finalizers conflicts if others were added meanwhile', () =>
    withServer(async (client, calls) => {
      const add = (finalizers: readonly string[]): Promise<ApiObject> =>
        client.patch(resources.services, web, { metadata: { finalizers } }, { type: 'merge' });
      const patched = await add(['example.com/a']);
      await add(['example.com/a', 'example.com/b']);
      await expect(calls.patch('shop/web', patched, { metadata: { finalizers: null } })).rejects.toMatchObject({ reason: 'Conflict' });
      expect((await client.get(resources.services, web)).metadata.finalizers).toHaveLength(2);
    }));
});

test('readService returns the Service from the API server, or undefined if it is gone', () =>
  withServer(async (client, calls) => {
    expect((await calls.readService('shop/web'))?.metadata.name).toBe('web');
    await client.delete(resources.services, web);
    expect(await calls.readService('shop/web')).toBeUndefined();
  }));

test('passes clusterName to the cloud and reports the outcome of each call', async () => {
  const events: RuntimeEvent[] = [];
  const requests: unknown[] = [];
  const cloud = createCloud({ list: false });
  const recordingCloud = {
    ...cloud,
    balancers: {
      ...cloud.balancers,
      get: async ({ clusterName, service }: { clusterName: string; service: unknown }) => void requests.push([clusterName, service]),
    },
  };
  const ownership = createTestOwnership({ owned: true });
  const setup = createSetup({
    port: {} as ClientPort,
    cloud: recordingCloud as unknown as typeof cloud,
    clusterName: 'blue',
    clock: createClock(),
    ownership,
    onEvent: (each) => void events.push(each),
  });
  const calls = createCalls(setup, () => undefined);
  const service = { metadata: web };
  await calls.get('shop/web', service);
  expect(requests).toEqual([['blue', service]]);
  await expect(calls.update('shop/web', service, [])).rejects.toThrow('there is no such load balancer');
  ownership.lose();
  await expect(calls.delete('shop/web', service)).rejects.toThrow('belongs to another replica');
  const lines = events.flatMap((each) => (each.kind === 'cloud' ? [`${each.call} ${each.key} ${each.outcome}`] : []));
  expect(lines).toEqual(['get shop/web answered', 'update shop/web failed']);
  expect(calls.list).toBeUndefined();
});

const service = { metadata: { uid: 'u1' } };

interface Setup extends CallRunner {
  readonly clock: ManualClock;
  readonly ownership: ReturnType<typeof createTestOwnership>;
  readonly inDoubt: string[];
}

function setUp(): Setup {
  const clock = createClock();
  const ownership = createTestOwnership({ owned: true });
  const inDoubt: string[] = [];
  return { clock, ownership, inDoubt, ...createCallRunner({ clock, ownership }, (key) => void inDoubt.push(key)) };
}

const call = (execute: (signal: AbortSignal) => Promise<unknown>, options: object = {}) => ({
  key: 'a/b',
  milliseconds: 1000,
  changes: service,
  execute,
  ...options,
});
const never = (): Promise<never> => new Promise(() => {});

describe('a call', () => {
  test('resolves or rejects with the answer and is not in doubt', async () => {
    const { run, inDoubt, clock } = setUp();
    expect(await run(call(async () => 'done'))).toBe('done');
    await expect(run(call(() => Promise.reject(new CloudError('Failed', 'no'))))).rejects.toThrow('no');
    expect(inDoubt).toEqual([]);
    expect(clock.scheduled).toBe(0);
  });

  test('a call that fails with an unknown error is in doubt', async () => {
    const { run, inDoubt } = setUp();
    await expect(run(call(() => Promise.reject(new Error('connection reset'))))).rejects.toThrow('connection reset');
    expect(inDoubt).toEqual(['a/b']);
  });

  test('times out, and is in doubt only if it makes a change', async () => {
    const { run, inDoubt, clock } = setUp();
    const ends = [run(call(never)), run(call(never, { key: 'a/c', changes: undefined }))].map((ended) =>
      ended.catch((error: unknown) => error),
    );
    await clock.pass(1000);
    expect(await Promise.all(ends)).toEqual([new CallTimeoutError(1000), new CallTimeoutError(1000)]);
    expect(String(await ends[0])).toBe('CallTimeoutError: no answer within 1 s');
    expect(inDoubt).toEqual(['a/b']);
  });

  test('is refused without ownership; a running call is aborted and in doubt when ownership is lost', async () => {
    const { run, cancelUnowned, ownership, inDoubt } = setUp();
    const signals: AbortSignal[] = [];
    const pendingCall = run(
      call((signal) => {
        signals.push(signal);
        return never();
      }),
    );
    const sharedCall = run(call(async () => 'list', { shared: true }));
    cancelUnowned();
    expect(signals[0]?.aborted).toBe(false);
    ownership.lose();
    cancelUnowned();
    await expect(pendingCall).rejects.toBeInstanceOf(OwnershipLost);
    expect(signals[0]?.aborted).toBe(true);
    expect(inDoubt).toEqual(['a/b']);
    expect(await sharedCall).toBe('list');
    await expect(run(call(never))).rejects.toBeInstanceOf(OwnershipLost);
    expect(inDoubt).toHaveLength(1);
  });

  test('is aborted at shutdown, and later calls are refused', async () => {
    const { run, cancelAll } = setUp();
    const pendingCall = run(call(never));
    cancelAll();
    await expect(pendingCall).rejects.toBeInstanceOf(ControllerStopping);
    await expect(run(call(async () => 'late'))).rejects.toBeInstanceOf(ControllerStopping);
  });
});

const changedService = { metadata: { namespace: 'shop', name: 'web', uid: 'u1' } };

function setUpInDoubtCalls(): { readonly clock: ManualClock; readonly inDoubtCalls: InDoubtCalls; readonly rechecks: string[] } {
  const clock = createClock();
  const rechecks: string[] = [];
  const recheck = (key: string, { metadata }: typeof changedService | (object & { metadata?: unknown })): void =>
    void rechecks.push(`${key} ${(metadata as { uid: string }).uid} ${clock.elapsed()}`);
  return { clock, inDoubtCalls: createInDoubtCalls({ clock, timeoutMs: 10_000, recheck }), rechecks };
}

test('the Service of an in-doubt call is checked after a tenth of the timeout and after the timeout', async () => {
  const { clock, inDoubtCalls, rechecks } = setUpInDoubtCalls();
  inDoubtCalls.add('shop/web', changedService, Promise.reject(new Error('aborted')));
  expect(inDoubtCalls.size).toBe(1);
  await clock.pass(60_000);
  expect(rechecks).toEqual(['shop/web u1 1000', 'shop/web u1 10000']);
  expect(inDoubtCalls.size).toBe(0);
});

test('the Service of an in-doubt call that succeeds late is checked at once', async () => {
  const { clock, inDoubtCalls, rechecks } = setUpInDoubtCalls();
  const { promise, resolve } = Promise.withResolvers<void>();
  inDoubtCalls.add('shop/web', changedService, promise);
  await clock.pass(60_000);
  rechecks.length = 0;
  resolve();
  await flushPromises();
  expect(rechecks).toEqual(['shop/web u1 60000']);
});

test('a new in-doubt call of the same Service restarts the delays', async () => {
  const { clock, inDoubtCalls, rechecks } = setUpInDoubtCalls();
  const never = new Promise(() => {});
  inDoubtCalls.add('shop/web', changedService, never);
  await clock.pass(900);
  inDoubtCalls.add('shop/web', changedService, never);
  inDoubtCalls.add('shop/web', { metadata: { ...changedService.metadata, uid: 'u2' } }, never);
  expect(inDoubtCalls.size).toBe(2);
  await clock.pass(60_000);
  expect(rechecks).toEqual(['shop/web u1 1900', 'shop/web u2 1900', 'shop/web u1 10900', 'shop/web u2 10900']);
});

test('no Service is checked after in-doubt calls are stopped', async () => {
  const { clock, inDoubtCalls, rechecks } = setUpInDoubtCalls();
  const { promise, resolve } = Promise.withResolvers<void>();
  inDoubtCalls.add('shop/web', changedService, promise);
  inDoubtCalls.stop();
  inDoubtCalls.add('shop/web', changedService, promise);
  resolve();
  await clock.pass(60_000);
  expect(rechecks).toEqual([]);
  expect(clock.scheduled).toBe(0);
});
