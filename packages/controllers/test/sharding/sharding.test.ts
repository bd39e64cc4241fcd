import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createSharding, type Sharding, type ShardingOptions } from '../../src/sharding/index.ts';
import { claimAnnotation, claimText, groupLabel } from '../../src/sharding/ring.ts';
import { createPlace, type Place, partsOf, specOf } from '../election/place.ts';

const keys = Array.from({ length: 300 }, (_, i) => `shop/web-${i}`);

interface Running {
  readonly identity: string;
  readonly sharding: Sharding;
  readonly stop: () => Promise<void>;
  changes: number;
}

function start(place: Place, identity: string, options: Partial<ShardingOptions> = {}): Running {
  const sharding = createSharding({ ...partsOf(place, identity), onEvent: (event) => place.told.push(event), ...options });
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

async function startAll(place: Place, ...identities: string[]): Promise<Running[]> {
  const all = identities.map((identity) => start(place, identity));
  await place.world.pass(10_000);
  return all;
}

/** The owners of each key. */
const ownersOf = (all: readonly Running[]): string[] =>
  keys.map((key) => all.flatMap(({ identity, sharding }) => (sharding.ownership.owns(key) ? [identity] : [])).join(' and '));
const leases = async ({ server }: Place): Promise<readonly ApiObject[]> => {
  const { items } = await server.client.list(resources.leases, { labelSelector: `${groupLabel}=controllers` });
  return items;
};
const never = <T>(): Promise<T> => new Promise(() => undefined);

test('a single replica owns every key after its first list', async () => {
  const place = await createPlace();
  const a = start(place, 'a');
  await place.world.pass(0);
  expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
  expect([a.sharding.members, a.changes]).toEqual([['a'], 1]);
  expect(place.told).toEqual([{ kind: 'shards', identity: 'a', members: ['a'] }]);
  const [lease] = await leases(place);
  expect(specOf(lease as ApiObject)).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15 });
  expect(lease?.metadata.annotations).toEqual({ [claimAnnotation]: claimText(['a']) });
});

test('replicas share the keys, and owners stay the same while the members do', async () => {
  const place = await createPlace();
  const all = await startAll(place, 'a', 'b', 'c');
  const owners = ownersOf(all);
  expect(new Set(owners)).toEqual(new Set(['a', 'b', 'c']));
  expect(all.map(({ sharding }) => sharding.members)).toEqual([1, 2, 3].map(() => ['a', 'b', 'c']));
  const changes = all.map((each) => each.changes);
  await place.world.pass(60_000);
  expect(ownersOf(all)).toEqual(owners);
  expect(all.map((each) => each.changes)).toEqual(changes);
});

test('a new replica takes keys of all others, and no other key moves', async () => {
  const place = await createPlace();
  const all = await startAll(place, 'a', 'b', 'c');
  const before = ownersOf(all);
  const d = start(place, 'd');
  await place.world.pass(5000);
  const after = ownersOf([...all, d]);
  const moved = keys.filter((_, i) => before[i] !== after[i]);
  expect(moved).toEqual(keys.filter((_, i) => after[i] === 'd'));
  expect(moved.length).toBeGreaterThan(keys.length / 8);
  expect(moved.length).toBeLessThan(keys.length / 2.5);
  expect(new Set(before.filter((_, i) => after[i] === 'd'))).toEqual(new Set(['a', 'b', 'c']));
});

test('a leaving replica finishes its work; then others take over exactly its keys within two retry periods', async () => {
  const place = await createPlace();
  const [a, b] = await startAll(place, 'a', 'b');
  const work = Promise.withResolvers<void>();
  const c = start(place, 'c', { beforeRelease: () => work.promise });
  await place.world.pass(10_000);
  const all = [a, b, c] as Running[];
  const before = ownersOf(all);
  const stopped = c.stop();
  const released = before.map((owner) => (owner === 'c' ? '' : owner));
  expect(ownersOf(all)).toEqual(released);
  await place.world.pass(8000);
  expect(ownersOf(all)).toEqual(released);
  work.resolve();
  await stopped;
  await place.world.pass(4800);
  const after = ownersOf(all);
  expect(keys.filter((_, i) => before[i] !== after[i])).toEqual(keys.filter((_, i) => before[i] === 'c'));
  expect(after).not.toContain('');
  await place.world.pass(20_000);
  expect((await leases(place)).map((lease) => specOf(lease)['holderIdentity'])).toEqual(['a', 'b']);
});

test.each([
  ['whose work does not end', { beforeRelease: () => never<void>(), drainTimeout: 100 }],
  ['that is not to give back its Lease', { releaseOnExit: false }],
])('the keys of a replica %s are taken over only when its Lease expires', async (_, options) => {
  const place = await createPlace();
  const [a] = await startAll(place, 'a');
  const b = start(place, 'b', options);
  await place.world.pass(10_000);
  const stopped = b.stop();
  await place.world.pass(100);
  await stopped;
  await place.world.pass(12_000);
  expect(ownersOf([a as Running])).toContain('');
  await place.world.pass(8000);
  expect(ownersOf([a as Running])).not.toContain('');
});

test('a replica that cannot renew owns nothing before others take over', async () => {
  const place = await createPlace();
  const { client } = place.server;
  let cut = false;
  const port: ClientPort = {
    ...client,
    get: (...given) => (cut ? never<ApiObject>() : client.get(...given)),
    list: (...given) => (cut ? never<never>() : client.list(...given)),
    update: (...given) => (cut ? never<ApiObject>() : client.update(...given)),
  };
  const [a] = await startAll(place, 'a');
  const b = start(place, 'b', { port });
  await place.world.pass(10_000);
  const all = [a as Running, b];
  cut = true;
  await place.world.pass(10_001);
  expect(ownersOf(all)).not.toContain('b');
  expect(ownersOf(all)).toContain('');
  await place.world.pass(12_000);
  expect(new Set(ownersOf(all))).toEqual(new Set(['a']));
  cut = false;
  await place.world.pass(15_000);
  expect(new Set(ownersOf(all))).toEqual(new Set(['a', 'b']));
});

describe('if another client changes a Lease', () => {
  const change = async (place: Place, metadata: unknown): Promise<void> => {
    const [lease] = await leases(place);
    const { namespace = '', name = '' } = lease?.metadata ?? {};
    await place.server.client.patch(resources.leases, { namespace, name }, { metadata }, { type: 'merge' });
  };

  test('a removed label is restored without a takeover', async () => {
    const place = await createPlace();
    const all = await startAll(place, 'a', 'b');
    const before = ownersOf(all);
    await change(place, { labels: { [groupLabel]: null } });
    await place.world.pass(6000);
    expect([(await leases(place)).length, ownersOf(all)]).toEqual([2, before]);
  });

  test('a deleted Lease is recreated without a takeover', async () => {
    const place = await createPlace();
    const all = await startAll(place, 'a', 'b');
    const before = ownersOf(all);
    const [lease] = await leases(place);
    await place.server.client.delete(resources.leases, { namespace: 'kube-system', name: lease?.metadata.name ?? '' });
    await place.world.pass(6000);
    expect([(await leases(place)).length, ownersOf(all)]).toEqual([2, before]);
  });

  test('a changed claim is restored', async () => {
    const place = await createPlace();
    const all = await startAll(place, 'a', 'b');
    const before = ownersOf(all);
    await change(place, { annotations: { [claimAnnotation]: claimText([]) } });
    await place.world.pass(6000);
    expect(ownersOf(all)).toEqual(before);
  });

  test('a foreign Lease in the group blocks ownership until it expires, and is not deleted', async () => {
    const place = await createPlace();
    const spec = { holderIdentity: 'somebody' };
    await place.server.client.create(resources.leases, {
      metadata: { namespace: 'kube-system', name: 'hand', labels: { [groupLabel]: 'controllers' } },
      spec,
    });
    const a = start(place, 'a');
    await place.world.pass(14_999);
    expect([new Set(ownersOf([a])), a.sharding.members]).toEqual([new Set(['']), ['a']]);
    await place.world.pass(3000);
    expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
    await place.world.pass(100_000);
    expect(await leases(place)).toHaveLength(2);
  });
});

test('groups are independent of each other', async () => {
  const place = await createPlace();
  const [a] = await startAll(place, 'a');
  const other = start(place, 'b', { name: 'others' });
  await place.world.pass(5000);
  expect([a?.sharding.members, other.sharding.members]).toEqual([['a'], ['b']]);
});

test('a replica with an identity in use waits until the other replica is gone', async () => {
  const place = await createPlace();
  const [first] = await startAll(place, 'a');
  const second = start(place, 'a', { random: () => 0.25 });
  await place.world.pass(60_000);
  expect([new Set(ownersOf([first as Running])), new Set(ownersOf([second]))]).toEqual([new Set(['a']), new Set([''])]);
  await first?.stop();
  await place.world.pass(5000);
  expect(new Set(ownersOf([second]))).toEqual(new Set(['a']));
});

test('lists of Leases are read page by page', async () => {
  const place = await createPlace();
  const { client } = place.server;
  const port: ClientPort = { ...client, list: (resource, options) => client.list(resource, { ...options, limit: 2 }) };
  const all = ['a', 'b', 'c', 'd', 'e'].map((identity) => start(place, identity, { port }));
  await place.world.pass(10_000);
  expect(all.map(({ sharding }) => sharding.members.join(''))).toEqual(['abcde', 'abcde', 'abcde', 'abcde', 'abcde']);
  expect(ownersOf(all)).not.toContain('');
});

test('list items that are not valid Leases are skipped', async () => {
  const place = await createPlace();
  const { client } = place.server;
  const list: ClientPort['list'] = async (...given) => {
    const answer = await client.list(...given);
    return { ...answer, items: [null, {}, { metadata: null }, ...answer.items] as ApiObject[] };
  };
  const a = start(place, 'a', { port: { ...client, list } });
  await place.world.pass(5000);
  expect(new Set(ownersOf([a]))).toEqual(new Set(['a']));
});

test('run returns at once if aborted, can be repeated, and rejects concurrent runs', async () => {
  const place = await createPlace();
  const sharding = createSharding(partsOf(place));
  await sharding.run(AbortSignal.abort());
  for (const _ of [1, 2]) {
    const controller = new AbortController();
    const ended = sharding.run(controller.signal);
    await place.world.pass(3000);
    expect(sharding.ownership.owns('x')).toBe(true);
    await expect(sharding.run(controller.signal)).rejects.toThrow('running already');
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
])('createSharding rejects %j', async (wrong, message) => {
  const place = await createPlace();
  expect(() => createSharding({ ...partsOf(place), ...wrong })).toThrow(RangeError);
  expect(() => createSharding({ ...partsOf(place), ...wrong })).toThrow(message);
});
