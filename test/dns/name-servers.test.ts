import { describe, expect, it } from 'vitest';
import { joinName } from '../../src/dns/name-servers.ts';
import { makeEndpoint, makeNamespace, makeService, makeSlice, shopObjects } from './cluster.ts';
import { queryDns } from './query.ts';

const addresses = (question: string, config: Parameters<typeof queryDns>[1]): (string | undefined)[] =>
  queryDns(question, config).answer.map((text) => text.split(' ').at(-1));

describe('ns.dns', () => {
  const name = 'ns.dns.cluster.local.';

  it('has the addresses of the Services whose endpoint is the name server', () => {
    expect(addresses(name, { localIPs: ['10.1.0.1'] })).toEqual(['10.0.0.1']);
    expect(addresses(`${name} AAAA`, { localIPs: ['10.1.0.1'] })).toEqual(['fd00::1']);
    expect(addresses(name, { localIPs: ['10.1.0.2'] })).toEqual(['10.1.0.2', '10.1.0.3']);
  });

  it("has the name server's own address if it is not an endpoint", () => {
    const localIPs = ['10.9.9.9', 'fd00::9'];
    expect([addresses(name, { localIPs }), addresses(`${name} AAAA`, { localIPs })]).toEqual([['10.9.9.9'], ['fd00::9']]);
  });

  it('is not found in a zone in upper case', () => {
    expect(queryDns('ns.dns.CLUSTER.local.', { localIPs: ['10.9.9.9'] })).toMatchObject({ rcode: 'NXDOMAIN' });
  });

  it('has no records of other types', () => {
    for (const type of ['SRV', 'CNAME'])
      expect(queryDns(`${name} ${type}`, { localIPs: ['10.9.9.9'] })).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });

  it("has the name server's own address up to CoreDNS 1.9.0, and none afterwards, if its endpoint has no Service", () => {
    const objects = { namespaces: [makeNamespace('shop')], endpointSlices: [makeSlice('gone', [makeEndpoint('10.1.0.1')])] };
    const answer = (release: string) => addresses(name, { objects, release, localIPs: ['10.1.0.1'] });
    expect([answer('1.9.0'), answer('1.9.1')]).toEqual([['10.1.0.1'], []]);
  });

  it('has no usable address for a Service without an address, as in CoreDNS', () => {
    const objects = { ...shopObjects, services: [makeService('web', { clusterIP: '', clusterIPs: [] })] };
    expect(addresses(name, { objects, localIPs: ['10.1.0.1'] })).toEqual([]);
    // Go prints a missing IP address as "<nil>".
    expect(addresses(`${name} AAAA`, { objects, localIPs: ['10.1.0.1'] })).toEqual(['<nil>.']);
  });
});

it('joinName ends names under the root in one dot', () => {
  expect([joinName('a', 'b.'), joinName('a', '.')]).toEqual(['a.b.', 'a.']);
});
