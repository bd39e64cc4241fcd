import { createApiServer } from '@kube-endpoints/apiserver';
import { CloudError } from 'kube-endpoints/load-balancer';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { OwnershipLostError } from '../../src/controllers/failures.ts';
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
import { ControllerStoppingError } from '../../src/service-lb/claims.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createCloud } from './cloud.ts';
import { loadBalancerService } from './fixture.ts';

const web = { namespace: 'shop', name: 'web' };
const statusPatch = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } };

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

describe('a replaced status', () => {
  const status = { ingress: [{ ip: '192.0.2.7' }] };

  test('is written to the Service that was read', () =>
    withServer(async (client, calls, service) => {
      await calls.updateStatus('shop/web', service, status);
      expect((await client.get(resources.services, web))['status']).toMatchObject({ loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } });
    }));

  test('conflicts if the Service has changed since it was read, and is not attempted again', () =>
    withServer(async (client, calls, service) => {
      await client.patch(resources.services, web, { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
      await expect(calls.updateStatus('shop/web', service, status)).rejects.toMatchObject({ reason: 'Conflict' });
    }));

  test('is attempted five times, five seconds apart, if the API server fails', async () => {
    const clock = createClock();
    let attempts = 0;
    const update = async (): Promise<never> => {
      attempts++;
      throw new Error('no etcd leader');
    };
    const calls = createCalls(createSetup({ port: { update } as unknown as ClientPort, cloud: createCloud(), clock }), () => undefined);
    const failure = expect(calls.updateStatus('shop/web', loadBalancerService('web'), status)).rejects.toThrow('no etcd leader');
    for (let expected = 1; expected <= 5; expected++) {
      await flushPromises();
      expect(attempts).toBe(expected);
      await clock.advance(4999);
      expect(attempts).toBe(expected);
      await clock.advance(1);
    }
    await failure;
    expect(attempts).toBe(5);
  });
});

describe('a patch', () => {
  test('updates the status of the Service that was read', () =>
    withServer(async (client, calls, service) => {
      await calls.patch('shop/web', service, statusPatch);
      expect((await client.get(resources.services, web))['status']).toEqual(expect.objectContaining({ loadBalancer: expect.anything() }));
    }));

  test('fails if the Service was recreated with the same name', () =>
    withServer(async (client, calls, service) => {
      await client.delete(resources.services, web);
      await client.create(resources.services, loadBalancerService('web'));
      await expect(calls.patch('shop/web', service, statusPatch)).rejects.toThrow();
      expect((await client.get(resources.services, web))['status']).toEqual({ loadBalancer: {} });
    }));

  test('that removes all finalizers conflicts if others were added meanwhile', () =>
    withServer(async (client, calls) => {
      const setFinalizers = (finalizers: readonly string[]): Promise<ApiObject> =>
        client.patch(resources.services, web, { metadata: { finalizers } }, { type: 'merge' });
      const patched = await setFinalizers(['example.com/a']);
      await setFinalizers(['example.com/a', 'example.com/b']);
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

test('calls pass clusterName to the cloud and report the outcome of each call', async () => {
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
  readonly inDoubtKeys: string[];
}

function setUp(): Setup {
  const clock = createClock();
  const ownership = createTestOwnership({ owned: true });
  const inDoubtKeys: string[] = [];
  return { clock, ownership, inDoubtKeys, ...createCallRunner({ clock, ownership }, (key) => void inDoubtKeys.push(key)) };
}

const createCall = (execute: (signal: AbortSignal) => Promise<unknown>, options: object = {}) => ({
  key: 'a/b',
  milliseconds: 1000,
  changes: service,
  execute,
  ...options,
});
const neverSettles = (): Promise<never> => new Promise(() => {});

describe('a call', () => {
  test('resolves or rejects with the answer and is not in doubt', async () => {
    const { run, inDoubtKeys, clock } = setUp();
    expect(await run(createCall(async () => 'done'))).toBe('done');
    await expect(run(createCall(() => Promise.reject(new CloudError('Failed', 'no'))))).rejects.toThrow('no');
    expect(inDoubtKeys).toEqual([]);
    expect(clock.scheduled).toBe(0);
  });

  test('that fails with an unknown error is in doubt', async () => {
    const { run, inDoubtKeys } = setUp();
    await expect(run(createCall(() => Promise.reject(new Error('connection reset'))))).rejects.toThrow('connection reset');
    expect(inDoubtKeys).toEqual(['a/b']);
  });

  test('times out, and is in doubt only if it makes a change', async () => {
    const { run, inDoubtKeys, clock } = setUp();
    const callErrors = [run(createCall(neverSettles)), run(createCall(neverSettles, { key: 'a/c', changes: undefined }))].map((ended) =>
      ended.catch((error: unknown) => error),
    );
    await clock.pass(1000);
    expect(await Promise.all(callErrors)).toEqual([new CallTimeoutError(1000), new CallTimeoutError(1000)]);
    expect(String(await callErrors[0])).toBe('CallTimeoutError: no answer within 1 s');
    expect(inDoubtKeys).toEqual(['a/b']);
  });

  test('is refused without ownership; a running call is aborted and in doubt when ownership is lost', async () => {
    const { run, cancelUnowned, ownership, inDoubtKeys } = setUp();
    const signals: AbortSignal[] = [];
    const pendingCall = run(
      createCall((signal) => {
        signals.push(signal);
        return neverSettles();
      }),
    );
    const sharedCall = run(createCall(async () => 'list', { shared: true }));
    cancelUnowned();
    expect(signals[0]?.aborted).toBe(false);
    ownership.lose();
    cancelUnowned();
    await expect(pendingCall).rejects.toBeInstanceOf(OwnershipLostError);
    expect(signals[0]?.aborted).toBe(true);
    expect(inDoubtKeys).toEqual(['a/b']);
    expect(await sharedCall).toBe('list');
    await expect(run(createCall(neverSettles))).rejects.toBeInstanceOf(OwnershipLostError);
    expect(inDoubtKeys).toHaveLength(1);
  });

  test('is aborted at shutdown, and later calls are refused', async () => {
    const { run, cancelAll } = setUp();
    const pendingCall = run(createCall(neverSettles));
    cancelAll();
    await expect(pendingCall).rejects.toBeInstanceOf(ControllerStoppingError);
    await expect(run(createCall(async () => 'late'))).rejects.toBeInstanceOf(ControllerStoppingError);
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
  const pendingPromise = new Promise(() => {});
  inDoubtCalls.add('shop/web', changedService, pendingPromise);
  await clock.pass(900);
  inDoubtCalls.add('shop/web', changedService, pendingPromise);
  inDoubtCalls.add('shop/web', { metadata: { ...changedService.metadata, uid: 'u2' } }, pendingPromise);
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
