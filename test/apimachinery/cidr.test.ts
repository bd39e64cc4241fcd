import { describe, expect, it } from 'vitest';
import { cidrContains, type IP, parseCIDR, parseCIDRSloppy, parseIP, rangeSize } from '../../src/apimachinery/index.ts';

describe('parseCIDR', () => {
  it.each([
    ['10.0.0.7/24', '10.0.0.0/24', 256n],
    ['10.96.0.0/12', '10.96.0.0/12', 1n << 20n],
    ['fd00::/126', 'fd00::/126', 4n],
    // RangeSize of k8s.io/utils/net returns 0 for at least half of a family's addresses, and otherwise at most 2^63 - 1.
    ['0.0.0.0/1', '0.0.0.0/1', 0n],
    ['fd00::/64', 'fd00::/64', (1n << 63n) - 1n],
    ['10.0.0.1/08', '10.0.0.0/8', 1n << 24n],
    ['::1:2:3/0', '::/0', 0n],
  ])('reads %s as %s', (text, printed, size) => {
    const cidr = parseCIDR(text);
    expect([cidr.text, rangeSize(cidr)]).toStrictEqual([printed, size]);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '010.0.0.0/8',
    '::ffff:10.0.0.0/120',
    '::ffff:10.0.0.0/8',
    '',
  ])('refuses %j', (text) => {
    expect(() => parseCIDR(text)).toThrow(new RangeError(`invalid CIDR address: ${text}`));
  });
});

describe('parseCIDRSloppy', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8', 'IPv4'],
    ['010.000.0.1/32', '10.0.0.1/32', 'IPv4'],
    ['0.0.0.0/0', '0.0.0.0/0', 'IPv4'],
    ['172.16.200.1/20', '172.16.192.0/20', 'IPv4'],
    ['fd00:1:2:3::4/64', 'fd00:1:2:3::/64', 'IPv6'],
    ['2001:DB8::1/33', '2001:db8::/33', 'IPv6'],
    ['::/0', '::/0', 'IPv6'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8', 'IPv4'],
    ['::ffff:10.1.2.3/96', '0.0.0.0/0', 'IPv4'],
    ['::ffff:10.1.2.3/88', '::ff00:0:0/88', 'IPv6'],
    ['::ffff:10.1.2.3/64', '::/64', 'IPv6'],
  ])('reads %s as %s', (text, printed, family) => {
    expect(parseCIDRSloppy(text)).toMatchObject({ text: printed, family });
  });

  it.each(['', '10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/ 8', 'all/0'])(
    'refuses %j',
    (text) => {
      expect(parseCIDRSloppy(text)).toBeUndefined();
    },
  );
});

it('parseCIDRSloppy keeps the prefix length as written', () => {
  const lengths = ['10.0.0.0/08', '::/0', '::ffff:10.0.0.0/104'].map((text) => parseCIDRSloppy(text)?.prefixLength);
  expect(lengths).toStrictEqual([8, 0, 104]);
});

it.each([
  ['10.0.0.0/30', '10.0.0.0', true],
  ['10.0.0.0/30', '10.0.0.3', true],
  ['10.0.0.0/30', '10.0.0.4', false],
  ['10.0.0.0/30', '::a00:1', false],
  ['172.16.192.0/20', '172.16.207.255', true],
  ['172.16.192.0/20', '172.16.208.0', false],
  ['fd00::/65', 'fd00::7fff:0:0:1', true],
  ['fd00::/65', 'fd00::8000:0:0:1', false],
  ['0.0.0.0/0', 'fd00::1', false],
  ['::/0', '10.0.0.1', false],
])('cidrContains for %s and %s is %s', (cidr, ip, expected) => {
  expect(cidrContains(parseCIDR(cidr), parseIP(ip) as IP)).toBe(expected);
});
