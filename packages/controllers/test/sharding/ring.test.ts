import { describe, expect, test } from 'vitest';
import { requireName } from '../../src/base/checks.ts';
import { claimAnnotation, claimOf, claimText, createRing, hashOf, leaseNameOf, readClaim } from '../../src/sharding/ring.ts';

const keys = Array.from({ length: 20_000 }, (_, i) => `team-${i % 37}/service-${i}`);
/** As a Deployment names its pods. */
const pods = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `kube-endpoints-7d9c5b8f6-${'bcdfghjklm'[i]}${'x2z4v'[i % 5]}q7t`);
const ownersOf = (members: readonly string[]): (string | undefined)[] => {
  const ring = createRing(members);
  return keys.map((key) => ring.ownerOf(hashOf(key)));
};

test('nobody owns anything where nobody is', () => {
  expect(createRing([]).ownerOf(5)).toBeUndefined();
});

test('every key has an owner, on the last stretch of the circle too', () => {
  const ring = createRing(['a', 'b']);
  for (const hash of [0, 1, 2 ** 31, 2 ** 32 - 1]) expect(['a', 'b']).toContain(ring.ownerOf(hash));
});

test('neither the order of the members nor a name said twice matters', () => {
  expect(ownersOf(['b', 'a', 'c', 'a'])).toEqual(ownersOf(['a', 'b', 'c']));
});

test('is the same in every process and release: replicas of two releases must agree', () => {
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
  const members = pods(count);
  const before = ownersOf(members);

  test('share the keys evenly', () => {
    const shares = members.map((member) => before.filter((owner) => owner === member).length / (keys.length / count));
    expect(Math.max(...shares)).toBeLessThan(1.15);
    expect(Math.min(...shares)).toBeGreaterThan(0.85);
  });

  test('one that goes takes along nothing but its own keys', () => {
    for (const gone of members) {
      const after = ownersOf(members.filter((member) => member !== gone));
      const moved = keys.filter((_, i) => before[i] !== after[i]);
      expect(moved).toEqual(keys.filter((_, i) => before[i] === gone));
    }
  });

  test('what one leaves behind is shared by all others', () => {
    const [gone, ...left] = members;
    const after = ownersOf(left);
    const heirs = new Set(keys.map((_, i) => (before[i] === gone ? after[i] : undefined)));
    heirs.delete(undefined);
    expect(heirs.size).toBe(left.length);
  });
});

const leaseWith = (text: string | undefined) =>
  ({ metadata: { annotations: text === undefined ? {} : { [claimAnnotation]: text } } }) as const;

test('a claim is a sorted set of members', () => {
  expect(claimOf(['b', 'a', 'b'])).toEqual(['a', 'b']);
});

test('what is written can be read', () => {
  for (const claim of [[], ['a'], ['a,b', 'c"d']]) expect(readClaim(leaseWith(claimText(claim)))).toEqual(claim);
});

test('is written down in one way for good', () => {
  expect(claimText(['a', 'b'])).toBe('{"ring":"fnv1a-32/256","members":["a","b"]}');
});

describe('what cannot be understood is no claim', () => {
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
  ])('%s', (text) => {
    expect(readClaim(leaseWith(text))).toBeUndefined();
  });

  test('nor is a Lease without annotations', () => {
    expect(readClaim({ metadata: {} })).toBeUndefined();
  });
});

test('says which replica it is', () => {
  expect(leaseNameOf('controllers', 'kube-endpoints-7d9c5b8f6-bxq7t')).toMatch(/^controllers-kube-endpoints-7d9c5b8f6-bxq7t-[0-9a-f]{8}$/);
});

test.each(['node_1/ABC', '---', '東京', `x${'y'.repeat(500)}`, 'a.', '-a-'])('%s makes a name that objects may have', (identity) => {
  expect(() => requireName('name', leaseNameOf('g', identity))).not.toThrow();
});

test('names that read the same are not the same', () => {
  const names = ['a.b', 'a-b', 'A-b', 'a_b', 'a--b'].map((identity) => leaseNameOf('g', identity));
  expect(new Set(names).size).toBe(names.length);
});
