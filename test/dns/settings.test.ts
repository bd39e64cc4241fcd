import { describe, expect, it } from 'vitest';
import { isReverseName, parseConfig } from '../../src/dns/settings.ts';

describe('parseConfig', () => {
  it('applies the defaults of the plugin', () => {
    expect(parseConfig()).toMatchObject({
      primaryZone: 'cluster.local.',
      pods: 'disabled',
      ttl: 5,
      namespaces: undefined,
      fallthrough: [],
    });
  });

  it('uses the first zone that is not below in-addr.arpa or ip6.arpa for PTR targets', () => {
    expect(parseConfig({ zones: ['10.in-addr.arpa', 'b.local', 'a.local'] }).primaryZone).toBe('b.local.');
    expect(parseConfig({ zones: ['in-addr.arpa', 'cluster.local'] }).primaryZone).toBe('in-addr.arpa.');
  });

  it('sorts the longest zone first', () => {
    expect(parseConfig({ zones: ['local', 'cluster.local', 'LOCAL.'] }).zones).toEqual(['cluster.local.', 'local.']);
  });

  it('applies fallthrough to all or some zones', () => {
    expect([true, false, [], ['Example.com']].map((zones) => parseConfig({ fallthrough: zones }).fallthrough)).toEqual([
      ['.'],
      [],
      ['.'],
      ['example.com.'],
    ]);
  });

  it.each([
    [{ zones: [] }, 'zones contains only reverse zones: add one that is not below in-addr.arpa or ip6.arpa'],
    [{ zones: ['10.in-addr.arpa'] }, 'zones contains only reverse zones: add one that is not below in-addr.arpa or ip6.arpa'],
    [{ zones: ['a..b'] }, 'zones contains "a..b": it has an empty label; give a name such as "cluster.local" or "10.in-addr.arpa"'],
    [
      { zones: ['10.0.0.0/8'] },
      'zones contains "10.0.0.0/8": it is a range of addresses, not a name; give a name such as "cluster.local" or "10.in-addr.arpa"',
    ],
    [{ zones: [7 as never] }, 'zones contains 7: it is not a non-empty string; give a name such as "cluster.local" or "10.in-addr.arpa"'],
    [{ pods: 'all' as never }, 'pods is "all": give "disabled", "insecure" or "verified"'],
    [{ ttl: 3601 }, 'ttl is 3601: give a whole number of seconds from 0 to 3600'],
    [{ ttl: 0.5 }, 'ttl is 0.5: give a whole number of seconds from 0 to 3600'],
    [{ localIPs: ['10.0.0.256'] }, 'localIPs contains "10.0.0.256": give an IP address'],
    [
      { fallthrough: ['-/-'] },
      'fallthrough contains "-/-": it is a range of addresses, not a name; give a name such as "cluster.local" or "10.in-addr.arpa"',
    ],
  ])('refuses %j', (config, message) => {
    expect(() => parseConfig(config)).toThrow(new RangeError(message));
  });
});

describe('isReverseName', () => {
  it('is true below reverse zones, but not for in-addr.arpa and ip6.arpa themselves', () => {
    expect(['1.in-addr.arpa.', '1.ip6.arpa.', 'in-addr.arpa.', 'cluster.local.'].map(isReverseName)).toEqual([true, true, false, false]);
  });
});
