import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { leftovers, lookAround, type Neighbours, removeLease } from '../../src/sharding/neighbours.ts';
import { claimAnnotation, claimText } from '../../src/sharding/ring.ts';
import { createPlace, partsOf } from '../election/place.ts';

const see = (holderIdentity: string, annotations = {}): Neighbours =>
  lookAround(new Map(), {
    leases: [{ metadata: { name: 'x', annotations }, spec: { holderIdentity } }],
    start: 0,
    end: 0,
    leaseDuration: 15_000,
  });
const kin = { [claimAnnotation]: claimText([]) };

test.each([
  ['given back', see('', kin), 15_000],
  ['run out', see('b', kin), 45_000],
])('a Lease that has %s is left over for good', (_, neighbours, from) => {
  expect(leftovers(neighbours, from - 1)).toEqual([]);
  expect(leftovers(neighbours, from)).toHaveLength(1);
});

test('what somebody else has made is left alone', () => {
  expect(leftovers(see('b'), 1e9)).toEqual([]);
});

test('is removed, unless it is held again', async () => {
  const place = await createPlace();
  const { port, namespace } = partsOf(place);
  const lease = await port.create(resources.leases, { metadata: { namespace, name: 'x', annotations: kin }, spec: {} });
  const find = (): Neighbours => lookAround(new Map(), { leases: [lease], start: 0, end: 0, leaseDuration: 15_000 });
  const [neighbour] = leftovers(find(), 15_000);
  if (!neighbour) throw new Error('nothing is left over');
  await port.update(resources.leases, { ...lease, spec: { holderIdentity: 'b' } });
  const { signal } = new AbortController();
  await expect(removeLease(port, namespace, neighbour, signal)).rejects.toMatchObject({ reason: 'Conflict' });
  const { metadata } = await place.lease('x');
  await removeLease(port, namespace, { ...neighbour, resourceVersion: metadata.resourceVersion }, signal);
  await expect(place.lease('x')).rejects.toMatchObject({ reason: 'NotFound' });
  await expect(removeLease(port, namespace, { ...neighbour, uid: undefined }, signal)).resolves.toBeUndefined();
});
