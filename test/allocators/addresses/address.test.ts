import { expect, it } from 'vitest';
import { hasLeadingZeros, otherFamily, printAddress, readAddress } from '../../../src/allocators/addresses/address.ts';

it.each([
  ['10.0.0.3', 'IPv4', 0x0a000003n, '10.0.0.3'],
  ['::ffff:10.0.0.3', 'IPv4', 0x0a000003n, '10.0.0.3'],
  ['fd00::', 'IPv6', 0xfdn << 120n, 'fd00::'],
  ['::', 'IPv6', 0n, '::'],
  ['FD00:0:0:1::00aB', 'IPv6', (0xfdn << 120n) | (1n << 64n) | 0xabn, 'fd00:0:0:1::ab'],
])('reads %s', (text, family, value, printed) => {
  expect(readAddress(text)).toEqual({ family, value });
  expect(printAddress({ family: family as 'IPv4', value })).toBe(printed);
});

it.each(['', 'bogus', '10.0.0', '010.0.0.1', '::ffff:010.0.0.3', 'fd00::00001', '10.0.0.256', 'fd00::1%eth0'])('refuses %j', (text) => {
  expect(readAddress(text)).toBeUndefined();
});

it('tells leading zeros, which only lenient readers take', () => {
  expect(['10.0.0.1', '0.0.0.0', 'fd00::0001'].map(hasLeadingZeros)).toEqual([false, false, false]);
  expect(['10.0.00.1', 'fd00::00001', '::ffff:1.2.3.04'].map(hasLeadingZeros)).toEqual([true, true, true]);
});

it('knows the other family', () => {
  expect([otherFamily('IPv4'), otherFamily('IPv6')]).toEqual(['IPv6', 'IPv4']);
});
