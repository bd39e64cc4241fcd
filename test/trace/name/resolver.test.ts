import { describe, expect, it } from 'vitest';
import { candidatesOf, dotsIn, resolverOf } from '../../../src/trace/name/resolver.ts';
import { makePod } from '../shop.ts';

const of = (spec: object) => resolverOf(makePod('frontend-1', 1, { spec }), 'shop', 'cluster.local');
const cluster = ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];

describe('resolverOf', () => {
  it('has the search path of its namespace, and ndots 5', () => {
    const expected = { policy: 'ClusterFirst', searches: cluster, ndots: 5, asks: 'cluster' };
    expect(resolverOf(undefined, 'shop', 'cluster.local')).toEqual(expected);
    expect(of({})).toEqual(expected);
    expect(of({ dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true })).toEqual({ ...expected, policy: 'ClusterFirstWithHostNet' });
  });

  it('asks the DNS of the node where the policy says so, or the pod is on its network', () => {
    expect(of({ dnsPolicy: 'Default' })).toMatchObject({ searches: [], ndots: 1, asks: 'node' });
    expect(of({ hostNetwork: true })).toMatchObject({ searches: [], asks: 'node' });
  });

  it('has with the policy None what the pod says, and nothing else', () => {
    const dnsConfig = { nameservers: ['10.96.0.2'], searches: ['example.com.'], options: [{ name: 'ndots', value: '2' }] };
    expect(of({ dnsPolicy: 'None', dnsConfig })).toEqual({ policy: 'None', searches: ['example.com'], ndots: 2, asks: ['10.96.0.2'] });
    expect(of({ dnsPolicy: 'None' })).toEqual({ policy: 'None', searches: [], ndots: 1, asks: [] });
  });

  it('adds what the pod says, each path once', () => {
    const dnsConfig = { searches: ['svc.cluster.local', 'example.com'], options: [{ name: 'ndots', value: '1' }, { name: 'edns0' }] };
    expect(of({ dnsConfig })).toMatchObject({ searches: [...cluster, 'example.com'], ndots: 1 });
  });

  it('has the last of several options, at most 15, and 0 for what is no number', () => {
    const options = (...values: (string | null)[]) => ({ dnsConfig: { options: values.map((value) => ({ name: 'ndots', value })) } });
    expect(of(options('2', '3')).ndots).toBe(3);
    expect(of(options('99')).ndots).toBe(15);
    expect(of(options('many')).ndots).toBe(0);
    expect(of(options(null)).ndots).toBe(5);
  });

  it('has at most 32 paths, and none that is too long', () => {
    const searches = Array.from({ length: 40 }, (_, at) => (at === 0 ? 'a'.repeat(254) : `s${at}.example`));
    const found = of({ dnsConfig: { searches } }).searches;
    expect([found.length, found[3], found.at(-1)]).toEqual([32, 's1.example', 's29.example']);
  });
});

describe('candidatesOf', () => {
  const five = { searches: cluster, ndots: 5 };

  it('adds the search path to a name with fewer dots than ndots, which is asked as it is last', () => {
    expect(candidatesOf('web.shop', five)).toEqual([...cluster.map((search) => `web.shop.${search}.`), 'web.shop.']);
  });

  it('asks for a name with as many dots as it is first', () => {
    expect(candidatesOf('a.b.c.d.e.f', five)).toEqual(['a.b.c.d.e.f.', ...cluster.map((search) => `a.b.c.d.e.f.${search}.`)]);
    expect(candidatesOf('web.shop', { ...five, ndots: 1 })[0]).toBe('web.shop.');
  });

  it('asks for a name with a final dot as it is, and for the same name once', () => {
    expect(candidatesOf('web.', five)).toEqual(['web.']);
    expect(candidatesOf('web', { searches: ['.', 'x'], ndots: 1 })).toEqual(['web.', 'web.x.']);
  });
});

it('dotsIn counts', () => {
  expect(['web', 'web.shop', 'a.b.c.'].map(dotsIn)).toEqual([0, 1, 3]);
});
