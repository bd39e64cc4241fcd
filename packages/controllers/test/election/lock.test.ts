import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createLeaseLock, type LeaseLock, type LockOptions } from '../../src/election/lock.ts';
import { createPlace, type Place, partsOf, specOf } from './place.ts';

const lockOf = (place: Place, options: Partial<LockOptions> = {}): LeaseLock =>
  createLeaseLock({ ...partsOf(place, options.identity), leaseDuration: 15_000, callTimeout: 5_000, ...options });
const wholeKey = { namespace: 'kube-system', name: 'controllers' };
const put = ({ server }: Place, spec: unknown): Promise<ApiObject> => server.client.create(resources.leases, { metadata: wholeKey, spec });

test('creates a missing Lease with labels and annotations', async () => {
  const place = await createPlace();
  const lock = lockOf(place, { labels: { group: 'g' }, leaseDuration: 15_500 });
  const attempt = await lock.attempt({ annotations: { claim: 'c' } });
  const lease = await place.lease();
  expect(attempt).toEqual({ held: true, start: place.machine.clock.elapsed(), term: specOf(lease)['acquireTime'] });
  expect(lease.metadata).toMatchObject({ labels: { group: 'g' }, annotations: { claim: 'c' } });
  const time = expect.stringMatching(/^2026-01-31T\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(specOf(lease)).toEqual({ holderIdentity: 'a', leaseDurationSeconds: 16, acquireTime: time, renewTime: time, leaseTransitions: 0 });
  expect([lock.holder, lock.term, lock.isOurs(lease)]).toEqual(['a', specOf(lease)['acquireTime'], true]);
});

test('renews with one update that keeps acquireTime and leaseTransitions', async () => {
  const place = await createPlace();
  const calls: string[] = [];
  const lock = lockOf(place, { port: counting(place.server.client, calls) });
  await lock.attempt({});
  const before = specOf(await place.lease());
  await place.world.pass(2000);
  expect((await lock.attempt({})).held).toBe(true);
  const after = specOf(await place.lease());
  expect(calls).toEqual(['get', 'create', 'update']);
  expect(after).toEqual({ ...before, renewTime: after['renewTime'] });
  expect(after['renewTime']).not.toBe(before['renewTime']);
});

test('another replica takes over once the Lease is unchanged for its duration by the local clock, and counts a transition', async () => {
  const place = await createPlace();
  const [a, b] = [lockOf(place), lockOf(place, { identity: 'b' })];
  await a.attempt({});
  await place.world.pass(14_000);
  expect(await b.attempt({})).toEqual({ held: false });
  expect([b.holder, b.term]).toEqual(['a', undefined]);
  await place.world.pass(14_999);
  place.machine.setTimeOfDay(3_600_000);
  expect(await b.attempt({})).toEqual({ held: false });
  await place.world.pass(1);
  expect((await b.attempt({})).held).toBe(true);
  expect(specOf(await place.lease())).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  expect((await a.attempt({})).held).toBe(false);
  expect([a.holder, a.term]).toEqual(['b', undefined]);
});

test('does not take over a Lease that expires while it is read, because its holder may have renewed it', async () => {
  const place = await createPlace();
  const { client } = place.server;
  let milliseconds = 0;
  const port: ClientPort = {
    ...client,
    async get(...given) {
      const lease = await client.get(...given);
      await new Promise<void>((resolve) => void place.machine.clock.schedule(resolve, milliseconds));
      return lease;
    },
  };
  await lockOf(place).attempt({});
  const lock = lockOf(place, { identity: 'b', port });
  const first = lock.attempt({});
  await place.world.pass(14_000);
  expect(await first).toStrictEqual({ held: false });
  milliseconds = 2000;
  const second = lock.attempt({});
  await place.world.pass(2000);
  expect(await second).toStrictEqual({ held: false });
  expect(specOf(await place.lease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
});

test('the duration in the Lease applies', async () => {
  const place = await createPlace();
  await put(place, { holderIdentity: 'x', leaseDurationSeconds: 60 });
  const lock = lockOf(place);
  await lock.attempt({});
  await place.world.pass(59_999);
  expect((await lock.attempt({})).held).toBe(false);
  await place.world.pass(1);
  expect((await lock.attempt({})).held).toBe(true);
});

test('another process with the same identity waits and takes over as a new holder', async () => {
  const place = await createPlace();
  const [first, second] = [lockOf(place, { random: () => 0.1 }), lockOf(place, { random: () => 0.2 })];
  const one = await first.attempt({});
  expect((await second.attempt({})).held).toBe(false);
  await place.world.pass(15_000);
  const two = await second.attempt({});
  expect([one.held, two.held]).toEqual([true, true]);
  expect((await first.attempt({})).held).toBe(false);
});

describe('a malformed Lease', () => {
  test.each([
    ['without a spec', undefined],
    ['with an empty spec', {}],
    ['released', { holderIdentity: '' }],
  ])('%s is free', async (_, spec) => {
    const place = await createPlace();
    await put(place, spec);
    expect((await lockOf(place).attempt({})).held).toBe(true);
    expect(specOf(await place.lease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 1, leaseDurationSeconds: 15 });
  });

  test('without leaseDurationSeconds is valid for the configured duration', async () => {
    const place = await createPlace();
    await put(place, { holderIdentity: 'x' });
    const lock = lockOf(place);
    await lock.attempt({});
    await place.world.pass(14_999);
    expect((await lock.attempt({})).held).toBe(false);
    await place.world.pass(1);
    expect((await lock.attempt({})).held).toBe(true);
  });

  test.each([null, { metadata: {}, spec: null }])('%j is an error, because it cannot be updated safely', async (answer) => {
    const place = await createPlace();
    const port: ClientPort = { ...place.server.client, get: async () => answer as ApiObject };
    const attempt = await lockOf(place, { port }).attempt({});
    expect(attempt).toMatchObject({ held: false, error: { message: expect.stringContaining('without a resourceVersion') } });
  });
});

describe('a deleted Lease', () => {
  test('is recreated by its holder with a new term', async () => {
    const place = await createPlace();
    const lock = lockOf(place);
    const one = await lock.attempt({});
    await place.server.client.delete(resources.leases, wholeKey);
    await place.world.pass(2000);
    const two = await lock.attempt({});
    expect(two).toMatchObject({ held: true });
    expect((two as typeof one & { term: string }).term).not.toBe((one as typeof two & { term: string }).term);
  });

  test('is not recreated by another replica before its duration has passed', async () => {
    const place = await createPlace();
    const [a, b] = [lockOf(place), lockOf(place, { identity: 'b' })];
    await a.attempt({});
    await b.attempt({});
    await place.server.client.delete(resources.leases, wholeKey);
    await place.world.pass(14_999);
    expect(await b.attempt({})).toEqual({ held: false });
    await place.world.pass(1);
    expect((await b.attempt({})).held).toBe(true);
  });
});

test('recognizes its own write whose response was lost', async () => {
  const place = await createPlace();
  const { client } = place.server;
  let deaf = true;
  const port: ClientPort = {
    ...client,
    async create(resource, object) {
      const created = await client.create(resource, object);
      return deaf ? new Promise(() => undefined) : created;
    },
  };
  const lock = lockOf(place, { port });
  const lost = lock.attempt({});
  await place.world.pass(5000);
  expect(await lost).toMatchObject({ held: false, error: { message: 'no answer within 5000 ms' } });
  deaf = false;
  expect((await lock.attempt({})).held).toBe(true);
  expect(specOf(await place.lease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
});

test('aborts calls at the given time', async () => {
  const place = await createPlace();
  const port: ClientPort = { ...place.server.client, get: () => new Promise(() => undefined) };
  const attempt = lockOf(place, { port }).attempt({ until: place.machine.clock.elapsed() + 300 });
  await place.world.pass(300);
  expect(await attempt).toMatchObject({ held: false, error: { message: 'no answer within 300 ms' } });
});

test('rejects a server response that lacks the written spec', async () => {
  const place = await createPlace();
  const { client } = place.server;
  const port: ClientPort = { ...client, create: async (resource, { spec: _, ...object }) => client.create(resource, object) };
  const attempt = await lockOf(place, { port }).attempt({});
  expect(attempt).toMatchObject({ held: false, error: { message: expect.stringContaining('did not keep') } });
});

describe('release', () => {
  test('lets another replica acquire the Lease at once', async () => {
    const place = await createPlace();
    const [a, b] = [lockOf(place), lockOf(place, { identity: 'b' })];
    await a.attempt({});
    await a.release({ claim: '' });
    expect(specOf(await place.lease())).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect((await place.lease()).metadata.annotations).toEqual({ claim: '' });
    expect([a.holder, a.term]).toEqual([undefined, undefined]);
    expect((await b.attempt({})).held).toBe(true);
    expect(specOf(await place.lease())).toMatchObject({ leaseTransitions: 1 });
  });

  test('does not change a Lease of another holder, and ignores a missing one', async () => {
    const place = await createPlace();
    const [a, b] = [lockOf(place), lockOf(place, { identity: 'b' })];
    await b.release();
    await a.attempt({});
    await b.attempt({});
    await b.release();
    expect(specOf(await place.lease())).toMatchObject({ holderIdentity: 'a' });
    await place.server.client.delete(resources.leases, wholeKey);
    await expect(a.release()).resolves.toBeUndefined();
  });

  test('is retried after a conflict, and rejects if conflicts persist', async () => {
    const place = await createPlace();
    const { client } = place.server;
    let touches = 2;
    const port: ClientPort = {
      ...client,
      async get(resource, key) {
        const lease = await client.get(resource, key);
        if (touches-- > 0) await client.patch(resource, key, { metadata: { labels: { touched: `${touches}` } } }, { type: 'merge' });
        return lease;
      },
    };
    const lock = lockOf(place, { port });
    await lockOf(place).attempt({});
    await place.server.client.delete(resources.leases, wholeKey);
    await lock.attempt({});
    touches = 2;
    await lock.release();
    expect(specOf(await place.lease())).toMatchObject({ holderIdentity: '' });
    await lock.attempt({});
    touches = 99;
    await lock.attempt({});
    await expect(lock.release()).rejects.toMatchObject({ reason: 'Conflict' });
  });
});

function counting(port: ClientPort, calls: string[]): ClientPort {
  const count =
    <A extends unknown[], R>(name: string, call: (...given: A) => R) =>
    (...given: A): R => {
      calls.push(name);
      return call(...given);
    };
  return { ...port, get: count('get', port.get), create: count('create', port.create), update: count('update', port.update) };
}
