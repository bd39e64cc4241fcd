import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { abandonedLeases, isAlive, type Neighbour, type Neighbours, removeLease, updateNeighbours } from '../../src/sharding/neighbours.ts';
import { claimAnnotation, claimText } from '../../src/sharding/ring.ts';
import { createFixture, partsOf } from '../election/fixture.ts';

const lease = (spec: unknown, members?: readonly string[]): ApiObject => ({
  metadata: {
    name: 'g-b',
    uid: 'u',
    resourceVersion: '7',
    ...(members && { annotations: { [claimAnnotation]: claimText(members) } }),
  },
  spec,
});
const held = (renewTime = 't1', more = {}): Record<string, unknown> => ({
  holderIdentity: 'b',
  leaseDurationSeconds: 15,
  renewTime,
  ...more,
});
const update = (leases: readonly ApiObject[], start: number, before: Neighbours = new Map()): Neighbours =>
  updateNeighbours(before, { leases, start, end: start + 10, leaseDuration: 15_000 });
const only = (neighbours: Neighbours): Neighbour => {
  const [neighbour] = neighbours.values();
  if (!neighbour || neighbours.size !== 1) throw new Error(`there are ${neighbours.size}`);
  return neighbour;
};

test('updateNeighbours returns the holder and claim of a Lease', () => {
  expect(only(update([lease(held(), ['a', 'b'])], 0))).toEqual({
    name: 'g-b',
    identity: 'b',
    uid: 'u',
    resourceVersion: '7',
    claim: ['a', 'b'],
    isReplica: true,
    released: false,
    duration: 15_000,
    seen: { text: expect.any(String), at: 10 },
  });
});

test('a neighbour is alive for the Lease duration after the first answer with its current state', () => {
  const first = update([lease(held(), [])], 0);
  const second = update([lease(held(), [])], 15_009, first);
  expect(isAlive(only(second), 15_009)).toBe(true);
  expect(isAlive(only(update([lease(held(), [])], 15_010, second)), 15_010)).toBe(false);
});

test.each([
  ['renewed', lease(held('t2'), [])],
  ['claims something else', lease(held(), ['b'])],
])('a neighbour that %s is alive for another Lease duration', (_, changed) => {
  const neighbour = only(update([changed], 15_000, update([lease(held(), [])], 0)));
  expect(isAlive(neighbour, 30_009)).toBe(true);
  expect(isAlive(neighbour, 30_010)).toBe(false);
});

test('the longer of its own and the configured Lease duration applies', () => {
  expect(only(update([lease(held('t1', { leaseDurationSeconds: 60 }))], 0)).duration).toBe(60_000);
  expect(only(update([lease(held('t1', { leaseDurationSeconds: 1 }))], 0)).duration).toBe(15_000);
});

test('a neighbour that released its Lease is not alive', () => {
  expect(isAlive(only(update([lease({ holderIdentity: '' }, [])], 0)), 0)).toBe(false);
});

describe('a Lease that has disappeared', () => {
  test('is alive for one more Lease duration', () => {
    let neighbours = update([], 5000, update([lease(held(), ['b'])], 0));
    expect(only(neighbours)).toMatchObject({ claim: ['b'], isReplica: false });
    neighbours = update([], 20_009, neighbours);
    expect(isAlive(only(neighbours), 20_009)).toBe(true);
    expect(update([], 20_010, neighbours).size).toBe(0);
  });

  test('is dropped if it had expired or was released', () => {
    expect(update([], 15_010, update([lease(held(), [])], 0)).size).toBe(0);
    expect(update([], 20, update([lease({}, [])], 0)).size).toBe(0);
  });
});

test.each([null, {}, 'no spec'])('a Lease whose spec is %j has no holder', (spec) => {
  expect(only(update([lease(spec)], 0))).toMatchObject({ identity: '', released: true, claim: undefined, isReplica: false });
});

const see = (holderIdentity: string, annotations = {}): Neighbours =>
  updateNeighbours(new Map(), {
    leases: [{ metadata: { name: 'x', annotations }, spec: { holderIdentity } }],
    start: 0,
    end: 0,
    leaseDuration: 15_000,
  });
const replica = { [claimAnnotation]: claimText([]) };

test.each([
  ['given back', see('', replica), 15_000],
  ['run out', see('b', replica), 45_000],
])('a Lease that has %s becomes a leftover after its grace period', (_, neighbours, from) => {
  expect(abandonedLeases(neighbours, from - 1)).toEqual([]);
  expect(abandonedLeases(neighbours, from)).toHaveLength(1);
});

test('a Lease without a claim never counts as abandoned', () => {
  expect(abandonedLeases(see('b'), 1e9)).toEqual([]);
});

test('removeLease deletes a Lease, but not if it changed meanwhile, and ignores one that is gone', async () => {
  const fixture = await createFixture();
  const { port, namespace } = partsOf(fixture);
  const lease = await port.create(resources.leases, { metadata: { namespace, name: 'x', annotations: replica }, spec: {} });
  const find = (): Neighbours => updateNeighbours(new Map(), { leases: [lease], start: 0, end: 0, leaseDuration: 15_000 });
  const [neighbour] = abandonedLeases(find(), 15_000);
  if (!neighbour) throw new Error('nothing is left over');
  await port.update(resources.leases, { ...lease, spec: { holderIdentity: 'b' } });
  const { signal } = new AbortController();
  await expect(removeLease(port, namespace, neighbour, signal)).rejects.toMatchObject({ reason: 'Conflict' });
  const { metadata } = await fixture.lease('x');
  await removeLease(port, namespace, { ...neighbour, resourceVersion: metadata.resourceVersion }, signal);
  await expect(fixture.lease('x')).rejects.toMatchObject({ reason: 'NotFound' });
  await expect(removeLease(port, namespace, { ...neighbour, uid: undefined }, signal)).resolves.toBeUndefined();
});
