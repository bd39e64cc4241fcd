import { describe, expect, it } from 'vitest';
import { rankOfIPv4 } from '../../../src/apimachinery/ip.ts';
import { compareAddresses, sortByAddress, sortByRank } from '../../../src/spec/order/addresses.ts';

const address = (ip: string, uid?: string) => ({ ip, ...(uid !== undefined && { targetRef: { uid } }) });
const items = (...addresses: ReturnType<typeof address>[]) =>
  addresses.map((each, index) => ({ address: each, rank: rankOfIPv4(each.ip), index }));

describe('compareAddresses', () => {
  it.each([
    [address('10.0.0.1'), address('10.0.0.2')],
    [address('10.0.0.10'), address('10.0.0.2')],
    [address('10.0.0.2'), address('fd00::1')],
    [address('10.0.0.1'), address('10.0.0.1', 'a')],
    [address('10.0.0.1', 'a'), address('10.0.0.1', 'b')],
    [address('10.0.0.1', '\uffee'), address('10.0.0.1', '\u{1f600}')],
    [address('10.0.0.1', 'z'), address('10.0.0.2', 'a')],
  ])('sorts %j before %j', (a, b) => {
    expect(compareAddresses(a, b)).toBeLessThan(0);
    expect(compareAddresses(b, a)).toBeGreaterThan(0);
  });

  it('treats an absent and an empty UID as equal', () => {
    expect(compareAddresses(address('10.0.0.1'), address('10.0.0.1', ''))).toBe(0);
    expect(compareAddresses(address('10.0.0.1', ''), address('10.0.0.1'))).toBe(0);
  });
});

describe('sortByAddress', () => {
  it.each([
    { name: 'plain IPv4', ips: ['10.0.0.2', '9.0.0.1', '10.0.0.10', '10.0.0.1', '200.1.1.1', '0.0.0.0'] },
    { name: 'IPv6', ips: ['fd00::2', 'fd00::1', 'fd00:0::1'] },
    { name: 'IPv4 and IPv6, with invalid addresses', ips: ['fd00::2', '10.0.0.2', '010.0.0.1', '10.0.0.10', '<nil>', ''] },
    { name: 'an empty list', ips: [] },
  ])('sorts $name', ({ ips }) => {
    expect(sortByAddress(items(...ips.map((ip) => address(ip)))).map((item) => item.address.ip)).toEqual(ips.toSorted());
  });

  it('sorts addresses with the same IP by UID', () => {
    const sorted = sortByAddress(
      items(
        address('10.0.0.2', 'c'),
        address('10.0.0.1', 'b'),
        address('10.0.0.2', 'b'),
        address('10.0.0.1', 'a'),
        address('10.0.0.2', 'a'),
      ),
    );
    expect(sorted.map((item) => `${item.address.ip} ${item.address.targetRef?.uid}`)).toEqual([
      '10.0.0.1 a',
      '10.0.0.1 b',
      '10.0.0.2 a',
      '10.0.0.2 b',
      '10.0.0.2 c',
    ]);
  });

  it.each(['10.0.0.1', 'fd00::1'])('keeps the order of equal addresses, and does not change its input (%s)', (ip) => {
    const unsorted = items(address(ip, 'b'), address(ip, 'a'), address(ip, 'b'), address(ip, 'a'));
    expect(sortByAddress(unsorted).map(({ index }) => index)).toEqual([1, 3, 0, 2]);
    expect(unsorted.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });
});

describe('sortByRank', () => {
  const createItems = (count: number) => Array.from({ length: count }, (_, index) => ({ rank: (index * 2_654_435_761) % 2 ** 32, index }));
  const byRank = (a: { rank: number; index: number }, b: { rank: number; index: number }) => a.rank - b.rank || a.index - b.index;

  it.each([0, 1, 2, 100, 2047, 2048, 5000])('sorts %i items by 32-bit ranks, including equal ranks', (count) => {
    const items = [...createItems(count), ...createItems(Math.min(count, 3)).map((item) => ({ ...item, index: item.index + count }))];
    const sorted = sortByRank(items, byRank);
    expect(sorted).toEqual(items.toSorted(byRank));
  });

  it.each([3, 3000])('sorts %i items by comparison if one has no rank', (count) => {
    const items = [...createItems(count), { rank: -1, index: -1 }];
    expect(sortByRank(items, (a, b) => b.index - a.index)).toEqual(items.toSorted((a, b) => b.index - a.index));
  });

  it('compares only items with equal ranks', () => {
    const comparedRanks: number[] = [];
    sortByRank([{ rank: 3 }, { rank: 1 }, { rank: 2 }, { rank: 1 }], (a, b) => comparedRanks.push(a.rank, b.rank));
    expect(new Set(comparedRanks)).toEqual(new Set([1]));
  });

  it('returns a copy of a list that is already sorted', () => {
    const items = [{ rank: 0 }, { rank: 7 }];
    expect(sortByRank(items, () => Number.NaN)).toEqual(items);
    expect(sortByRank(items, () => Number.NaN)).not.toBe(items);
  });
});
