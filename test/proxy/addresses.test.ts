import { describe, expect, it } from 'vitest';
import { addressesOfFamily, isInRanges, rangesOfFamily, readRange } from '../../src/proxy/addresses.ts';

describe('a range', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8', 'IPv4'],
    ['010.000.0.1/32', '10.0.0.1/32', 'IPv4'],
    ['0.0.0.0/0', '0.0.0.0/0', 'IPv4'],
    ['172.16.200.1/20', '172.16.192.0/20', 'IPv4'],
    ['fd00:1:2:3::4/64', 'fd00:1:2:3::/64', 'IPv6'],
    ['2001:DB8::1/33', '2001:db8::/33', 'IPv6'],
    ['::/0', '::/0', 'IPv6'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8', 'IPv4'],
    ['::ffff:10.1.2.3/64', '::/64', 'IPv6'],
  ])('%s is %s', (text, printed, family) => {
    expect(readRange(text)).toMatchObject({ text: printed, family });
  });

  it.each(['', '10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/ 8', 'all/0'])(
    'is not %j',
    (text) => {
      expect(readRange(text)).toBeUndefined();
    },
  );

  it('is one of several that may have an address', () => {
    expect(isInRanges('10.1.0.9', ['192.0.2.0/24', 'x', '10.1.0.0/16'])).toBe(true);
    expect(isInRanges('10.2.0.9', ['192.0.2.0/24', 'x', '10.1.0.0/16', 'fd00::/8'])).toBe(false);
    expect(isInRanges('10.2.0.9', [])).toBe(false);
  });

  it('contains the addresses that begin alike, of its own family', () => {
    const contains = (range: string, ip: string) => readRange(range)?.contains(ip);
    expect(contains('172.16.192.0/20', '172.16.207.255')).toBe(true);
    expect(contains('172.16.192.0/20', '172.16.208.0')).toBe(false);
    expect(contains('fd00::/65', 'fd00::7fff:0:0:1')).toBe(true);
    expect(contains('fd00::/65', 'fd00::8000:0:0:1')).toBe(false);
    expect(contains('0.0.0.0/0', 'fd00::1')).toBe(false);
    expect(contains('::/0', '10.0.0.1')).toBe(false);
  });

  it('is zero where it is all there is', () => {
    expect(['0.0.0.0/0', '9.9.9.9/0', '::/0', '0.0.0.0/1'].map((text) => readRange(text)?.isZero)).toEqual([true, true, true, false]);
  });
});

it('texts are sorted out by family, and what is none falls away', () => {
  const texts = ['10.0.0.01', 'bogus', 'FD00::1', '', '::ffff:10.0.0.2'];
  expect(addressesOfFamily(texts, 'IPv4')).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(addressesOfFamily(texts, 'IPv6')).toEqual(['fd00::1']);
  expect(rangesOfFamily([' 10.0.0.0/8 ', 'fd00::/8', 'x'], 'IPv4').map(({ text }) => text)).toEqual(['10.0.0.0/8']);
});

it('ranges may have around them what Go takes for space', () => {
  const texts = ['\u008510.1.0.0/16', '\u00a010.2.0.0/16\u2003', '\t10.3.0.0/16\n', '\ufeff10.4.0.0/16', '\u180e10.5.0.0/16'];
  expect(rangesOfFamily(texts, 'IPv4').map(({ text }) => text)).toEqual(['10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16']);
});
