import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createSharding, type Sharding, type ShardingOptions } from '../../src/sharding/index.ts';
import { claimAnnotation, claimText, groupLabel } from '../../src/sharding/ring.ts';
import { createFixture, type Fixture, partsOf, specOf } from '../election/fixture.ts';

const keys = Array.from({ length: 300 }, (_, i) => `shop/web-${i}`);

interface Running {
  readonly identity: string;
  readonly sharding: Sharding;
  readonly stop: () => Promise<void>;
  changes: number;
}

function start(fixture: Fixture, identity: string, options: Partial<ShardingOptions> = {}): Running {
  const sharding = createSharding({ ...partsOf(fixture, identity), onEvent: (event) => fixture.reported.push(event), ...options });
  const controller = new AbortController();
  const ended = sharding.run(controller.signal);
  const stop = (): Promise<void> => {
    controller.abort();
    return ended;
  };
  const running: Running = { identity, sharding, stop, changes: 0 };
  sharding.ownership.onChange(() => running.changes++);
  return running;
}

async function startAll(fixture: Fixture, ...identities: string[]): Promise<Running[]> {
  const all = identities.map((identity) => start(fixture, identity));
  await fixture.world.pass(10_000);
  return all;
}

/** The owners of each key. */
const ownersOf = (all: readonly Running[]): string[] =>
  keys.map((key) => all.flatMap(({ identity, sharding }) => (sharding.ownership.owns(key) ? [identity] : [])).join(' and '));
const leases = async ({ server }: Fixture): Promise<readonly ApiObject[]> => {
  const { items } = await server.client.list(resources.leases, { labelSelector: `${groupLabel}=controllers` });
  return items;
};
const never = <T>(): Promise<T> => new Promise(() => undefined);

test('a single replica owns every key after its first list', async () => {
  const fixture = await createFixture();
  const a = start(fixture, 'a');
  await fixture.world.pass(0);
  expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
  expect([a.sharding.members, a.changes]).toEqual([['a'], 1]);
  expect(fixture.reported).toEqual([{ kind: 'shards', identity: 'a', members: ['a'] }]);
  const [lease] = await leases(fixture);
  expect(specOf(lease as ApiObject)).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15 });
  expect(lease?.metadata.annotations).toEqual({ [claimAnnotation]: claimText(['a']) });
});

test('replicas share the keys, and owners stay the same while the members do', async () => {
  const fixture = await createFixture();
  const all = await startAll(fixture, 'a', 'b', 'c');
  const owners = ownersOf(all);
  expect(new Set(owners)).toEqual(new Set(['a', 'b', 'c']));
  expect(all.map(({ sharding }) => sharding.members)).toEqual([1, 2, 3].map(() => ['a', 'b', 'c']));
  const changes = all.map((each) => each.changes);
  await fixture.world.pass(60_000);
  expect(ownersOf(all)).toEqual(owners);
  expect(all.map((each) => each.changes)).toEqual(changes);
});

test('a new replica takes keys of all others, and no other key moves', async () => {
  const fixture = await createFixture();
  const all = await startAll(fixture, 'a', 'b', 'c');
  const before = ownersOf(all);
  const d = start(fixture, 'd');
  await fixture.world.pass(5000);
  const after = ownersOf([...all, d]);
  const moved = keys.filter((_, i) => before[i] !== after[i]);
  expect(moved).toEqual(keys.filter((_, i) => after[i] === 'd'));
  expect(moved.length).toBeGreaterThan(keys.length / 8);
  expect(moved.length).toBeLessThan(keys.length / 2.5);
  expect(new Set(before.filter((_, i) => after[i] === 'd'))).toEqual(new Set(['a', 'b', 'c']));
});

test('a leaving replica finishes its work; then others take over exactly its keys within two retry periods', async () => {
  const fixture = await createFixture();
  const [a, b] = await startAll(fixture, 'a', 'b');
  const work = Promise.withResolvers<void>();
  const c = start(fixture, 'c', { beforeRelease: () => work.promise });
  await fixture.world.pass(10_000);
  const all = [a, b, c] as Running[];
  const before = ownersOf(all);
  const stopped = c.stop();
  const released = before.map((owner) => (owner === 'c' ? '' : owner));
  expect(ownersOf(all)).toEqual(released);
  await fixture.world.pass(8000);
  expect(ownersOf(all)).toEqual(released);
  work.resolve();
  await stopped;
  await fixture.world.pass(4800);
  const after = ownersOf(all);
  expect(keys.filter((_, i) => before[i] !== after[i])).toEqual(keys.filter((_, i) => before[i] === 'c'));
  expect(after).not.toContain('');
  await fixture.world.pass(20_000);
  expect((await leases(fixture)).map((lease) => specOf(lease)['holderIdentity'])).toEqual(['a', 'b']);
});

test.each([
  ['whose work does not end', { beforeRelease: () => never<void>(), drainTimeout: 100 }],
  ['that is not to give back its Lease', { releaseOnExit: false }],
])('the keys of a replica %s are taken over only when its Lease expires', async (_, options) => {
  const fixture = await createFixture();
  const [a] = await startAll(fixture, 'a');
  const b = start(fixture, 'b', options);
  await fixture.world.pass(10_000);
  const stopped = b.stop();
  await fixture.world.pass(100);
  await stopped;
  await fixture.world.pass(12_000);
  expect(ownersOf([a as Running])).toContain('');
  await fixture.world.pass(8000);
  expect(ownersOf([a as Running])).not.toContain('');
});

test('a replica that cannot renew owns nothing before others take over', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  let cut = false;
  const port: ClientPort = {
    ...client,
    get: (...args) => (cut ? never<ApiObject>() : client.get(...args)),
    list: (...args) => (cut ? never<never>() : client.list(...args)),
    update: (...args) => (cut ? never<ApiObject>() : client.update(...args)),
  };
  const [a] = await startAll(fixture, 'a');
  const b = start(fixture, 'b', { port });
  await fixture.world.pass(10_000);
  const all = [a as Running, b];
  cut = true;
  await fixture.world.pass(10_001);
  expect(ownersOf(all)).not.toContain('b');
  expect(ownersOf(all)).toContain('');
  await fixture.world.pass(12_000);
  expect(new Set(ownersOf(all))).toEqual(new Set(['a']));
  cut = false;
  await fixture.world.pass(15_000);
  expect(new Set(ownersOf(all))).toEqual(new Set(['a', 'b']));
});

describe('if another client changes a Lease', () => {
  const change = async (fixture: Fixture, metadata: unknown): Promise<void> => {
    const [lease] = await leases(fixture);
    const { namespace = '', name = '' } = lease?.metadata ?? {};
    await fixture.server.client.patch(resources.leases, { namespace, name }, { metadata }, { type: 'merge' });
  };

  test('a removed label is restored without a takeover', async () => {
    const fixture = await createFixture();
    const all = await startAll(fixture, 'a', 'b');
    const before = ownersOf(all);
    await change(fixture, { labels: { [groupLabel]: null } });
    await fixture.world.pass(6000);
    expect([(await leases(fixture)).length, ownersOf(all)]).toEqual([2, before]);
  });

  test('a deleted Lease is recreated without a takeover', async () => {
    const fixture = await createFixture();
    const all = await startAll(fixture, 'a', 'b');
    const before = ownersOf(all);
    const [lease] = await leases(fixture);
    await fixture.server.client.delete(resources.leases, { namespace: 'kube-system', name: lease?.metadata.name ?? '' });
    await fixture.world.pass(6000);
    expect([(await leases(fixture)).length, ownersOf(all)]).toEqual([2, before]);
  });

  test('a changed claim is restored', async () => {
    const fixture = await createFixture();
    const all = await startAll(fixture, 'a', 'b');
    const before = ownersOf(all);
    await change(fixture, { annotations: { [claimAnnotation]: claimText([]) } });
    await fixture.world.pass(6000);
    expect(ownersOf(all)).toEqual(before);
  });

  test('a foreign Lease in the group blocks ownership until it expires, and is not deleted', async () => {
    const fixture = await createFixture();
    const spec = { holderIdentity: 'somebody' };
    await fixture.server.client.create(resources.leases, {
      metadata: { namespace: 'kube-system', name: 'hand', labels: { [groupLabel]: 'controllers' } },
      spec,
    });
    const a = start(fixture, 'a');
    await fixture.world.pass(14_999);
    expect([new Set(ownersOf([a])), a.sharding.members]).toEqual([new Set(['']), ['a']]);
    await fixture.world.pass(3000);
    expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
    await fixture.world.pass(100_000);
    expect(await leases(fixture)).toHaveLength(2);
  });
});

test('groups are independent of each other', async () => {
  const fixture = await createFixture();
  const [a] = await startAll(fixture, 'a');
  const other = start(fixture, 'b', { name: 'others' });
  await fixture.world.pass(5000);
  expect([a?.sharding.members, other.sharding.members]).toEqual([['a'], ['b']]);
});

test('a replica with an identity in use waits until the other replica is gone', async () => {
  const fixture = await createFixture();
  const [first] = await startAll(fixture, 'a');
  const second = start(fixture, 'a', { random: () => 0.25 });
  await fixture.world.pass(60_000);
  expect([new Set(ownersOf([first as Running])), new Set(ownersOf([second]))]).toEqual([new Set(['a']), new Set([''])]);
  await first?.stop();
  await fixture.world.pass(5000);
  expect(new Set(ownersOf([second]))).toEqual(new Set(['a']));
});

test('lists of Leases are read page by page', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const port: ClientPort = { ...client, list: (resource, options) => client.list(resource, { ...options, limit: 2 }) };
  const all = ['a', 'b', 'c', 'd', 'e'].map((identity) => start(fixture, identity, { port }));
  await fixture.world.pass(10_000);
  expect(all.map(({ sharding }) => sharding.members.join(''))).toEqual(['abcde', 'abcde', 'abcde', 'abcde', 'abcde']);
  expect(ownersOf(all)).not.toContain('');
});

test('list items that are not valid Leases are skipped', async () => {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const list: ClientPort['list'] = async (...args) => {
    const answer = await client.list(...args);
    return { ...answer, items: [null, {}, { metadata: null }, ...answer.items] as ApiObject[] };
  };
  const a = start(fixture, 'a', { port: { ...client, list } });
  await fixture.world.pass(5000);
  expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
});

test('run returns at once if aborted, can be repeated, and rejects concurrent runs', async () => {
  const fixture = await createFixture();
  const sharding = createSharding(partsOf(fixture));
  await sharding.run(AbortSignal.abort());
  for (const _ of [1, 2]) {
    const controller = new AbortController();
    const ended = sharding.run(controller.signal);
    await fixture.world.pass(3000);
    expect(sharding.ownership.owns('x')).toBe(true);
    await expect(sharding.run(controller.signal)).rejects.toThrow('already running');
    controller.abort();
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
])('createSharding rejects %j', async (invalid, message) => {
  const fixture = await createFixture();
  expect(() => createSharding({ ...partsOf(fixture), ...invalid })).toThrow(RangeError);
  expect(() => createSharding({ ...partsOf(fixture), ...invalid })).toThrow(message);
});
