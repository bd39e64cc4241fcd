import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createSharding, type Sharding, type ShardingOptions } from '../../src/sharding/index.ts';
import { claimAnnotation, formatClaim, groupLabel } from '../../src/sharding/ring.ts';
import { commonOptions, createFixture, type Fixture, specOf } from '../election/fixture.ts';

const keys = Array.from({ length: 300 }, (_, i) => `shop/web-${i}`);

interface RunningReplica {
  readonly identity: string;
  readonly sharding: Sharding;
  readonly stop: () => Promise<void>;
  changeCount: number;
}

function start(fixture: Fixture, identity: string, options: Partial<ShardingOptions> = {}): RunningReplica {
  const sharding = createSharding({
    ...commonOptions(fixture, identity),
    onEvent: (event) => fixture.reportedEvents.push(event),
    ...options,
  });
  const abortController = new AbortController();
  const ended = sharding.run(abortController.signal);
  const stop = (): Promise<void> => {
    abortController.abort();
    return ended;
  };
  const running: RunningReplica = { identity, sharding, stop, changeCount: 0 };
  sharding.ownership.onChange(() => running.changeCount++);
  return running;
}

async function startAll(fixture: Fixture, ...identities: string[]): Promise<RunningReplica[]> {
  const replicas = identities.map((identity) => start(fixture, identity));
  await fixture.simulator.pass(10_000);
  return replicas;
}

/** The owners of each key, as text; empty if it has none. */
const ownersOf = (replicas: readonly RunningReplica[]): string[] =>
  keys.map((key) => replicas.flatMap(({ identity, sharding }) => (sharding.ownership.owns(key) ? [identity] : [])).join(' and '));
const listLeases = async ({ server }: Fixture): Promise<readonly ApiObject[]> => {
  const { items } = await server.client.list(resources.leases, { labelSelector: `${groupLabel}=controllers` });
  return items;
};
const neverSettles = <T>(): Promise<T> => new Promise(() => undefined);

test('a single replica owns every key after its first list', async () => {
  const fixture = await createFixture();
  const a = start(fixture, 'a');
  await fixture.simulator.pass(0);
  expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
  expect([a.sharding.members, a.changeCount]).toEqual([['a'], 1]);
  expect(fixture.reportedEvents).toEqual([{ kind: 'shards', identity: 'a', members: ['a'] }]);
  const [lease] = await listLeases(fixture);
  expect(specOf(lease as ApiObject)).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15 });
  expect(lease?.metadata.annotations).toEqual({ [claimAnnotation]: formatClaim(['a']) });
});

test('replicas share the keys, and owners do not change while the members are the same', async () => {
  const fixture = await createFixture();
  const replicas = await startAll(fixture, 'a', 'b', 'c');
  const owners = ownersOf(replicas);
  expect(new Set(owners)).toEqual(new Set(['a', 'b', 'c']));
  expect(replicas.map(({ sharding }) => sharding.members)).toEqual([1, 2, 3].map(() => ['a', 'b', 'c']));
  const changeCounts = replicas.map((each) => each.changeCount);
  await fixture.simulator.pass(60_000);
  expect(ownersOf(replicas)).toEqual(owners);
  expect(replicas.map((each) => each.changeCount)).toEqual(changeCounts);
});

test('a new replica takes keys of all others, and no other key moves', async () => {
  const fixture = await createFixture();
  const replicas = await startAll(fixture, 'a', 'b', 'c');
  const ownersBefore = ownersOf(replicas);
  const d = start(fixture, 'd');
  await fixture.simulator.pass(5000);
  const ownersAfter = ownersOf([...replicas, d]);
  const movedKeys = keys.filter((_, i) => ownersBefore[i] !== ownersAfter[i]);
  expect(movedKeys).toEqual(keys.filter((_, i) => ownersAfter[i] === 'd'));
  expect(movedKeys.length).toBeGreaterThan(keys.length / 8);
  expect(movedKeys.length).toBeLessThan(keys.length / 2.5);
  expect(new Set(ownersBefore.filter((_, i) => ownersAfter[i] === 'd'))).toEqual(new Set(['a', 'b', 'c']));
});

test('a leaving replica finishes its work; then others take over exactly its keys within two retry periods', async () => {
  const fixture = await createFixture();
  const [a, b] = await startAll(fixture, 'a', 'b');
  const work = Promise.withResolvers<void>();
  const c = start(fixture, 'c', { beforeRelease: () => work.promise });
  await fixture.simulator.pass(10_000);
  const replicas = [a, b, c] as RunningReplica[];
  const ownersBefore = ownersOf(replicas);
  const stopped = c.stop();
  const ownersDuringShutdown = ownersBefore.map((owner) => (owner === 'c' ? '' : owner));
  expect(ownersOf(replicas)).toEqual(ownersDuringShutdown);
  await fixture.simulator.pass(8000);
  expect(ownersOf(replicas)).toEqual(ownersDuringShutdown);
  work.resolve();
  await stopped;
  // Two retry periods of 2 s, each at most 20% longer.
  await fixture.simulator.pass(4800);
  const ownersAfter = ownersOf(replicas);
  expect(keys.filter((_, i) => ownersBefore[i] !== ownersAfter[i])).toEqual(keys.filter((_, i) => ownersBefore[i] === 'c'));
  expect(ownersAfter).not.toContain('');
  await fixture.simulator.pass(20_000);
  expect((await listLeases(fixture)).map((lease) => specOf(lease)['holderIdentity'])).toEqual(['a', 'b']);
});

test.each([
  ['whose work does not end', { beforeRelease: () => neverSettles<void>(), drainTimeout: 100 }],
  ['with releaseOnExit: false', { releaseOnExit: false }],
])('the keys of a replica %s are taken over only when its Lease expires', async (_, options) => {
  const fixture = await createFixture();
  const [a] = await startAll(fixture, 'a');
  const b = start(fixture, 'b', options);
  await fixture.simulator.pass(10_000);
  const stopped = b.stop();
  await fixture.simulator.pass(100);
  await stopped;
  await fixture.simulator.pass(12_000);
  expect(ownersOf([a as RunningReplica])).toContain('');
  await fixture.simulator.pass(8000);
  expect(ownersOf([a as RunningReplica])).not.toContain('');
});

test('a replica that cannot renew owns nothing before others take over', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let isDisconnected = false;
  const port: ClientPort = {
    ...client,
    get: (...args) => (isDisconnected ? neverSettles<ApiObject>() : client.get(...args)),
    list: (...args) => (isDisconnected ? neverSettles<never>() : client.list(...args)),
    update: (...args) => (isDisconnected ? neverSettles<ApiObject>() : client.update(...args)),
  };
  const [a] = await startAll(fixture, 'a');
  const b = start(fixture, 'b', { port });
  await fixture.simulator.pass(10_000);
  const replicas = [a as RunningReplica, b];
  isDisconnected = true;
  // The renewDeadline is 10 s.
  await fixture.simulator.pass(10_001);
  expect(ownersOf(replicas)).not.toContain('b');
  expect(ownersOf(replicas)).toContain('');
  await fixture.simulator.pass(12_000);
  expect(new Set(ownersOf(replicas))).toEqual(new Set(['a']));
  isDisconnected = false;
  await fixture.simulator.pass(15_000);
  expect(new Set(ownersOf(replicas))).toEqual(new Set(['a', 'b']));
});

describe('if another client changes a Lease', () => {
  const changeLeaseMetadata = async (fixture: Fixture, metadata: unknown): Promise<void> => {
    const [lease] = await listLeases(fixture);
    const { namespace = '', name = '' } = lease?.metadata ?? {};
    await fixture.server.client.patch(resources.leases, { namespace, name }, { metadata }, { type: 'merge' });
  };

  test('a removed label is restored without a takeover', async () => {
    const fixture = await createFixture();
    const replicas = await startAll(fixture, 'a', 'b');
    const ownersBefore = ownersOf(replicas);
    await changeLeaseMetadata(fixture, { labels: { [groupLabel]: null } });
    await fixture.simulator.pass(6000);
    expect([(await listLeases(fixture)).length, ownersOf(replicas)]).toEqual([2, ownersBefore]);
  });

  test('a deleted Lease is recreated without a takeover', async () => {
    const fixture = await createFixture();
    const replicas = await startAll(fixture, 'a', 'b');
    const ownersBefore = ownersOf(replicas);
    const [lease] = await listLeases(fixture);
    await fixture.server.client.delete(resources.leases, { namespace: 'kube-system', name: lease?.metadata.name ?? '' });
    await fixture.simulator.pass(6000);
    expect([(await listLeases(fixture)).length, ownersOf(replicas)]).toEqual([2, ownersBefore]);
  });

  test('a changed claim is restored', async () => {
    const fixture = await createFixture();
    const replicas = await startAll(fixture, 'a', 'b');
    const ownersBefore = ownersOf(replicas);
    await changeLeaseMetadata(fixture, { annotations: { [claimAnnotation]: formatClaim([]) } });
    await fixture.simulator.pass(6000);
    expect(ownersOf(replicas)).toEqual(ownersBefore);
  });

  test('a Lease of another program with the label of the group blocks ownership until it expires, and is not deleted', async () => {
    const fixture = await createFixture();
    const spec = { holderIdentity: 'another-program' };
    await fixture.server.client.create(resources.leases, {
      metadata: { namespace: 'kube-system', name: 'foreign', labels: { [groupLabel]: 'controllers' } },
      spec,
    });
    const a = start(fixture, 'a');
    // The leaseDuration is 15 s.
    await fixture.simulator.pass(14_999);
    expect([new Set(ownersOf([a])), a.sharding.members]).toEqual([new Set(['']), ['a']]);
    await fixture.simulator.pass(3000);
    expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
    await fixture.simulator.pass(100_000);
    expect(await listLeases(fixture)).toHaveLength(2);
  });
});

test('groups are independent of each other', async () => {
  const fixture = await createFixture();
  const [a] = await startAll(fixture, 'a');
  const otherGroup = start(fixture, 'b', { name: 'others' });
  await fixture.simulator.pass(5000);
  expect([a?.sharding.members, otherGroup.sharding.members]).toEqual([['a'], ['b']]);
});

test('a replica with the identity of another replica waits until that replica has stopped', async () => {
  const fixture = await createFixture();
  const [first] = await startAll(fixture, 'a');
  const second = start(fixture, 'a', { random: () => 0.25 });
  await fixture.simulator.pass(60_000);
  expect([new Set(ownersOf([first as RunningReplica])), new Set(ownersOf([second]))]).toEqual([new Set(['a']), new Set([''])]);
  await first?.stop();
  await fixture.simulator.pass(5000);
  expect(new Set(ownersOf([second]))).toEqual(new Set(['a']));
});

test('lists of Leases are read page by page', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const port: ClientPort = { ...client, list: (resource, options) => client.list(resource, { ...options, limit: 2 }) };
  const replicas = ['a', 'b', 'c', 'd', 'e'].map((identity) => start(fixture, identity, { port }));
  await fixture.simulator.pass(10_000);
  expect(replicas.map(({ sharding }) => sharding.members.join(''))).toEqual(['abcde', 'abcde', 'abcde', 'abcde', 'abcde']);
  expect(ownersOf(replicas)).not.toContain('');
});

test('list items that are not valid Leases are skipped', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const list: ClientPort['list'] = async (...args) => {
    const answer = await client.list(...args);
    return { ...answer, items: [null, {}, { metadata: null }, ...answer.items] as ApiObject[] };
  };
  const a = start(fixture, 'a', { port: { ...client, list } });
  await fixture.simulator.pass(5000);
  expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
});

test('run returns at once if aborted, can be repeated, and rejects concurrent runs', async () => {
  const fixture = await createFixture();
  const sharding = createSharding(commonOptions(fixture));
  await sharding.run(AbortSignal.abort());
  for (const _ of [1, 2]) {
    const abortController = new AbortController();
    const ended = sharding.run(abortController.signal);
    await fixture.simulator.pass(3000);
    expect(sharding.ownership.owns('x')).toBe(true);
    await expect(sharding.run(abortController.signal)).rejects.toThrow('already running');
    abortController.abort();
    expect(sharding.ownership.owns('x')).toBe(false);
    await ended;
  }
});

test.each([
  [{ identity: '' }, 'identity is ""'],
  [{ name: 'Group' }, 'name is "Group"'],
  [{ name: 'g'.repeat(64) }, 'give a name of 63 characters or fewer'],
  [{ namespace: '' }, 'namespace is ""'],
  [{ retryPeriod: 9000 }, 'renewDeadline is 10000'],
  [{ drainTimeout: Number.NaN }, 'drainTimeout is NaN'],
])('createSharding rejects %o', async (invalid, message) => {
  const fixture = await createFixture();
  expect(() => createSharding({ ...commonOptions(fixture), ...invalid })).toThrow(RangeError);
  expect(() => createSharding({ ...commonOptions(fixture), ...invalid })).toThrow(message);
});
