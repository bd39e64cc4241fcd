import { describe, expect, it } from 'vitest';
import { candidatesOf, dotsIn, resolverOf } from '../../../src/trace/name/resolver.ts';
import { makePod } from '../shop.ts';

const of = (spec: object) => resolverOf(makePod('frontend-1', 1, { spec }), 'shop', 'cluster.local');
const cluster = ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];

describe('resolverOf', () => {
  it('uses the search path of the namespace, and ndots 5', () => {
    const expected = { policy: 'ClusterFirst', searches: cluster, ndots: 5, asks: 'cluster' };
    expect(resolverOf(undefined, 'shop', 'cluster.local')).toEqual(expected);
    expect(of({})).toEqual(expected);
    expect(of({ dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true })).toEqual({ ...expected, policy: 'ClusterFirstWithHostNet' });
  });

  it("uses the node's DNS if the policy or the host network requires it", () => {
    expect(of({ dnsPolicy: 'Default' })).toMatchObject({ searches: [], ndots: 1, asks: 'node' });
    expect(of({ hostNetwork: true })).toMatchObject({ searches: [], asks: 'node' });
  });

  it("uses only the pod's dnsConfig with the policy None", () => {
    const dnsConfig = { nameservers: ['10.96.0.2'], searches: ['example.com.'], options: [{ name: 'ndots', value: '2' }] };
    expect(of({ dnsPolicy: 'None', dnsConfig })).toEqual({ policy: 'None', searches: ['example.com'], ndots: 2, asks: ['10.96.0.2'] });
    expect(of({ dnsPolicy: 'None' })).toEqual({ policy: 'None', searches: [], ndots: 1, asks: [] });
  });

  it('appends the search paths of dnsConfig without duplicates', () => {
    const dnsConfig = { searches: ['svc.cluster.local', 'example.com'], options: [{ name: 'ndots', value: '1' }, { name: 'edns0' }] };
    expect(of({ dnsConfig })).toMatchObject({ searches: [...cluster, 'example.com'], ndots: 1 });
  });

  it('uses the last ndots option, limits it to 15, and reads an invalid value as 0', () => {
    const options = (...values: (string | null)[]) => ({ dnsConfig: { options: values.map((value) => ({ name: 'ndots', value })) } });
    expect(of(options('2', '3')).ndots).toBe(3);
    expect(of(options('99')).ndots).toBe(15);
    expect(of(options('many')).ndots).toBe(0);
    expect(of(options(null)).ndots).toBe(5);
  });

  it('limits the search path to 32 entries, and skips entries that are too long', () => {
    const searches = Array.from({ length: 40 }, (_, at) => (at === 0 ? 'a'.repeat(254) : `s${at}.example`));
    const found = of({ dnsConfig: { searches } }).searches;
    expect([found.length, found[3], found.at(-1)]).toEqual([32, 's1.example', 's29.example']);
  });
});

describe('candidatesOf', () => {
  const five = { searches: cluster, ndots: 5 };

  it('appends the search path to a name with fewer dots than ndots, and tries the bare name last', () => {
    expect(candidatesOf('web.shop', five)).toEqual([...cluster.map((search) => `web.shop.${search}.`), 'web.shop.']);
  });

  it('tries a name with at least ndots dots unchanged first', () => {
    expect(candidatesOf('a.b.c.d.e.f', five)).toEqual(['a.b.c.d.e.f.', ...cluster.map((search) => `a.b.c.d.e.f.${search}.`)]);
    expect(candidatesOf('web.shop', { ...five, ndots: 1 })[0]).toBe('web.shop.');
  });

  it('tries a name with a final dot only unchanged, and no name twice', () => {
    expect(candidatesOf('web.', five)).toEqual(['web.']);
    expect(candidatesOf('web', { searches: ['.', 'x'], ndots: 1 })).toEqual(['web.', 'web.x.']);
  });
});

it('dotsIn counts dots', () => {
  expect(['web', 'web.shop', 'a.b.c.'].map(dotsIn)).toEqual([0, 1, 3]);
});
