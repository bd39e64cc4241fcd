import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createLeaseLock, type LeaseLock, type LockOptions } from '../../src/election/lock.ts';
import { commonOptions, createFixture, type Fixture, specOf } from './fixture.ts';

const createLock = (fixture: Fixture, options: Partial<LockOptions> = {}): LeaseLock =>
  createLeaseLock({ ...commonOptions(fixture, options.identity), leaseDuration: 15_000, callTimeout: 5_000, ...options });
const leaseKey = { namespace: 'kube-system', name: 'controllers' };
const createLease = ({ server }: Fixture, spec: unknown): Promise<ApiObject> =>
  server.client.create(resources.leases, { metadata: leaseKey, spec });

test('the lock creates a missing Lease with labels and annotations', async () => {
  const fixture = await createFixture();
  const lock = createLock(fixture, { labels: { group: 'g' }, leaseDuration: 15_500 });
  const attempt = await lock.tryAcquireOrRenew({ annotations: { claim: 'c' } });
  const lease = await fixture.readLease();
  expect(attempt).toEqual({ held: true, start: fixture.machine.clock.elapsed(), term: specOf(lease)['acquireTime'] });
  expect(lease.metadata).toMatchObject({ labels: { group: 'g' }, annotations: { claim: 'c' } });
  const time = expect.stringMatching(/^2026-01-31T\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(specOf(lease)).toEqual({ holderIdentity: 'a', leaseDurationSeconds: 16, acquireTime: time, renewTime: time, leaseTransitions: 0 });
  expect([lock.holder, lock.term, lock.isOurs(lease)]).toEqual(['a', specOf(lease)['acquireTime'], true]);
});

test('the lock renews with one update that keeps acquireTime and leaseTransitions', async () => {
  const fixture = await createFixture();
  const calls: string[] = [];
  const lock = createLock(fixture, { port: recordCalls(fixture.server.client, calls) });
  await lock.tryAcquireOrRenew({});
  const previousSpec = specOf(await fixture.readLease());
  await fixture.simulator.pass(2000);
  expect((await lock.tryAcquireOrRenew({})).held).toBe(true);
  const renewedSpec = specOf(await fixture.readLease());
  expect(calls).toEqual(['get', 'create', 'update']);
  expect(renewedSpec).toEqual({ ...previousSpec, renewTime: renewedSpec['renewTime'] });
  expect(renewedSpec['renewTime']).not.toBe(previousSpec['renewTime']);
});

test('another replica takes over once the Lease has been unchanged for its duration by the local clock, and counts a transition', async () => {
  const fixture = await createFixture();
  const [a, b] = [createLock(fixture), createLock(fixture, { identity: 'b' })];
  await a.tryAcquireOrRenew({});
  await fixture.simulator.pass(14_000);
  expect(await b.tryAcquireOrRenew({})).toEqual({ held: false });
  expect([b.holder, b.term]).toEqual(['a', undefined]);
  await fixture.simulator.pass(14_999);
  fixture.machine.shiftTimeOfDay(3_600_000);
  expect(await b.tryAcquireOrRenew({})).toEqual({ held: false });
  await fixture.simulator.pass(1);
  expect((await b.tryAcquireOrRenew({})).held).toBe(true);
  expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  expect((await a.tryAcquireOrRenew({})).held).toBe(false);
  expect([a.holder, a.term]).toEqual(['b', undefined]);
});

test('the lock does not take over a Lease that expires while it is read, because its holder may have renewed it', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let responseDelayMs = 0;
  const port: ClientPort = {
    ...client,
    async get(...args) {
      const lease = await client.get(...args);
      await new Promise<void>((resolve) => void fixture.machine.clock.schedule(resolve, responseDelayMs));
      return lease;
    },
  };
  await createLock(fixture).tryAcquireOrRenew({});
  const lock = createLock(fixture, { identity: 'b', port });
  const first = lock.tryAcquireOrRenew({});
  await fixture.simulator.pass(14_000);
  expect(await first).toStrictEqual({ held: false });
  responseDelayMs = 2000;
  const second = lock.tryAcquireOrRenew({});
  await fixture.simulator.pass(2000);
  expect(await second).toStrictEqual({ held: false });
  expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
});

test('another replica waits for the duration in the Lease, even if its own is shorter', async () => {
  const fixture = await createFixture();
  await createLease(fixture, { holderIdentity: 'x', leaseDurationSeconds: 60 });
  const lock = createLock(fixture);
  await lock.tryAcquireOrRenew({});
  await fixture.simulator.pass(59_999);
  expect((await lock.tryAcquireOrRenew({})).held).toBe(false);
  await fixture.simulator.pass(1);
  expect((await lock.tryAcquireOrRenew({})).held).toBe(true);
});

test('another process with the same identity waits and takes over as a new holder', async () => {
  const fixture = await createFixture();
  const [first, second] = [createLock(fixture, { random: () => 0.1 }), createLock(fixture, { random: () => 0.2 })];
  const firstResult = await first.tryAcquireOrRenew({});
  expect((await second.tryAcquireOrRenew({})).held).toBe(false);
  await fixture.simulator.pass(15_000);
  const secondResult = await second.tryAcquireOrRenew({});
  expect([firstResult.held, secondResult.held]).toEqual([true, true]);
  expect((await first.tryAcquireOrRenew({})).held).toBe(false);
});

describe('a Lease', () => {
  test.each([
    ['without a spec', undefined],
    ['with an empty spec', {}],
    ['with an empty holderIdentity', { holderIdentity: '' }],
  ])('%s is free', async (_, spec) => {
    const fixture = await createFixture();
    await createLease(fixture, spec);
    expect((await createLock(fixture).tryAcquireOrRenew({})).held).toBe(true);
    expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 1, leaseDurationSeconds: 15 });
  });

  test('without leaseDurationSeconds is valid for the configured duration', async () => {
    const fixture = await createFixture();
    await createLease(fixture, { holderIdentity: 'x' });
    const lock = createLock(fixture);
    await lock.tryAcquireOrRenew({});
    await fixture.simulator.pass(14_999);
    expect((await lock.tryAcquireOrRenew({})).held).toBe(false);
    await fixture.simulator.pass(1);
    expect((await lock.tryAcquireOrRenew({})).held).toBe(true);
  });

  test.each([null, { metadata: {}, spec: null }])(
    'in the malformed response %j is an error, because it cannot be updated safely',
    async (answer) => {
      const fixture = await createFixture();
      const port: ClientPort = { ...fixture.server.client, get: async () => answer as ApiObject };
      const attempt = await createLock(fixture, { port }).tryAcquireOrRenew({});
      expect(attempt).toMatchObject({ held: false, error: { message: expect.stringContaining('has no resourceVersion') } });
    },
  );
});

describe('a deleted Lease', () => {
  test('is recreated by its holder with a new term', async () => {
    const fixture = await createFixture();
    const lock = createLock(fixture);
    const firstResult = await lock.tryAcquireOrRenew({});
    await fixture.server.client.delete(resources.leases, leaseKey);
    await fixture.simulator.pass(2000);
    const secondResult = await lock.tryAcquireOrRenew({});
    expect(secondResult).toMatchObject({ held: true });
    expect((secondResult as typeof firstResult & { term: string }).term).not.toBe(
      (firstResult as typeof secondResult & { term: string }).term,
    );
  });

  test('is not recreated by another replica before its duration has passed', async () => {
    const fixture = await createFixture();
    const [a, b] = [createLock(fixture), createLock(fixture, { identity: 'b' })];
    await a.tryAcquireOrRenew({});
    await b.tryAcquireOrRenew({});
    await fixture.server.client.delete(resources.leases, leaseKey);
    await fixture.simulator.pass(14_999);
    expect(await b.tryAcquireOrRenew({})).toEqual({ held: false });
    await fixture.simulator.pass(1);
    expect((await b.tryAcquireOrRenew({})).held).toBe(true);
  });
});

test('the lock recognizes its own write whose response was lost', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let losesResponse = true;
  const port: ClientPort = {
    ...client,
    async create(resource, object) {
      const created = await client.create(resource, object);
      return losesResponse ? new Promise(() => undefined) : created;
    },
  };
  const lock = createLock(fixture, { port });
  const lostAttempt = lock.tryAcquireOrRenew({});
  await fixture.simulator.pass(5000);
  expect(await lostAttempt).toMatchObject({ held: false, error: { message: 'no answer within 5000 ms' } });
  losesResponse = false;
  expect((await lock.tryAcquireOrRenew({})).held).toBe(true);
  expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
});

test('the lock aborts calls at the time that the caller sets', async () => {
  const fixture = await createFixture();
  const port: ClientPort = { ...fixture.server.client, get: () => new Promise(() => undefined) };
  const attempt = createLock(fixture, { port }).tryAcquireOrRenew({ deadline: fixture.machine.clock.elapsed() + 300 });
  await fixture.simulator.pass(300);
  expect(await attempt).toMatchObject({ held: false, error: { message: 'no answer within 300 ms' } });
});

test('the lock rejects a server response that lacks the written spec', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const port: ClientPort = { ...client, create: async (resource, { spec: _, ...object }) => client.create(resource, object) };
  const attempt = await createLock(fixture, { port }).tryAcquireOrRenew({});
  expect(attempt).toMatchObject({ held: false, error: { message: expect.stringContaining('changed what was written') } });
});

describe('release', () => {
  test('lets another replica acquire the Lease at once', async () => {
    const fixture = await createFixture();
    const [a, b] = [createLock(fixture), createLock(fixture, { identity: 'b' })];
    await a.tryAcquireOrRenew({});
    await a.release({ claim: '' });
    expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect((await fixture.readLease()).metadata.annotations).toEqual({ claim: '' });
    expect([a.holder, a.term]).toEqual([undefined, undefined]);
    expect((await b.tryAcquireOrRenew({})).held).toBe(true);
    expect(specOf(await fixture.readLease())).toMatchObject({ leaseTransitions: 1 });
  });

  test('does not change a Lease of another holder, and ignores a missing one', async () => {
    const fixture = await createFixture();
    const [a, b] = [createLock(fixture), createLock(fixture, { identity: 'b' })];
    await b.release();
    await a.tryAcquireOrRenew({});
    await b.tryAcquireOrRenew({});
    await b.release();
    expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'a' });
    await fixture.server.client.delete(resources.leases, leaseKey);
    await expect(a.release()).resolves.toBeUndefined();
  });

  test('is retried after a conflict, and rejects if conflicts persist', async () => {
    const fixture = await createFixture();
    const { client } = fixture.server;
    let changesLeft = 2;
    const port: ClientPort = {
      ...client,
      async get(resource, key) {
        const lease = await client.get(resource, key);
        if (changesLeft-- > 0)
          await client.patch(resource, key, { metadata: { labels: { changed: `${changesLeft}` } } }, { type: 'merge' });
        return lease;
      },
    };
    const lock = createLock(fixture, { port });
    await createLock(fixture).tryAcquireOrRenew({});
    await fixture.server.client.delete(resources.leases, leaseKey);
    await lock.tryAcquireOrRenew({});
    changesLeft = 2;
    await lock.release();
    expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: '' });
    await lock.tryAcquireOrRenew({});
    changesLeft = 99;
    await lock.tryAcquireOrRenew({});
    await expect(lock.release()).rejects.toMatchObject({ reason: 'Conflict' });
  });
});

function recordCalls(port: ClientPort, calls: string[]): ClientPort {
  const record =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      calls.push(name);
      return call(...args);
    };
  return { ...port, get: record('get', port.get), create: record('create', port.create), update: record('update', port.update) };
}
