import { describe, expect, it } from 'vitest';
import { candidatesOf, countDots, resolverOf } from '../../../src/trace/name/resolver.ts';
import { makePod } from '../shop.ts';

const configOf = (spec: object) => resolverOf(makePod('frontend-1', 1, { spec }), 'shop', 'cluster.local');
const clusterSearches = ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];

describe('resolverOf', () => {
  it('uses the search path of the namespace, and ndots 5', () => {
    const expected = { policy: 'ClusterFirst', searches: clusterSearches, ndots: 5, nameservers: 'cluster' };
    expect(resolverOf(undefined, 'shop', 'cluster.local')).toEqual(expected);
    expect(configOf({})).toEqual(expected);
    expect(configOf({ dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true })).toEqual({
      ...expected,
      policy: 'ClusterFirstWithHostNet',
    });
  });

  it("uses the node's DNS if the policy or the host network requires it", () => {
    expect(configOf({ dnsPolicy: 'Default' })).toMatchObject({ searches: [], ndots: 1, nameservers: 'node' });
    expect(configOf({ hostNetwork: true })).toMatchObject({ searches: [], nameservers: 'node' });
  });

  it("uses only the pod's dnsConfig with the policy None", () => {
    const dnsConfig = { nameservers: ['10.96.0.2'], searches: ['example.com.'], options: [{ name: 'ndots', value: '2' }] };
    expect(configOf({ dnsPolicy: 'None', dnsConfig })).toEqual({
      policy: 'None',
      searches: ['example.com'],
      ndots: 2,
      nameservers: ['10.96.0.2'],
    });
    expect(configOf({ dnsPolicy: 'None' })).toEqual({ policy: 'None', searches: [], ndots: 1, nameservers: [] });
  });

  it('appends the search paths of dnsConfig without duplicates', () => {
    const dnsConfig = { searches: ['svc.cluster.local', 'example.com'], options: [{ name: 'ndots', value: '1' }, { name: 'edns0' }] };
    expect(configOf({ dnsConfig })).toMatchObject({ searches: [...clusterSearches, 'example.com'], ndots: 1 });
  });

  it('uses the last ndots option, limits it to 15, and reads an invalid value as 0', () => {
    const options = (...values: (string | null)[]) => ({ dnsConfig: { options: values.map((value) => ({ name: 'ndots', value })) } });
    expect(configOf(options('2', '3')).ndots).toBe(3);
    expect(configOf(options('99')).ndots).toBe(15);
    expect(configOf(options('many')).ndots).toBe(0);
    expect(configOf(options(null)).ndots).toBe(5);
  });

  it('limits the search path to 32 entries, and skips entries that are too long', () => {
    const searches = Array.from({ length: 40 }, (_, index) => (index === 0 ? 'a'.repeat(254) : `s${index}.example`));
    const limitedSearches = configOf({ dnsConfig: { searches } }).searches;
    expect([limitedSearches.length, limitedSearches[3], limitedSearches.at(-1)]).toEqual([32, 's1.example', 's29.example']);
  });
});

describe('candidatesOf', () => {
  const ndots5 = { searches: clusterSearches, ndots: 5 };

  it('appends the search path to a name with fewer dots than ndots, and tries the name itself last', () => {
    expect(candidatesOf('web.shop', ndots5)).toEqual([...clusterSearches.map((search) => `web.shop.${search}.`), 'web.shop.']);
  });

  it('tries a name with at least ndots dots unchanged first', () => {
    expect(candidatesOf('a.b.c.d.e.f', ndots5)).toEqual(['a.b.c.d.e.f.', ...clusterSearches.map((search) => `a.b.c.d.e.f.${search}.`)]);
    expect(candidatesOf('web.shop', { ...ndots5, ndots: 1 })[0]).toBe('web.shop.');
  });

  it('tries a name with a final dot only as it is, and tries no name twice', () => {
    expect(candidatesOf('web.', ndots5)).toEqual(['web.']);
    expect(candidatesOf('web', { searches: ['.', 'x'], ndots: 1 })).toEqual(['web.', 'web.x.']);
  });
});

it('countDots counts dots', () => {
  expect(['web', 'web.shop', 'a.b.c.'].map(countDots)).toEqual([0, 1, 3]);
});
