import { describe, expect, it } from 'vitest';
import { canonicalIP, hasLeadingZeros, ipv4Number, isIPv6, parseIP, printIP, rankOfIPv4, strictIP } from '../../src/apimachinery/index.ts';

describe('canonicalIP', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['010.0.0.1', '10.0.0.1'],
    ['10.000.0000.00001', '10.0.0.1'],
    ['0255.1.1.1', '255.1.1.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['FD00:0:0::ABCD', 'fd00::abcd'],
    ['fd00:0::6276', 'fd00::6276'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['1:0:0:2:3:4:0:0', '1::2:3:4:0:0'],
    ['1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['00000fd00::000001', 'fd00::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:010.0.0.01', '10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['::FFFF:192.168.254.253', '192.168.254.253'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['::1:ffff:1.2.3.4', '::1:ffff:102:304'],
    ['1::ffff:1.2.3.4', '1::ffff:102:304'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['1:2:3:4:5:6:255.255.255.255', '1:2:3:4:5:6:ffff:ffff'],
  ])('returns for %s: %s', (text, expected) => {
    expect(canonicalIP(text)).toBe(expected);
  });

  it.each([
    '',
    'x',
    '10.0.0',
    '10.0.0.0.1',
    '10.0.0.256',
    '10.0.0.1000',
    '10.0.0.',
    '.10.0.0',
    '10..0.1',
    '10.0.0.1 ',
    '10.0.0.-1',
    '10.0.0.1a',
    '10.0.0.a1',
    '10.0.0.1:80',
    '0x10.0.0.1',
    ':',
    ':::',
    '1:',
    ':1',
    '1:2',
    '1::2::3',
    '12345::',
    '10000::',
    'g::',
    'fd00::1g',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '1:2:3:4:5:6:7:8::',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3',
    '::1.2.3.4:5',
    '1.2.3.4::',
    '1:1.2.3.4::',
    '::1.2.3.4::',
    '::1.2.3.256',
    'fe80::1%eth0',
    '<nil>',
  ])('returns undefined for %j', (text) => {
    expect(canonicalIP(text)).toBeUndefined();
  });
});

describe('isIPv6', () => {
  it.each([
    ['::1', true],
    ['fd00::1', true],
    ['::ffff:10.0.0.1', false],
    ['10.0.0.1', false],
    ['', false],
    ['a:b', false],
  ])('returns for %j: %s', (text, expected) => {
    expect(isIPv6(text)).toBe(expected);
  });
});

describe('rankOfIPv4', () => {
  it('ranks plain addresses from 0 to 2^32 - 1, in the order of their texts', () => {
    const texts = ['0.0.0.0', '10.0.0.1', '10.0.0.10', '10.0.0.100', '10.0.0.2', '10.1.0.0', '100.0.0.0', '2.255.0.0', '255.255.255.99'];
    expect(texts.toSorted()).toEqual(texts);
    const ranks = texts.map(rankOfIPv4);
    expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks);
    expect(rankOfIPv4('0.0.0.0')).toBe(0);
    expect(rankOfIPv4('99.99.99.99')).toBe(2 ** 32 - 1);
    expect(new Set(ranks).size).toBe(texts.length);
  });

  it('ranks every octet by its text, in any position', () => {
    const octets = Array.from({ length: 256 }, (_, octet) => String(octet)).sort();
    expect(octets.map((octet) => rankOfIPv4(`0.0.0.${octet}`))).toEqual(octets.map((_, i) => i));
    expect(octets.map((octet) => rankOfIPv4(`${octet}.0.0.0`))).toEqual(octets.map((_, i) => i * 2 ** 24));
  });

  it.each([
    '',
    '.',
    '1',
    '1.2',
    '1.2.3',
    '1.2.3.',
    '1.2.3.4.',
    '1.2.3.4.5',
    '.1.2.3',
    '1..2.3',
    '01.2.3.4',
    '1.2.3.00',
    '1.2.3.256',
    '1.2.3.2555',
    '1.2.3.a',
    '1.2.3./',
    '1.2.3.:',
    '::1',
    '<nil>',
  ])('returns a negative rank for %j', (text) => {
    expect(rankOfIPv4(text)).toBeLessThan(0);
  });
});

describe('strictIP', () => {
  it.each(['010.0.0.1', '10.00.0.1', '10.0.0', '::ffff:010.0.0.1', '00001::', '1:2', 'fe80::1%eth0', '10.0.0.1/8'])(
    'refuses %j',
    (text) => {
      expect(strictIP(text)).toBeUndefined();
    },
  );

  it('accepts groups with leading zeros of up to four digits', () => {
    expect([strictIP('0001::'), strictIP('::01'), strictIP('0.0.0.0')]).toStrictEqual(['1::', '::1', '0.0.0.0']);
  });
});

it('hasLeadingZeros detects leading zeros of octets, and of groups with more than four digits', () => {
  expect(['10.0.0.1', '0.0.0.0', 'fd00::0001'].map(hasLeadingZeros)).toStrictEqual([false, false, false]);
  expect(['10.0.00.1', 'fd00::00001', '::ffff:1.2.3.04', '::ffff:01.2.3.4'].map(hasLeadingZeros)).toStrictEqual([true, true, true, true]);
});

describe('parseIP and printIP', () => {
  it.each([
    ['10.0.0.3', 'IPv4', 0x0a000003n, '10.0.0.3'],
    ['255.255.255.255', 'IPv4', 0xffffffffn, '255.255.255.255'],
    ['::ffff:10.0.0.3', 'IPv4', 0x0a000003n, '10.0.0.3'],
    ['fd00::', 'IPv6', 0xfdn << 120n, 'fd00::'],
    ['::', 'IPv6', 0n, '::'],
    ['FD00:0:0:1::00aB', 'IPv6', (0xfdn << 120n) | (1n << 64n) | 0xabn, 'fd00:0:0:1::ab'],
  ])('read %s', (text, family, value, printed) => {
    expect(parseIP(text)).toStrictEqual({ family, value });
    expect(printIP({ family: family as 'IPv4', value })).toBe(printed);
  });

  it('print IPv4-mapped IPv6 addresses as IPv4', () => expect(printIP({ family: 'IPv6', value: 0xffff0a000003n })).toBe('10.0.0.3'));

  it.each(['', 'bogus', '10.0.0', '010.0.0.1', '::ffff:010.0.0.3', 'fd00::00001', '10.0.0.256', 'fd00::1%eth0'])('refuse %j', (text) => {
    expect(parseIP(text)).toBeUndefined();
  });
});

it('ipv4Number returns the number of a plain IPv4 address, otherwise -1', () => {
  const texts = ['0.0.0.0', '1.2.3.4', '128.0.0.1', '255.255.255.255', '01.2.3.4', '::1'];
  expect(texts.map(ipv4Number)).toStrictEqual([0, 0x01020304, 0x80000001, 0xffffffff, -1, -1]);
});
