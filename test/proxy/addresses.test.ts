import { describe, expect, it } from 'vitest';
import { type CIDR, parseCIDRSloppy } from '../../src/apimachinery/index.ts';
import { addressesOfFamily, isInRanges, isZeroCIDR, rangesOfFamily } from '../../src/proxy/addresses.ts';

describe('isInRanges and isZeroCIDR', () => {
  it('find an address in any of several ranges, ignoring invalid ones', () => {
    expect(isInRanges('10.1.0.9', ['192.0.2.0/24', 'x', '10.1.0.0/16'])).toBe(true);
    expect(isInRanges('10.2.0.9', ['192.0.2.0/24', 'x', '10.1.0.0/16', 'fd00::/8'])).toBe(false);
    expect(isInRanges('10.2.0.9', [])).toBe(false);
  });

  it('detect a zero prefix, which counts the 96 bits before an IPv4-mapped address', () => {
    const isZero = (text: string): boolean => isZeroCIDR(parseCIDRSloppy(text) as CIDR);
    expect(['0.0.0.0/0', '9.9.9.9/0', '::/0', '0.0.0.0/1'].map(isZero)).toStrictEqual([true, true, true, false]);
    expect(['::ffff:10.0.0.0/0', '::ffff:10.0.0.0/96'].map(isZero)).toStrictEqual([true, false]);
  });
});

it('addressesOfFamily and rangesOfFamily select a family and drop invalid texts', () => {
  const texts = ['10.0.0.01', 'bogus', 'FD00::1', '', '::ffff:10.0.0.2'];
  expect(addressesOfFamily(texts, 'IPv4', true)).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(addressesOfFamily(texts, 'IPv6', true)).toEqual(['fd00::1']);
  expect(addressesOfFamily(texts, 'IPv6', false)).toEqual(['FD00::1']);
  expect(rangesOfFamily([' 10.0.0.0/8 ', 'fd00::/8', 'x'], 'IPv4').map(({ text }) => text)).toEqual(['10.0.0.0/8']);
});

it('rangesOfFamily trims the characters that Go treats as space', () => {
  const texts = ['\u008510.1.0.0/16', '\u00a010.2.0.0/16\u2003', '\t10.3.0.0/16\n', '\ufeff10.4.0.0/16', '\u180e10.5.0.0/16'];
  expect(rangesOfFamily(texts, 'IPv4').map(({ text }) => text)).toEqual(['10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16']);
});
