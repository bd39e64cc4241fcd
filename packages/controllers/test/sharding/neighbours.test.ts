import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import {
  findAbandonedLeases,
  isAlive,
  type Neighbour,
  type Neighbours,
  removeLease,
  updateNeighbours,
} from '../../src/sharding/neighbours.ts';
import { claimAnnotation, formatClaim } from '../../src/sharding/ring.ts';
import { commonOptions, createFixture } from '../election/fixture.ts';

const createLease = (spec: unknown, members?: readonly string[]): ApiObject => ({
  metadata: {
    name: 'g-b',
    uid: 'u',
    resourceVersion: '7',
    ...(members && { annotations: { [claimAnnotation]: formatClaim(members) } }),
  },
  spec,
});
const heldSpec = (renewTime = 't1', changes = {}): Record<string, unknown> => ({
  holderIdentity: 'b',
  leaseDurationSeconds: 15,
  renewTime,
  ...changes,
});
const update = (leases: readonly ApiObject[], start: number, previous: Neighbours = new Map()): Neighbours =>
  updateNeighbours(previous, { leases, start, end: start + 10, leaseDuration: 15_000 });
const singleNeighbour = (neighbours: Neighbours): Neighbour => {
  const [neighbour] = neighbours.values();
  if (!neighbour || neighbours.size !== 1) throw new Error(`expected 1 neighbour, got ${neighbours.size}`);
  return neighbour;
};

test('updateNeighbours returns the holder and claim of a Lease', () => {
  expect(singleNeighbour(update([createLease(heldSpec(), ['a', 'b'])], 0))).toEqual({
    name: 'g-b',
    identity: 'b',
    uid: 'u',
    resourceVersion: '7',
    claim: ['a', 'b'],
    isReplica: true,
    released: false,
    duration: 15_000,
    observation: { text: expect.any(String), changedAt: 10 },
  });
});

test('a neighbour is alive for the Lease duration after the first response with its current Lease', () => {
  const first = update([createLease(heldSpec(), [])], 0);
  const second = update([createLease(heldSpec(), [])], 15_009, first);
  expect(isAlive(singleNeighbour(second), 15_009)).toBe(true);
  expect(isAlive(singleNeighbour(update([createLease(heldSpec(), [])], 15_010, second)), 15_010)).toBe(false);
});

test.each([
  ['renewed its Lease', createLease(heldSpec('t2'), [])],
  ['changed its claim', createLease(heldSpec(), ['b'])],
])('a neighbour that %s is alive for another Lease duration', (_, changed) => {
  const neighbour = singleNeighbour(update([changed], 15_000, update([createLease(heldSpec(), [])], 0)));
  expect(isAlive(neighbour, 30_009)).toBe(true);
  expect(isAlive(neighbour, 30_010)).toBe(false);
});

test('a neighbour has the longer of its own and the configured Lease duration', () => {
  expect(singleNeighbour(update([createLease(heldSpec('t1', { leaseDurationSeconds: 60 }))], 0)).duration).toBe(60_000);
  expect(singleNeighbour(update([createLease(heldSpec('t1', { leaseDurationSeconds: 1 }))], 0)).duration).toBe(15_000);
});

test('a neighbour that released its Lease is not alive', () => {
  expect(isAlive(singleNeighbour(update([createLease({ holderIdentity: '' }, [])], 0)), 0)).toBe(false);
});

describe('the neighbour of a Lease that has disappeared', () => {
  test('is alive for one more Lease duration', () => {
    let neighbours = update([], 5000, update([createLease(heldSpec(), ['b'])], 0));
    expect(singleNeighbour(neighbours)).toMatchObject({ claim: ['b'], isReplica: false });
    neighbours = update([], 20_009, neighbours);
    expect(isAlive(singleNeighbour(neighbours), 20_009)).toBe(true);
    expect(update([], 20_010, neighbours).size).toBe(0);
  });

  test('is dropped if its Lease had expired or was released', () => {
    expect(update([], 15_010, update([createLease(heldSpec(), [])], 0)).size).toBe(0);
    expect(update([], 20, update([createLease({}, [])], 0)).size).toBe(0);
  });
});

test.each([null, {}, 'no spec'])('a Lease whose spec is %j has no holder', (spec) => {
  expect(singleNeighbour(update([createLease(spec)], 0))).toMatchObject({
    identity: '',
    released: true,
    claim: undefined,
    isReplica: false,
  });
});

const observeLease = (holderIdentity: string, annotations = {}): Neighbours =>
  updateNeighbours(new Map(), {
    leases: [{ metadata: { name: 'x', annotations }, spec: { holderIdentity } }],
    start: 0,
    end: 0,
    leaseDuration: 15_000,
  });
const replicaAnnotations = { [claimAnnotation]: formatClaim([]) };

test.each([
  ['was released', observeLease('', replicaAnnotations), 15_000],
  ['has expired', observeLease('b', replicaAnnotations), 45_000],
])('a Lease that %s is abandoned after its grace period', (_, neighbours, abandonedAt) => {
  expect(findAbandonedLeases(neighbours, abandonedAt - 1)).toEqual([]);
  expect(findAbandonedLeases(neighbours, abandonedAt)).toHaveLength(1);
});

test('a Lease without a claim never counts as abandoned', () => {
  expect(findAbandonedLeases(observeLease('b'), 1e9)).toEqual([]);
});

test('removeLease deletes a Lease, but not if it changed meanwhile, and ignores one that is gone', async () => {
  const fixture = await createFixture();
  const { port, namespace } = commonOptions(fixture);
  const lease = await port.create(resources.leases, { metadata: { namespace, name: 'x', annotations: replicaAnnotations }, spec: {} });
  const readNeighbours = (): Neighbours => updateNeighbours(new Map(), { leases: [lease], start: 0, end: 0, leaseDuration: 15_000 });
  const [neighbour] = findAbandonedLeases(readNeighbours(), 15_000);
  if (!neighbour) throw new Error('no Lease is abandoned');
  await port.update(resources.leases, { ...lease, spec: { holderIdentity: 'b' } });
  const { signal } = new AbortController();
  await expect(removeLease(port, namespace, neighbour, signal)).rejects.toMatchObject({ reason: 'Conflict' });
  const { metadata } = await fixture.readLease('x');
  await removeLease(port, namespace, { ...neighbour, resourceVersion: metadata.resourceVersion }, signal);
  await expect(fixture.readLease('x')).rejects.toMatchObject({ reason: 'NotFound' });
  await expect(removeLease(port, namespace, { ...neighbour, uid: undefined }, signal)).resolves.toBeUndefined();
});
