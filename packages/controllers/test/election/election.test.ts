import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createLeaderElection, type LeaderElection, type LeaderElectionOptions } from '../../src/election/index.ts';
import { commonOptions, createFixture, type Fixture, specOf } from './fixture.ts';

interface RunningElection {
  readonly election: LeaderElection;
  readonly stop: () => Promise<void>;
  readonly changes: boolean[];
}

function start(fixture: Fixture, identity: string, options: Partial<LeaderElectionOptions> = {}): RunningElection {
  const election = createLeaderElection({
    ...commonOptions(fixture, identity),
    onEvent: (event) => fixture.reportedEvents.push(event),
    ...options,
  });
  const abortController = new AbortController();
  const changes: boolean[] = [];
  election.ownership.onChange(() => changes.push(election.ownership.owns('shop/web')));
  const ended = election.run(abortController.signal);
  return {
    election,
    changes,
    stop: () => {
      abortController.abort();
      return ended;
    },
  };
}

const owns = ({ election }: RunningElection): boolean => election.ownership.owns('shop/web');
const neverSettles = <T>(): Promise<T> => new Promise(() => undefined);

test('one replica leads, the other follows, and both report the leader', async () => {
  const fixture = await createFixture();
  const a = start(fixture, 'a');
  await fixture.simulator.pass(100);
  const b = start(fixture, 'b');
  await fixture.simulator.pass(60_000);
  expect([owns(a), owns(b), a.election.leader, b.election.leader]).toEqual([true, false, 'a', 'a']);
  expect([a.changes, b.changes]).toEqual([[true], []]);
  expect(fixture.reportedEvents).toEqual([
    { kind: 'leadership', identity: 'a', leads: true, leader: 'a' },
    { kind: 'leadership', identity: 'b', leads: false, leader: 'a' },
  ]);
  expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
});

test('a stopped leader gives up ownership at once, finishes its work, then releases the Lease', async () => {
  const fixture = await createFixture();
  let ended = false;
  const beforeRelease = (): Promise<void> =>
    new Promise((resolve) => {
      fixture.machine.clock.schedule(() => {
        ended = true;
        resolve();
      }, 3000);
    });
  const a = start(fixture, 'a', { beforeRelease });
  await fixture.simulator.pass(100);
  const b = start(fixture, 'b');
  await fixture.simulator.pass(10_000);
  const stopped = a.stop();
  expect([owns(a), a.changes, ended]).toEqual([false, [true, false], false]);
  await fixture.simulator.pass(2999);
  expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'a' });
  await fixture.simulator.pass(1);
  expect([specOf(await fixture.readLease())['holderIdentity'], ended]).toEqual(['', true]);
  await stopped;
  await fixture.simulator.pass(4400);
  expect([owns(b), b.election.leader]).toEqual([true, 'b']);
});

describe('a stopped leader', () => {
  test.each([
    ['if work does not end in time', { beforeRelease: () => neverSettles<void>(), drainTimeout: 1000 }],
    ['if work fails', { beforeRelease: () => Promise.reject(new Error('stuck')) }],
    ['if releaseOnExit is false', { releaseOnExit: false }],
  ])('lets the Lease expire %s', async (_, options) => {
    const fixture = await createFixture();
    const a = start(fixture, 'a', options);
    await fixture.simulator.pass(5000);
    const stopped = a.stop();
    await fixture.simulator.pass(1000);
    await stopped;
    expect(specOf(await fixture.readLease())).toMatchObject({ holderIdentity: 'a' });
  });
});

test('ownership ends by the clock without timers, so a paused process does not lead after the deadline', async () => {
  const fixture = await createFixture();
  const a = start(fixture, 'a');
  await fixture.simulator.pass(4000);
  fixture.machine.pause();
  await fixture.simulator.pass(9999 - (4000 % 2000) - 2000);
  expect(owns(a)).toBe(true);
  await fixture.simulator.pass(2001);
  expect([owns(a), a.changes]).toEqual([false, [true]]);
  fixture.machine.resume();
  await fixture.simulator.pass(0);
  expect(a.changes.slice(0, 2)).toEqual([true, false]);
  await fixture.simulator.pass(5000);
  expect(owns(a)).toBe(true);
});

test('a call without a response blocks neither the loss of leadership nor later attempts', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let isSilent = false;
  const port: ClientPort = {
    ...client,
    get: (...args) => (isSilent ? neverSettles<ApiObject>() : client.get(...args)),
    update: (...args) => (isSilent ? neverSettles<ApiObject>() : client.update(...args)),
  };
  const a = start(fixture, 'a', { port });
  await fixture.simulator.pass(3000);
  isSilent = true;
  await fixture.simulator.pass(8999);
  expect(owns(a)).toBe(true);
  await fixture.simulator.pass(1);
  expect(owns(a)).toBe(false);
  await fixture.simulator.pass(2);
  expect(a.changes).toEqual([true, false]);
  expect(fixture.reportedEvents.at(-1)).toMatchObject({ leads: false, error: expect.any(Error) });
  isSilent = false;
  await fixture.simulator.pass(15_000);
  expect(owns(a)).toBe(true);
  expect(specOf(await fixture.readLease())).toMatchObject({ leaseTransitions: 0 });
});

test('a late renewal counts from the start of its request', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let isSlow = false;
  const port: ClientPort = {
    ...client,
    async update(...args) {
      const lease = await client.update(...args);
      if (isSlow) await new Promise<void>((resolve) => void fixture.machine.clock.schedule(resolve, 4000));
      return lease;
    },
  };
  const a = start(fixture, 'a', { port });
  await fixture.simulator.pass(1000);
  isSlow = true;
  await fixture.simulator.pass(5001);
  // The renewal begins at 2,000 ms and gets its response at 6,000 ms. No later request gets a response.
  isSlow = false;
  fixture.machine.pause();
  await fixture.simulator.pass(5998);
  expect(owns(a)).toBe(true);
  await fixture.simulator.pass(2);
  expect(owns(a)).toBe(false);
});

test('the election reports a loss and a gain if a renewal is answered after the deadline, because owns() was false in between', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let sendResponse: (() => void) | undefined;
  let isSlow = false;
  const port: ClientPort = {
    ...client,
    async update(...args) {
      const lease = await client.update(...args);
      if (isSlow)
        await new Promise<void>((resolve) => {
          sendResponse = resolve;
        });
      return lease;
    },
  };
  const a = start(fixture, 'a', { port });
  await fixture.simulator.pass(1000);
  isSlow = true;
  // The renewal begins at 2,000 ms, and the process is paused before it is answered.
  await fixture.simulator.pass(1500);
  fixture.machine.pause();
  await fixture.simulator.pass(8000);
  expect([owns(a), a.changes]).toStrictEqual([false, [true]]);
  sendResponse?.();
  await fixture.simulator.pass(0);
  expect([owns(a), a.changes]).toStrictEqual([true, [true, false, true]]);
});

test('a leader stops at once if the Lease names another holder', async () => {
  const fixture = await createFixture();
  const a = start(fixture, 'a');
  await fixture.simulator.pass(1000);
  const lease = await fixture.readLease();
  await fixture.server.client.update(resources.leases, { ...lease, spec: { ...specOf(lease), holderIdentity: 'x' } });
  await fixture.simulator.pass(1001);
  expect([owns(a), a.election.leader]).toEqual([false, 'x']);
  const lossEvents = fixture.reportedEvents.filter((event) => event.kind === 'leadership' && event.error !== undefined);
  expect(lossEvents).toMatchObject([{ leads: false, leader: 'x', error: { message: 'another process holds the Lease' } }]);
});

test.each([3_600_000 * 5, -3_600_000 * 5])('a change of the time of day by %i ms does not affect leadership', async (offsetMs) => {
  const fixture = await createFixture();
  const a = start(fixture, 'a');
  const b = start(fixture, 'b');
  await fixture.simulator.pass(20_000);
  fixture.machine.shiftTimeOfDay(offsetMs);
  await fixture.simulator.pass(60_000);
  expect([owns(a), owns(b), a.changes]).toEqual([true, false, [true]]);
});

test('a repeated error is reported once', async () => {
  const fixture = await createFixture();
  const port: ClientPort = { ...fixture.server.client, get: () => Promise.reject(new Error('connection refused')) };
  start(fixture, 'a', { port });
  await fixture.simulator.pass(60_000);
  expect(fixture.reportedEvents).toEqual([
    { kind: 'leadership', identity: 'a', leads: false, leader: undefined, error: new Error('connection refused') },
  ]);
});

test('run returns at once if aborted, can be repeated, and rejects concurrent runs', async () => {
  const fixture = await createFixture();
  const election = createLeaderElection(commonOptions(fixture));
  await election.run(AbortSignal.abort());
  for (const _ of [1, 2]) {
    const abortController = new AbortController();
    const ended = election.run(abortController.signal);
    await fixture.simulator.pass(3000);
    expect(election.ownership.owns('x')).toBe(true);
    await expect(election.run(abortController.signal)).rejects.toThrow('already running');
    abortController.abort();
    await ended;
  }
});

test.each([
  [{ identity: '' }, 'identity is ""'],
  [{ name: '' }, 'name is ""'],
  [{ namespace: 'Kube System' }, 'namespace is "Kube System"'],
  [{ leaseDuration: 5000 }, 'leaseDuration is 5000'],
  [{ drainTimeout: -5 }, 'drainTimeout is -5'],
])('createLeaderElection rejects %o', async (invalid, message) => {
  const fixture = await createFixture();
  expect(() => createLeaderElection({ ...commonOptions(fixture), ...invalid })).toThrow(RangeError);
  expect(() => createLeaderElection({ ...commonOptions(fixture), ...invalid })).toThrow(message);
});

test('clock and random default to those of the system', async () => {
  const { server } = await createFixture();
  const abortController = new AbortController();
  const owned: boolean[] = [];
  const election = createLeaderElection({ port: server.client, name: 'my-operator', identity: 'a' });
  election.ownership.onChange(() => {
    owned.push(election.ownership.owns('shop/web'));
    abortController.abort();
  });
  await election.run(abortController.signal);
  expect(owned).toEqual([true, false]);
});
