import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createLeaseLock, type LeaseLock, type LockOptions } from '../../src/election/lock.ts';
import { createFixture, type Fixture, partsOf, specOf } from './fixture.ts';

const lockOf = (fixture: Fixture, options: Partial<LockOptions> = {}): LeaseLock =>
  createLeaseLock({ ...partsOf(fixture, options.identity), leaseDuration: 15_000, callTimeout: 5_000, ...options });
const wholeKey = { namespace: 'kube-system', name: 'controllers' };
const put = ({ server }: Fixture, spec: unknown): Promise<ApiObject> =>
  server.client.create(resources.leases, { metadata: wholeKey, spec });

test('creates a missing Lease with labels and annotations', async () => {
  const fixture = await createFixture();
  const lock = lockOf(fixture, { labels: { group: 'g' }, leaseDuration: 15_500 });
  const attempt = await lock.attempt({ annotations: { claim: 'c' } });
  const lease = await fixture.lease();
  expect(attempt).toEqual({ held: true, start: fixture.machine.clock.elapsed(), term: specOf(lease)['acquireTime'] });
  expect(lease.metadata).toMatchObject({ labels: { group: 'g' }, annotations: { claim: 'c' } });
  const time = expect.stringMatching(/^2026-01-31T\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(specOf(lease)).toEqual({ holderIdentity: 'a', leaseDurationSeconds: 16, acquireTime: time, renewTime: time, leaseTransitions: 0 });
  expect([lock.holder, lock.term, lock.isOurs(lease)]).toEqual(['a', specOf(lease)['acquireTime'], true]);
});

test('renews with one update that keeps acquireTime and leaseTransitions', async () => {
  const fixture = await createFixture();
  const calls: string[] = [];
  const lock = lockOf(fixture, { port: counting(fixture.server.client, calls) });
  await lock.attempt({});
  const before = specOf(await fixture.lease());
  await fixture.world.pass(2000);
  expect((await lock.attempt({})).held).toBe(true);
  const after = specOf(await fixture.lease());
  expect(calls).toEqual(['get', 'create', 'update']);
  expect(after).toEqual({ ...before, renewTime: after['renewTime'] });
  expect(after['renewTime']).not.toBe(before['renewTime']);
});

test('another replica takes over once the Lease is unchanged for its duration by the local clock, and counts a transition', async () => {
  const fixture = await createFixture();
  const [a, b] = [lockOf(fixture), lockOf(fixture, { identity: 'b' })];
  await a.attempt({});
  await fixture.world.pass(14_000);
  expect(await b.attempt({})).toEqual({ held: false });
  expect([b.holder, b.term]).toEqual(['a', undefined]);
  await fixture.world.pass(14_999);
  fixture.machine.setTimeOfDay(3_600_000);
  expect(await b.attempt({})).toEqual({ held: false });
  await fixture.world.pass(1);
  expect((await b.attempt({})).held).toBe(true);
  expect(specOf(await fixture.lease())).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  expect((await a.attempt({})).held).toBe(false);
  expect([a.holder, a.term]).toEqual(['b', undefined]);
});

test('does not take over a Lease that expires while it is read, because its holder may have renewed it', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let milliseconds = 0;
  const port: ClientPort = {
    ...client,
    async get(...args) {
      const lease = await client.get(...args);
      await new Promise<void>((resolve) => void fixture.machine.clock.schedule(resolve, milliseconds));
      return lease;
    },
  };
  await lockOf(fixture).attempt({});
  const lock = lockOf(fixture, { identity: 'b', port });
  const first = lock.attempt({});
  await fixture.world.pass(14_000);
  expect(await first).toStrictEqual({ held: false });
  milliseconds = 2000;
  const second = lock.attempt({});
  await fixture.world.pass(2000);
  expect(await second).toStrictEqual({ held: false });
  expect(specOf(await fixture.lease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
});

test('the duration in the Lease applies', async () => {
  const fixture = await createFixture();
  await put(fixture, { holderIdentity: 'x', leaseDurationSeconds: 60 });
  const lock = lockOf(fixture);
  await lock.attempt({});
  await fixture.world.pass(59_999);
  expect((await lock.attempt({})).held).toBe(false);
  await fixture.world.pass(1);
  expect((await lock.attempt({})).held).toBe(true);
});

test('another process with the same identity waits and takes over as a new holder', async () => {
  const fixture = await createFixture();
  const [first, second] = [lockOf(fixture, { random: () => 0.1 }), lockOf(fixture, { random: () => 0.2 })];
  const one = await first.attempt({});
  expect((await second.attempt({})).held).toBe(false);
  await fixture.world.pass(15_000);
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
    const fixture = await createFixture();
    await put(fixture, spec);
    expect((await lockOf(fixture).attempt({})).held).toBe(true);
    expect(specOf(await fixture.lease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 1, leaseDurationSeconds: 15 });
  });

  test('without leaseDurationSeconds is valid for the configured duration', async () => {
    const fixture = await createFixture();
    await put(fixture, { holderIdentity: 'x' });
    const lock = lockOf(fixture);
    await lock.attempt({});
    await fixture.world.pass(14_999);
    expect((await lock.attempt({})).held).toBe(false);
    await fixture.world.pass(1);
    expect((await lock.attempt({})).held).toBe(true);
  });

  test.each([null, { metadata: {}, spec: null }])('%j is an error, because it cannot be updated safely', async (answer) => {
    const fixture = await createFixture();
    const port: ClientPort = { ...fixture.server.client, get: async () => answer as ApiObject };
    const attempt = await lockOf(fixture, { port }).attempt({});
    expect(attempt).toMatchObject({ held: false, error: { message: expect.stringContaining('has no resourceVersion') } });
  });
});

describe('a deleted Lease', () => {
  test('is recreated by its holder with a new term', async () => {
    const fixture = await createFixture();
    const lock = lockOf(fixture);
    const one = await lock.attempt({});
    await fixture.server.client.delete(resources.leases, wholeKey);
    await fixture.world.pass(2000);
    const two = await lock.attempt({});
    expect(two).toMatchObject({ held: true });
    expect((two as typeof one & { term: string }).term).not.toBe((one as typeof two & { term: string }).term);
  });

  test('is not recreated by another replica before its duration has passed', async () => {
    const fixture = await createFixture();
    const [a, b] = [lockOf(fixture), lockOf(fixture, { identity: 'b' })];
    await a.attempt({});
    await b.attempt({});
    await fixture.server.client.delete(resources.leases, wholeKey);
    await fixture.world.pass(14_999);
    expect(await b.attempt({})).toEqual({ held: false });
    await fixture.world.pass(1);
    expect((await b.attempt({})).held).toBe(true);
  });
});

test('recognizes its own write whose response was lost', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let deaf = true;
  const port: ClientPort = {
    ...client,
    async create(resource, object) {
      const created = await client.create(resource, object);
      return deaf ? new Promise(() => undefined) : created;
    },
  };
  const lock = lockOf(fixture, { port });
  const lost = lock.attempt({});
  await fixture.world.pass(5000);
  expect(await lost).toMatchObject({ held: false, error: { message: 'no answer within 5000 ms' } });
  deaf = false;
  expect((await lock.attempt({})).held).toBe(true);
  expect(specOf(await fixture.lease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
});

test('aborts calls at the given time', async () => {
  const fixture = await createFixture();
  const port: ClientPort = { ...fixture.server.client, get: () => new Promise(() => undefined) };
  const attempt = lockOf(fixture, { port }).attempt({ until: fixture.machine.clock.elapsed() + 300 });
  await fixture.world.pass(300);
  expect(await attempt).toMatchObject({ held: false, error: { message: 'no answer within 300 ms' } });
});

test('rejects a server response that lacks the written spec', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const port: ClientPort = { ...client, create: async (resource, { spec: _, ...object }) => client.create(resource, object) };
  const attempt = await lockOf(fixture, { port }).attempt({});
  expect(attempt).toMatchObject({ held: false, error: { message: expect.stringContaining('changed what was written') } });
});

describe('release', () => {
  test('lets another replica acquire the Lease at once', async () => {
    const fixture = await createFixture();
    const [a, b] = [lockOf(fixture), lockOf(fixture, { identity: 'b' })];
    await a.attempt({});
    await a.release({ claim: '' });
    expect(specOf(await fixture.lease())).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect((await fixture.lease()).metadata.annotations).toEqual({ claim: '' });
    expect([a.holder, a.term]).toEqual([undefined, undefined]);
    expect((await b.attempt({})).held).toBe(true);
    expect(specOf(await fixture.lease())).toMatchObject({ leaseTransitions: 1 });
  });

  test('does not change a Lease of another holder, and ignores a missing one', async () => {
    const fixture = await createFixture();
    const [a, b] = [lockOf(fixture), lockOf(fixture, { identity: 'b' })];
    await b.release();
    await a.attempt({});
    await b.attempt({});
    await b.release();
    expect(specOf(await fixture.lease())).toMatchObject({ holderIdentity: 'a' });
    await fixture.server.client.delete(resources.leases, wholeKey);
    await expect(a.release()).resolves.toBeUndefined();
  });

  test('is retried after a conflict, and rejects if conflicts persist', async () => {
    const fixture = await createFixture();
    const { client } = fixture.server;
    let touches = 2;
    const port: ClientPort = {
      ...client,
      async get(resource, key) {
        const lease = await client.get(resource, key);
        if (touches-- > 0) await client.patch(resource, key, { metadata: { labels: { touched: `${touches}` } } }, { type: 'merge' });
        return lease;
      },
    };
    const lock = lockOf(fixture, { port });
    await lockOf(fixture).attempt({});
    await fixture.server.client.delete(resources.leases, wholeKey);
    await lock.attempt({});
    touches = 2;
    await lock.release();
    expect(specOf(await fixture.lease())).toMatchObject({ holderIdentity: '' });
    await lock.attempt({});
    touches = 99;
    await lock.attempt({});
    await expect(lock.release()).rejects.toMatchObject({ reason: 'Conflict' });
  });
});

function counting(port: ClientPort, calls: string[]): ClientPort {
  const count =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      calls.push(name);
      return call(...args);
    };
  return { ...port, get: count('get', port.get), create: count('create', port.create), update: count('update', port.update) };
}
