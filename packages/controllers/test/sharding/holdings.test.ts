import { beforeEach, describe, expect, test } from 'vitest';
import { createHoldings, type Holdings } from '../../src/sharding/holdings.ts';
import type { Neighbour, Neighbours } from '../../src/sharding/neighbours.ts';
import { type Claim, createRing, formatClaim, hashOf } from '../../src/sharding/ring.ts';

const keys = Array.from({ length: 60 }, (_, i) => `shop/web-${i}`);
const keysOf = (owner: string, ...members: string[]): string[] => keys.filter((key) => createRing(members).ownerOf(hashOf(key)) === owner);
const ownedKeys = ({ owns }: Holdings): string[] => keys.filter(owns);

const createNeighbour = (identity: string, claim: Claim | undefined, changes: Partial<Neighbour> = {}): Neighbour => ({
  name: `g-${identity}`,
  identity,
  uid: 'u',
  resourceVersion: '1',
  claim,
  isReplica: true,
  released: false,
  duration: 15_000,
  observation: { text: '', changedAt: 0 },
  ...changes,
});
const toNeighbours = (...neighbours: Neighbour[]): Neighbours => new Map(neighbours.map((each) => [each.name, each]));

let now = 0;
let holdings: Holdings;
beforeEach(() => {
  now = 0;
  holdings = createHoldings({ identity: 'a', renewDeadline: 10_000, elapsed: () => now });
});

/** A round without failures: the claim is written, then the Leases are read. */
function completeRound(claim: Claim, others: Neighbours = toNeighbours(), term = 't'): void {
  holdings.intend(claim);
  holdings.confirm({ start: now, term });
  holdings.observe({ start: now, neighbours: others, shown: formatClaim(claim) });
}

test('a replica owns the keys of its claim once the claim is written and the Leases are read afterwards', () => {
  holdings.intend(['a']);
  expect(ownedKeys(holdings)).toEqual([]);
  holdings.confirm({ start: 0, term: 't' });
  expect(ownedKeys(holdings)).toEqual([]);
  holdings.observe({ start: 0, neighbours: toNeighbours(), shown: formatClaim(['a']) });
  expect(ownedKeys(holdings)).toEqual(keys);
});

test('a replica owns nothing if the Leases are read before its claim is confirmed', () => {
  holdings.intend(['a']);
  holdings.observe({ start: 0, neighbours: toNeighbours(), shown: formatClaim(['a']) });
  expect(ownedKeys(holdings)).toEqual([]);
});

test('a replica does not own keys that another replica claims, until that replica releases them or is gone', () => {
  completeRound(['a', 'b'], toNeighbours(createNeighbour('b', ['b'])));
  expect(ownedKeys(holdings)).toEqual([]);
  completeRound(['a', 'b'], toNeighbours(createNeighbour('b', ['a', 'b'])));
  expect(ownedKeys(holdings)).toEqual(keysOf('a', 'a', 'b'));
  completeRound(['a'], toNeighbours(createNeighbour('b', ['a', 'b'])));
  expect(ownedKeys(holdings)).toEqual(keysOf('a', 'a', 'b'));
  completeRound(['a'], toNeighbours(createNeighbour('b', ['a', 'b'], { released: true })));
  expect(ownedKeys(holdings)).toEqual(keys);
});

test('a replica does not own keys that a replica with the same identity claims', () => {
  completeRound(['a'], toNeighbours(createNeighbour('a', ['a'])));
  expect(ownedKeys(holdings)).toEqual([]);
});

test('a replica owns nothing while the claim of another replica is unreadable, because it may cover every key', () => {
  completeRound(['a'], toNeighbours(createNeighbour('b', undefined)));
  expect(ownedKeys(holdings)).toEqual([]);
});

describe('while one claim replaces another, a replica', () => {
  beforeEach(() => completeRound(['a', 'b'], toNeighbours(createNeighbour('b', ['a', 'b']))));

  test('owns only the keys of both claims', () => {
    holdings.intend(['a', 'b', 'c']);
    const keysOfBothClaims = keysOf('a', 'a', 'b').filter((key) => keysOf('a', 'a', 'b', 'c').includes(key));
    expect(ownedKeys(holdings)).toEqual(keysOfBothClaims);
    expect(keysOfBothClaims.length).toBeLessThan(keysOf('a', 'a', 'b').length);
  });

  test('owns additional keys only after the Leases are read again', () => {
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 't' });
    expect(ownedKeys(holdings)).toEqual(keysOf('a', 'a', 'b'));
    holdings.observe({ start: 0, neighbours: toNeighbours(), shown: formatClaim(['a']) });
    expect(ownedKeys(holdings)).toEqual(keys);
  });

  test('excludes keys outside an intermediate claim, even if its write never arrived', () => {
    holdings.intend(['c']);
    holdings.observe({ start: 0, neighbours: toNeighbours(), shown: formatClaim(['a', 'b']) });
    expect(ownedKeys(holdings)).toEqual([]);
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 't' });
    expect(ownedKeys(holdings)).toEqual([]);
    holdings.observe({ start: 0, neighbours: toNeighbours(), shown: formatClaim(['a']) });
    expect(ownedKeys(holdings)).toEqual(keys);
  });
});

describe('a replica that owned every key', () => {
  beforeEach(() => completeRound(['a']));

  test('owns nothing when renewDeadline has passed since the start of the last renewal, and not before', () => {
    now = 9_000;
    holdings.observe({ start: now, neighbours: toNeighbours(), shown: formatClaim(['a']) });
    now = 9_999;
    expect(ownedKeys(holdings)).toEqual(keys);
    expect(holdings.deadline).toBe(10_000);
    now = 10_000;
    expect(ownedKeys(holdings)).toEqual([]);
  });

  test('owns nothing when renewDeadline has passed since its own Lease was last listed', () => {
    now = 9_000;
    holdings.intend(['a']);
    holdings.confirm({ start: now, term: 't' });
    now = 10_000;
    expect(ownedKeys(holdings)).toEqual([]);
  });

  test('owns nothing after a late renewal until the Leases are read again, because another replica may have taken over', () => {
    now = 12_000;
    holdings.intend(['a']);
    holdings.confirm({ start: now, term: 't' });
    expect(ownedKeys(holdings)).toEqual([]);
    expect(holdings.deadline).toBeUndefined();
    holdings.observe({ start: now, neighbours: toNeighbours(createNeighbour('b', ['b'])), shown: formatClaim(['a']) });
    expect(ownedKeys(holdings)).toEqual([]);
    completeRound(['a']);
    expect(ownedKeys(holdings)).toEqual(keys);
  });

  test('owns nothing if a renewal that began in time is answered after the deadline', () => {
    holdings.intend(['a']);
    now = 12_000;
    holdings.confirm({ start: 9_000, term: 't' });
    expect(ownedKeys(holdings)).toEqual([]);
  });

  test('owns nothing when its Lease has been replaced', () => {
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 'u' });
    expect(ownedKeys(holdings)).toEqual([]);
  });

  test.each([
    ['is missing from the list', undefined],
    ['has a claim that this replica never wrote', formatClaim(['z'])],
    ['has an unreadable claim', ''],
  ])('owns nothing when its Lease %s', (_, shown) => {
    holdings.observe({ start: 0, neighbours: toNeighbours(), shown });
    expect(ownedKeys(holdings)).toEqual([]);
  });

  test('owns nothing after drop', () => {
    holdings.drop();
    expect(ownedKeys(holdings)).toEqual([]);
  });
});

test('a replica changes its fingerprint only when ownership may change', () => {
  const fingerprints = [holdings.fingerprint];
  const run = (step: () => void): void => {
    step();
    fingerprints.push(holdings.fingerprint);
  };
  run(() => completeRound(['a']));
  run(() => completeRound(['a']));
  run(() => completeRound(['a'], toNeighbours(createNeighbour('b', []))));
  run(() => holdings.intend(['a', 'b']));
  run(() => holdings.drop());
  expect(fingerprints.map((fingerprint, i) => fingerprint === fingerprints[i - 1])).toEqual([false, false, true, false, false, false]);
});

test('a replica discards claims that were never written once it owns nothing', () => {
  const claims: number[] = [];
  completeRound(['a']);
  for (now = 2_000; now <= 20_000; now += 2_000) {
    holdings.intend(['a', `member-${now}`]);
    claims.push(holdings.claimCount);
  }
  // From 10,000 ms on, the replica owns no keys, so that only the newest claim counts.
  expect(claims).toEqual([2, 3, 4, 5, 1, 1, 1, 1, 1, 1]);
});
