import { beforeEach, describe, expect, test } from 'vitest';
import { createHoldings, type Holdings } from '../../src/sharding/holdings.ts';
import type { Neighbour, Neighbours } from '../../src/sharding/neighbours.ts';
import { type Claim, claimText, createRing, hashOf } from '../../src/sharding/ring.ts';

const keys = Array.from({ length: 60 }, (_, i) => `shop/web-${i}`);
const keysOf = (owner: string, ...members: string[]): string[] => keys.filter((key) => createRing(members).ownerOf(hashOf(key)) === owner);
const owned = ({ owns }: Holdings): string[] => keys.filter(owns);

const neighbour = (identity: string, claim: Claim | undefined, more: Partial<Neighbour> = {}): Neighbour => ({
  name: `g-${identity}`,
  identity,
  uid: 'u',
  resourceVersion: '1',
  claim,
  isReplica: true,
  released: false,
  duration: 15_000,
  seen: { text: '', at: 0 },
  ...more,
});
const around = (...neighbours: Neighbour[]): Neighbours => new Map(neighbours.map((each) => [each.name, each]));

let now = 0;
let holdings: Holdings;
beforeEach(() => {
  now = 0;
  holdings = createHoldings({ identity: 'a', renewDeadline: 10_000, elapsed: () => now });
});

/** A round without failures: the claim is written, then the Leases are read. */
function round(claim: Claim, others: Neighbours = around(), term = 't'): void {
  holdings.intend(claim);
  holdings.confirm({ start: now, term });
  holdings.observe({ start: now, neighbours: others, shown: claimText(claim) });
}

test('owns the keys of its claim once the claim is written and the Leases are read afterwards', () => {
  holdings.intend(['a']);
  expect(owned(holdings)).toEqual([]);
  holdings.confirm({ start: 0, term: 't' });
  expect(owned(holdings)).toEqual([]);
  holdings.observe({ start: 0, neighbours: around(), shown: claimText(['a']) });
  expect(owned(holdings)).toEqual(keys);
});

test('owns nothing if the Leases are read before its claim is confirmed', () => {
  holdings.intend(['a']);
  holdings.observe({ start: 0, neighbours: around(), shown: claimText(['a']) });
  expect(owned(holdings)).toEqual([]);
});

test('does not own keys that another replica claims, until that one releases them or is gone', () => {
  round(['a', 'b'], around(neighbour('b', ['b'])));
  expect(owned(holdings)).toEqual([]);
  round(['a', 'b'], around(neighbour('b', ['a', 'b'])));
  expect(owned(holdings)).toEqual(keysOf('a', 'a', 'b'));
  round(['a'], around(neighbour('b', ['a', 'b'])));
  expect(owned(holdings)).toEqual(keysOf('a', 'a', 'b'));
  round(['a'], around(neighbour('b', ['a', 'b'], { released: true })));
  expect(owned(holdings)).toEqual(keys);
});

test('does not own keys that a replica with the same identity claims', () => {
  round(['a'], around(neighbour('a', ['a'])));
  expect(owned(holdings)).toEqual([]);
});

test('owns nothing while the claim of another replica is unreadable, since that may cover every key', () => {
  round(['a'], around(neighbour('b', undefined)));
  expect(owned(holdings)).toEqual([]);
});

describe('while one claim replaces another', () => {
  beforeEach(() => round(['a', 'b'], around(neighbour('b', ['a', 'b']))));

  test('owns only the keys of both claims', () => {
    holdings.intend(['a', 'b', 'c']);
    const both = keysOf('a', 'a', 'b').filter((key) => keysOf('a', 'a', 'b', 'c').includes(key));
    expect(owned(holdings)).toEqual(both);
    expect(both.length).toBeLessThan(keysOf('a', 'a', 'b').length);
  });

  test('owns additional keys only after the Leases are read again', () => {
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 't' });
    expect(owned(holdings)).toEqual(keysOf('a', 'a', 'b'));
    holdings.observe({ start: 0, neighbours: around(), shown: claimText(['a']) });
    expect(owned(holdings)).toEqual(keys);
  });

  test('excludes keys outside an intermediate claim, even if its write never arrived', () => {
    holdings.intend(['c']);
    holdings.observe({ start: 0, neighbours: around(), shown: claimText(['a', 'b']) });
    expect(owned(holdings)).toEqual([]);
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 't' });
    expect(owned(holdings)).toEqual([]);
    holdings.observe({ start: 0, neighbours: around(), shown: claimText(['a']) });
    expect(owned(holdings)).toEqual(keys);
  });
});

describe('ownership ends', () => {
  beforeEach(() => round(['a']));

  test('when renewDeadline has passed since the start of the last renewal, and not before', () => {
    now = 9_000;
    holdings.observe({ start: now, neighbours: around(), shown: claimText(['a']) });
    now = 9_999;
    expect(owned(holdings)).toEqual(keys);
    expect(holdings.deadline).toBe(10_000);
    now = 10_000;
    expect(owned(holdings)).toEqual([]);
  });

  test('when renewDeadline has passed since its own Lease was last listed', () => {
    now = 9_000;
    holdings.intend(['a']);
    holdings.confirm({ start: now, term: 't' });
    now = 10_000;
    expect(owned(holdings)).toEqual([]);
  });

  test('and is not restored by a renewal until the Leases are read again, since another replica may have taken over', () => {
    now = 12_000;
    holdings.intend(['a']);
    holdings.confirm({ start: now, term: 't' });
    expect(owned(holdings)).toEqual([]);
    expect(holdings.deadline).toBeUndefined();
    holdings.observe({ start: now, neighbours: around(neighbour('b', ['b'])), shown: claimText(['a']) });
    expect(owned(holdings)).toEqual([]);
    round(['a']);
    expect(owned(holdings)).toEqual(keys);
  });

  test('even if a renewal that began in time is answered late', () => {
    holdings.intend(['a']);
    now = 12_000;
    holdings.confirm({ start: 9_000, term: 't' });
    expect(owned(holdings)).toEqual([]);
  });

  test('when its Lease has been replaced', () => {
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 'u' });
    expect(owned(holdings)).toEqual([]);
  });

  test.each([
    ['not among the others', undefined],
    ['with a claim that it never made', claimText(['z'])],
    ['claiming nothing that can be read', ''],
  ])('when the list shows its Lease %s', (_, shown) => {
    holdings.observe({ start: 0, neighbours: around(), shown });
    expect(owned(holdings)).toEqual([]);
  });

  test('on drop', () => {
    holdings.drop();
    expect(owned(holdings)).toEqual([]);
  });
});

test('changes its basis only when ownership may change', () => {
  const bases = [holdings.basis];
  const act = (step: () => void): void => {
    step();
    bases.push(holdings.basis);
  };
  act(() => round(['a']));
  act(() => round(['a']));
  act(() => round(['a'], around(neighbour('b', []))));
  act(() => holdings.intend(['a', 'b']));
  act(() => holdings.drop());
  expect(bases.map((basis, i) => basis === bases[i - 1])).toEqual([false, false, true, false, false, false]);
});

test('discards claims that were never written once it owns nothing', () => {
  const claims: number[] = [];
  round(['a']);
  for (now = 2_000; now <= 20_000; now += 2_000) {
    holdings.intend(['a', `member-${now}`]);
    claims.push(holdings.claims);
  }
  // From 10,000 ms on, nothing can be owned, whatever the claim.
  expect(claims).toEqual([2, 3, 4, 5, 1, 1, 1, 1, 1, 1]);
});
