import { describe, expect, it } from 'vitest';
import { type DnsReply, withOutside } from '../../src/dns/index.ts';
import { ask, svc, textsOf } from './ask.ts';
import { endpoint, headless, shop, slice } from './cluster.ts';

const reply = (name: string, ...addresses: string[]): DnsReply => ({
  rcode: 'NOERROR',
  authoritative: false,
  answer: addresses.map((address) => ({ name, ttl: 60, type: 'A', address })),
  authority: [],
  additional: [],
});

describe('withOutside', () => {
  const docs = ask(svc('docs.shop')).whole;

  it('inserts the records after the CNAME that leads to them', () => {
    const whole = withOutside(docs, reply('docs.example.com.', '192.0.2.1', '192.0.2.2'));
    expect(textsOf(whole.answer)).toEqual([
      'docs.shop.svc.cluster.local. 5 IN CNAME docs.example.com.',
      'docs.example.com. 60 IN A 192.0.2.1',
      'docs.example.com. 60 IN A 192.0.2.2',
    ]);
    expect(whole).toMatchObject({ rcode: 'NOERROR', authoritative: true });
  });

  it('leaves the CNAME alone if nothing was found or the lookup failed', () => {
    const nothing: DnsReply = { ...reply('docs.example.com.'), rcode: 'NXDOMAIN' };
    for (const outside of [undefined, nothing]) {
      expect(textsOf(withOutside(docs, outside).answer)).toEqual(['docs.shop.svc.cluster.local. 5 IN CNAME docs.example.com.']);
    }
  });

  it('resolves each of several names', () => {
    const endpointSlices = [slice('far', [endpoint('a.example.com'), endpoint('b.example.com')])];
    const { whole } = ask(svc('far.shop'), { objects: { ...shop, services: [headless('far')], endpointSlices } });
    const both = withOutside(whole, reply('a.example.com.', '192.0.2.1'), reply('b.example.com.', '192.0.2.2'));
    expect(both.answer.map((record) => ('address' in record ? record.address : record.type))).toEqual([
      'CNAME',
      '192.0.2.1',
      'CNAME',
      '192.0.2.2',
    ]);
  });

  it("returns the zone's reply if nothing is outside, and the other reply if the zone has none", () => {
    const web = ask(svc('web.shop')).whole;
    expect(withOutside(web, reply('x.', '192.0.2.1'))).toBe(web.reply);
    const other = reply('example.com.', '192.0.2.9');
    expect(withOutside(ask('example.com.').whole, other)).toBe(other);
    expect(withOutside(ask('example.com.').whole, undefined)).toMatchObject({ rcode: 'SERVFAIL', answer: [] });
  });
});
