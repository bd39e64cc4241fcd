import { describe, expect, it } from 'vitest';
import { type Allocation, allocate, calculateExchange, isOverloaded } from '../../../../src/spec/slices/hints/allocation.ts';

type Counts = Readonly<Record<string, number>>;
const mapOf = (counts: Counts) => new Map(Object.entries(counts));
const twoEqualShares = { a: 0.5, b: 0.5 };
const tenThirds = 10 * (1 / 3);
const threeEqualShares = { a: 1 / 3, b: 1 / 3, c: 1 / 3 };

describe('allocate', () => {
  it.each<{ shares: Counts; ready: number; expected: string | Record<string, [number, number, number]> }>([
    { shares: twoEqualShares, ready: 0, expected: 'InsufficientNumberOfEndpoints' },
    { shares: twoEqualShares, ready: 1, expected: 'InsufficientNumberOfEndpoints' },
    { shares: twoEqualShares, ready: 2, expected: { a: [1, 1, 1], b: [1, 1, 1] } },
    { shares: twoEqualShares, ready: 3, expected: 'MinAllocationExceedsOverloadThreshold' },
    { shares: twoEqualShares, ready: 4, expected: { a: [2, 2, 2], b: [2, 2, 2] } },
    { shares: twoEqualShares, ready: 5, expected: 'MinAllocationExceedsOverloadThreshold' },
    { shares: twoEqualShares, ready: 7, expected: { a: [3, 4, 3.5], b: [3, 4, 3.5] } },
    { shares: twoEqualShares, ready: 12, expected: { a: [5, 7, 6], b: [5, 7, 6] } },
    { shares: { a: 0.9, b: 0.1 }, ready: 5, expected: { a: [4, 4, 4.5], b: [1, 1, 1] } },
    { shares: threeEqualShares, ready: 2, expected: 'InsufficientNumberOfEndpoints' },
    { shares: threeEqualShares, ready: 10, expected: { a: [3, 4, tenThirds], b: [3, 4, tenThirds], c: [3, 4, tenThirds] } },
  ])('allocates $ready endpoints to $shares: $expected', ({ shares, ready, expected }) => {
    const allocations = allocate(mapOf(shares), ready);
    if (typeof allocations === 'string') expect(allocations).toBe(expected);
    else {
      const entries = [...allocations].map(([zone, { minimum, maximum, desired }]) => [zone, [minimum, maximum, desired]] as const);
      expect(Object.fromEntries(entries)).toEqual(expected);
    }
  });
});

describe('isOverloaded', () => {
  it.each<[string, Counts, Counts | undefined, boolean]>([
    ['no hints', {}, twoEqualShares, false],
    ['no hints and no shares', {}, undefined, false],
    ['hints without shares', { a: 1 }, undefined, true],
    ['hints with empty shares', { a: 1 }, {}, true],
    ['the desired numbers', { a: 5, b: 5 }, twoEqualShares, false],
    ['the minimum numbers', { a: 7, b: 5 }, twoEqualShares, false],
    ['one endpoint below the minimum', { a: 8, b: 4 }, twoEqualShares, true],
    ['a zone without endpoints', { a: 8 }, twoEqualShares, true],
    ['a zone without endpoints and without a share', { a: 8 }, { a: 1, b: 0 }, true],
    ['an additional zone', { a: 5, b: 5, c: 1 }, twoEqualShares, false],
    ['a different zone', { a: 5, c: 5 }, twoEqualShares, true],
  ])('detects whether hints are overloaded, with %s', (_, zoneCounts, shares, expected) => {
    expect(isOverloaded(mapOf(zoneCounts), shares && mapOf(shares))).toBe(expected);
  });
});

describe('calculateExchange', () => {
  const createAllocations = (desired: Counts): Map<string, Allocation> =>
    new Map(Object.entries(desired).map(([zone, count]) => [zone, { minimum: 0, maximum: 99, desired: count }]));

  it.each<{ name: string; desired: Counts; zoneCounts: Counts; giving: Counts; receiving: Counts }>([
    { name: 'desired numbers', desired: { a: 2, b: 2 }, zoneCounts: { a: 2, b: 2 }, giving: {}, receiving: {} },
    { name: 'one surplus endpoint', desired: { a: 2, b: 2 }, zoneCounts: { a: 3, b: 1 }, giving: { a: 1 }, receiving: { b: 1 } },
    { name: 'a zone without endpoints', desired: { a: 2, b: 2 }, zoneCounts: { a: 4 }, giving: { a: 2 }, receiving: { b: 2 } },
    {
      name: 'two receiving zones',
      desired: { a: 1, b: 2, c: 2 },
      zoneCounts: { a: 5, b: 0, c: 0 },
      giving: { a: 4 },
      receiving: { b: 2, c: 2 },
    },
    {
      name: 'two giving zones',
      desired: { a: 1, b: 1, c: 4 },
      zoneCounts: { a: 3, b: 3, c: 0 },
      giving: { a: 2, b: 2 },
      receiving: { c: 4 },
    },
    { name: 'fractions on both sides', desired: { a: 2.4, b: 2.6 }, zoneCounts: { a: 3, b: 2 }, giving: {}, receiving: {} },
    { name: 'a fraction on one side', desired: { a: 2.4, b: 3 }, zoneCounts: { a: 3, b: 2 }, giving: { a: 1 }, receiving: { b: 1 } },
    { name: 'a surplus below one half', desired: { a: 2.6, b: 3 }, zoneCounts: { a: 3, b: 2 }, giving: {}, receiving: {} },
    { name: 'a deficit below one half', desired: { a: 2, b: 2.4 }, zoneCounts: { a: 3, b: 2 }, giving: {}, receiving: {} },
    { name: 'a zone without an allocation', desired: { a: 2, b: 2 }, zoneCounts: { a: 2, b: 1, c: 5 }, giving: {}, receiving: {} },
    { name: 'no receiving zone', desired: { a: 1 }, zoneCounts: { a: 3 }, giving: {}, receiving: {} },
  ])('exchanges endpoints between zones, with $name', ({ desired, zoneCounts, giving, receiving }) => {
    const exchange = calculateExchange(createAllocations(desired), mapOf(zoneCounts));
    expect([Object.fromEntries(exchange.givingZones), Object.fromEntries(exchange.receivingZones)]).toEqual([giving, receiving]);
  });
});
