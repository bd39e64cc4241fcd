import { describe, expect, it } from 'vitest';
import { type DnsReply, withOutside } from '../../src/dns/index.ts';
import { makeEndpoint, makeHeadlessService, makeSlice, shopObjects } from './cluster.ts';
import { queryDns, svc, textsOf } from './query.ts';

const reply = (name: string, ...addresses: string[]): DnsReply => ({
  rcode: 'NOERROR',
  authoritative: false,
  answer: addresses.map((address) => ({ name, ttl: 60, type: 'A', address })),
  authority: [],
  additional: [],
});

describe('withOutside', () => {
  const docs = queryDns(svc('docs.shop')).dnsAnswer;

  it('inserts the records after the CNAME that leads to them', () => {
    const combinedReply = withOutside(docs, reply('docs.example.com.', '192.0.2.1', '192.0.2.2'));
    expect(textsOf(combinedReply.answer)).toEqual([
      'docs.shop.svc.cluster.local. 5 IN CNAME docs.example.com.',
      'docs.example.com. 60 IN A 192.0.2.1',
      'docs.example.com. 60 IN A 192.0.2.2',
    ]);
    expect(combinedReply).toMatchObject({ rcode: 'NOERROR', authoritative: true });
  });

  it('keeps only the CNAME if nothing was found or the lookup failed', () => {
    const nxdomain: DnsReply = { ...reply('docs.example.com.'), rcode: 'NXDOMAIN' };
    for (const externalReply of [undefined, nxdomain]) {
      expect(textsOf(withOutside(docs, externalReply).answer)).toEqual(['docs.shop.svc.cluster.local. 5 IN CNAME docs.example.com.']);
    }
  });

  it('resolves each of several names', () => {
    const endpointSlices = [makeSlice('remote', [makeEndpoint('a.example.com'), makeEndpoint('b.example.com')])];
    const { dnsAnswer } = queryDns(svc('remote.shop'), {
      objects: { ...shopObjects, services: [makeHeadlessService('remote')], endpointSlices },
    });
    const completed = withOutside(dnsAnswer, reply('a.example.com.', '192.0.2.1'), reply('b.example.com.', '192.0.2.2'));
    expect(completed.answer.map((record) => ('address' in record ? record.address : record.type))).toEqual([
      'CNAME',
      '192.0.2.1',
      'CNAME',
      '192.0.2.2',
    ]);
  });

  it("returns the zone's reply if no CNAME leads outside, and the external reply or SERVFAIL if the name is outside the zones", () => {
    const web = queryDns(svc('web.shop')).dnsAnswer;
    expect(withOutside(web, reply('x.', '192.0.2.1'))).toBe(web.reply);
    const externalReply = reply('example.com.', '192.0.2.9');
    expect(withOutside(queryDns('example.com.').dnsAnswer, externalReply)).toBe(externalReply);
    expect(withOutside(queryDns('example.com.').dnsAnswer, undefined)).toMatchObject({ rcode: 'SERVFAIL', answer: [] });
  });
});
