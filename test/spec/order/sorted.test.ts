import { describe, expect, it } from 'vitest';
import { sortByAddress } from '../../../src/spec/order/addresses.ts';
import { createSortedAddresses, hasAddress } from '../../../src/spec/order/sorted.ts';
import type { EndpointAddress } from '../../../src/types/index.ts';

const ips = ['10.0.0.2', '10.0.0.10', 'fd00::1', '10.0.0.1', '', '10.0.0.2'];
const addresses = ips.map((ip, i): EndpointAddress => ({ ip, targetRef: { uid: `u${i % 3}` } }));
const sortAddresses = (list: readonly EndpointAddress[]) =>
  sortByAddress(list.map((address) => ({ address, rank: -1 }))).map(({ address }) => address);

describe('createSortedAddresses', () => {
  it('inserts in order and removes the given object', () => {
    const sorted = createSortedAddresses();
    for (const [i, address] of addresses.entries()) {
      sorted.add(address);
      expect(sorted.list).toEqual(sortAddresses(addresses.slice(0, i + 1)));
    }
    for (const [i, address] of addresses.entries()) {
      sorted.remove(address);
      expect(sorted.list).toEqual(sortAddresses(addresses.slice(i + 1)));
      expect(sorted.list).not.toContain(address);
    }
  });

  it('removes the given object, not one with the same IP and UID', () => {
    const [one, other] = [
      { ip: 'x', hostname: 'a' },
      { ip: 'x', hostname: 'b' },
    ];
    for (const [removed, remaining] of [
      [one, other],
      [other, one],
    ] as const) {
      const sorted = createSortedAddresses();
      sorted.add(one);
      sorted.add(other);
      sorted.remove(removed);
      expect(sorted.list).toEqual([remaining]);
    }
  });
});

describe('hasAddress', () => {
  it.each([
    [{ ip: '10.0.0.10', targetRef: { uid: 'u1' } }, true],
    [{ ip: '10.0.0.10', targetRef: { uid: 'u1' }, hostname: 'h' }, true],
    [{ ip: '10.0.0.10', targetRef: { uid: 'u2' } }, false],
    [{ ip: '10.0.0.10' }, false],
    [{ ip: 'zzz' }, false],
    [{ ip: null, targetRef: { uid: 'u1' } }, true],
  ])('for the address %j, returns %s', (address, expected) => {
    expect(hasAddress(sortAddresses(addresses), address)).toBe(expected);
    expect(hasAddress([], address)).toBe(false);
  });
});
