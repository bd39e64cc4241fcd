import { expect, it } from 'vitest';
import { printAddress, readAddress } from '../../../src/allocators/addresses/address.ts';
import { contains, firstOf, lastOf, parseCIDR, rangeSize, staticAddresses } from '../../../src/allocators/addresses/cidr.ts';

it.each([
  ['10.0.0.7/24', '10.0.0.0/24', '10.0.0.1', '10.0.0.254', 256n],
  ['10.96.0.0/12', '10.96.0.0/12', '10.96.0.1', '10.111.255.254', 1n << 20n],
  ['fd00::/126', 'fd00::/126', 'fd00::1', 'fd00::3', 4n],
  ['0.0.0.0/1', '0.0.0.0/1', '0.0.0.1', '127.255.255.254', 0n],
  ['fd00::/64', 'fd00::/64', 'fd00::1', 'fd00::ffff:ffff:ffff:ffff', (1n << 63n) - 1n],
])('reads %s', (text, printed, first, last, size) => {
  const cidr = parseCIDR(text);
  const print = (value: bigint): string => printAddress({ family: cidr.family, value });
  expect([cidr.text, print(firstOf(cidr)), print(lastOf(cidr)), rangeSize(cidr)]).toEqual([printed, first, last, size]);
});

it.each(['10.0.0.0/33', '10.0.0.0', 'fd00::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', '010.0.0.0/8', '::ffff:10.0.0.0/120', ''])(
  'refuses %j',
  (text) => {
    expect(() => parseCIDR(text)).toThrow(new RangeError(`invalid CIDR address: ${text}`));
  },
);

it.each([
  ['10.0.0.0/28', 0],
  ['10.0.0.0/27', 16],
  ['10.0.0.0/24', 16],
  ['10.0.0.0/23', 32],
  ['10.0.0.0/20', 256],
  ['10.0.0.0/8', 256],
  ['fd00::/124', 0],
  ['fd00::/108', 256],
])('keeps a static band in %s of %i', (text, size) => {
  expect(staticAddresses(parseCIDR(text))).toBe(size);
});

it('contains addresses of its family and prefix', () => {
  const cidr = parseCIDR('10.0.0.0/30');
  const has = (text: string): boolean => contains(cidr, readAddress(text) as NonNullable<ReturnType<typeof readAddress>>);
  expect(['10.0.0.0', '10.0.0.3', '10.0.0.4', '::a00:1'].map(has)).toEqual([true, true, false, false]);
});
