import { describe, expect, test } from 'vitest';
import { requireName } from '../../src/base/checks.ts';
import { claimAnnotation, createRing, formatClaim, hashOf, leaseNameOf, readClaim, toClaim } from '../../src/sharding/ring.ts';

const keys = Array.from({ length: 20_000 }, (_, i) => `team-${i % 37}/service-${i}`);
/** Pod names like those of a Deployment. */
const createPodNames = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `kube-endpoints-7d9c5b8f6-${'bcdfghjklm'[i]}${'x2z4v'[i % 5]}q7t`);
const ownersOf = (members: readonly string[]): (string | undefined)[] => {
  const ring = createRing(members);
  return keys.map((key) => ring.ownerOf(hashOf(key)));
};

test('a ring without members has no owner', () => {
  expect(createRing([]).ownerOf(5)).toBeUndefined();
});

test('every hash has an owner, even past the last point of the ring', () => {
  const ring = createRing(['a', 'b']);
  for (const hash of [0, 1, 2 ** 31, 2 ** 32 - 1]) expect(['a', 'b']).toContain(ring.ownerOf(hash));
});

test('neither the order of members nor duplicates change the owners', () => {
  expect(ownersOf(['b', 'a', 'c', 'a'])).toEqual(ownersOf(['a', 'b', 'c']));
});

test('owners are the same in all processes and releases, because replicas of two releases must agree', () => {
  expect(['', 'a', 'shop/web', 'schön/größe', '東京/網'].map(hashOf)).toEqual(expectedHashes);
  const ring = createRing(['a', 'b', 'c']);
  expect(
    keys
      .slice(0, 12)
      .map((key) => ring.ownerOf(hashOf(key)))
      .join(''),
  ).toBe(expectedOwners);
});
const expectedHashes = [2872998923, 444641715, 1083882110, 1394657075, 735424929];
const expectedOwners = 'bcbbbbcbbaaa';

describe.each([3, 4, 5, 6, 7, 8, 9, 10])('%i members', (count) => {
  const members = createPodNames(count);
  const ownersBefore = ownersOf(members);

  test('share the keys evenly', () => {
    const shares = members.map((member) => ownersBefore.filter((owner) => owner === member).length / (keys.length / count));
    expect(Math.max(...shares)).toBeLessThan(1.15);
    expect(Math.min(...shares)).toBeGreaterThan(0.85);
  });

  test('move only the keys of a member that leaves', () => {
    for (const leavingMember of members) {
      const ownersAfter = ownersOf(members.filter((member) => member !== leavingMember));
      const movedKeys = keys.filter((_, i) => ownersBefore[i] !== ownersAfter[i]);
      expect(movedKeys).toEqual(keys.filter((_, i) => ownersBefore[i] === leavingMember));
    }
  });

  test('spread the keys of a leaving member over all others', () => {
    const [leavingMember, ...remaining] = members;
    const ownersAfter = ownersOf(remaining);
    const newOwners = new Set(keys.map((_, i) => (ownersBefore[i] === leavingMember ? ownersAfter[i] : undefined)));
    newOwners.delete(undefined);
    expect(newOwners.size).toBe(remaining.length);
  });
});

const createLease = (text: string | undefined) =>
  ({ metadata: { annotations: text === undefined ? {} : { [claimAnnotation]: text } } }) as const;

test('a claim is sorted and without duplicates', () => {
  expect(toClaim(['b', 'a', 'b'])).toEqual(['a', 'b']);
});

test('readClaim parses the output of formatClaim', () => {
  for (const claim of [[], ['a'], ['a,b', 'c"d']]) expect(readClaim(createLease(formatClaim(claim)))).toEqual(claim);
});

test('formatClaim has a fixed format', () => {
  expect(formatClaim(['a', 'b'])).toBe('{"ring":"fnv1a-32/256","members":["a","b"]}');
});

describe('readClaim', () => {
  test.each([
    undefined,
    '',
    'a,b',
    'null',
    '[]',
    '{"members":["a"]}',
    '{"ring":"another","members":["a"]}',
    '{"ring":"fnv1a-32/256","members":"a"}',
    '{"ring":"fnv1a-32/256","members":[1]}',
  ])('returns undefined for the claim %s', (text) => {
    expect(readClaim(createLease(text))).toBeUndefined();
  });

  test('returns undefined for a Lease without annotations', () => {
    expect(readClaim({ metadata: {} })).toBeUndefined();
  });
});

test('leaseNameOf contains the identity', () => {
  expect(leaseNameOf('controllers', 'kube-endpoints-7d9c5b8f6-bxq7t')).toMatch(/^controllers-kube-endpoints-7d9c5b8f6-bxq7t-[0-9a-f]{8}$/);
});

test.each(['node_1/ABC', '---', '東京', `x${'y'.repeat(500)}`, 'a.', '-a-'])('leaseNameOf makes a valid name of %s', (identity) => {
  expect(() => requireName('name', leaseNameOf('g', identity))).not.toThrow();
});

test('leaseNameOf distinguishes identities that normalize to the same name', () => {
  const names = ['a.b', 'a-b', 'A-b', 'a_b', 'a--b'].map((identity) => leaseNameOf('g', identity));
  expect(new Set(names).size).toBe(names.length);
});
