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
  isKin: true,
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

/** A round in which all goes well. */
function round(claim: Claim, others: Neighbours = around(), term = 't'): void {
  holdings.intend(claim);
  holdings.confirm({ start: now, term });
  holdings.look({ start: now, neighbours: others, shown: claimText(claim) });
}

test('owns what it claims once its claim stands and the others were looked at after that', () => {
  holdings.intend(['a']);
  expect(owned(holdings)).toEqual([]);
  holdings.confirm({ start: 0, term: 't' });
  expect(owned(holdings)).toEqual([]);
  holdings.look({ start: 0, neighbours: around(), shown: claimText(['a']) });
  expect(owned(holdings)).toEqual(keys);
});

test('a look while a claim is not known to stand makes nothing owned', () => {
  holdings.intend(['a']);
  holdings.look({ start: 0, neighbours: around(), shown: claimText(['a']) });
  expect(owned(holdings)).toEqual([]);
});

test('does not own what another claims, until that lets go or is gone', () => {
  round(['a', 'b'], around(neighbour('b', ['b'])));
  expect(owned(holdings)).toEqual([]);
  round(['a', 'b'], around(neighbour('b', ['a', 'b'])));
  expect(owned(holdings)).toEqual(keysOf('a', 'a', 'b'));
  round(['a'], around(neighbour('b', ['a', 'b'])));
  expect(owned(holdings)).toEqual(keysOf('a', 'a', 'b'));
  round(['a'], around(neighbour('b', ['a', 'b'], { released: true })));
  expect(owned(holdings)).toEqual(keys);
});

test('nor what a namesake claims', () => {
  round(['a'], around(neighbour('a', ['a'])));
  expect(owned(holdings)).toEqual([]);
});

test('where it cannot be told what another claims, it may be everything', () => {
  round(['a'], around(neighbour('b', undefined)));
  expect(owned(holdings)).toEqual([]);
});

describe('while one claim replaces another', () => {
  beforeEach(() => round(['a', 'b'], around(neighbour('b', ['a', 'b']))));

  test('owns what both give', () => {
    holdings.intend(['a', 'b', 'c']);
    const both = keysOf('a', 'a', 'b').filter((key) => keysOf('a', 'a', 'b', 'c').includes(key));
    expect(owned(holdings)).toEqual(both);
    expect(both.length).toBeLessThan(keysOf('a', 'a', 'b').length);
  });

  test('gets more by it only with the next look', () => {
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 't' });
    expect(owned(holdings)).toEqual(keysOf('a', 'a', 'b'));
    holdings.look({ start: 0, neighbours: around(), shown: claimText(['a']) });
    expect(owned(holdings)).toEqual(keys);
  });

  test('a claim that may have stood in between counts, too, even where it never arrived', () => {
    holdings.intend(['c']);
    holdings.look({ start: 0, neighbours: around(), shown: claimText(['a', 'b']) });
    expect(owned(holdings)).toEqual([]);
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 't' });
    expect(owned(holdings)).toEqual([]);
    holdings.look({ start: 0, neighbours: around(), shown: claimText(['a']) });
    expect(owned(holdings)).toEqual(keys);
  });
});

describe('owns nothing any more', () => {
  beforeEach(() => round(['a']));

  test('once its last renewal was begun too long ago, and not before', () => {
    now = 9_000;
    holdings.look({ start: now, neighbours: around(), shown: claimText(['a']) });
    now = 9_999;
    expect(owned(holdings)).toEqual(keys);
    expect(holdings.deadline).toBe(10_000);
    now = 10_000;
    expect(owned(holdings)).toEqual([]);
  });

  test('once it was last seen among the others too long ago', () => {
    now = 9_000;
    holdings.intend(['a']);
    holdings.confirm({ start: now, term: 't' });
    now = 10_000;
    expect(owned(holdings)).toEqual([]);
  });

  test('and a renewal alone does not bring it back: somebody may have taken over meanwhile', () => {
    now = 12_000;
    holdings.intend(['a']);
    holdings.confirm({ start: now, term: 't' });
    expect(owned(holdings)).toEqual([]);
    expect(holdings.deadline).toBeUndefined();
    holdings.look({ start: now, neighbours: around(neighbour('b', ['b'])), shown: claimText(['a']) });
    expect(owned(holdings)).toEqual([]);
    round(['a']);
    expect(owned(holdings)).toEqual(keys);
  });

  test('not even where the answer to a renewal is what comes too late', () => {
    holdings.intend(['a']);
    now = 12_000;
    holdings.confirm({ start: 9_000, term: 't' });
    expect(owned(holdings)).toEqual([]);
  });

  test('when its Lease is another than before', () => {
    holdings.intend(['a']);
    holdings.confirm({ start: 0, term: 'u' });
    expect(owned(holdings)).toEqual([]);
  });

  test.each([
    ['not among the others', undefined],
    ['claiming what it never did', claimText(['z'])],
    ['claiming nothing that can be read', ''],
  ])('when its Lease is shown %s', (_, shown) => {
    holdings.look({ start: 0, neighbours: around(), shown });
    expect(owned(holdings)).toEqual([]);
  });

  test('when it is told so', () => {
    holdings.drop();
    expect(owned(holdings)).toEqual([]);
  });
});

test('the basis changes where the answers may, and only there', () => {
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

test('keeps nothing of claims that never arrived, however long Leases cannot be written', () => {
  const claims: number[] = [];
  round(['a']);
  for (now = 2_000; now <= 20_000; now += 2_000) {
    holdings.intend(['a', `member-${now}`]);
    claims.push(holdings.claims);
  }
  // From 10,000 on it could not own anything, whatever it claims.
  expect(claims).toEqual([2, 3, 4, 5, 1, 1, 1, 1, 1, 1]);
});
