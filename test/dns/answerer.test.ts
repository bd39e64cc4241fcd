import { describe, expect, it } from 'vitest';
import { makeEndpoint, makeHeadlessService, makeNamespace, makeSlice } from './cluster.ts';
import { queryDns, svc } from './query.ts';

describe('questions', () => {
  it('gives no reply to a question outside of the zones', () => {
    expect(queryDns('example.com.')).toMatchObject({ rcode: undefined, code: 'NotInZone' });
    expect(queryDns('.')).toMatchObject({ rcode: undefined });
    expect(queryDns('xcluster.local.')).toMatchObject({ rcode: undefined });
  });

  it('accepts a question without the final dot', () => {
    expect(queryDns('web.shop.svc.cluster.local').answer).toEqual(['web.shop.svc.cluster.local. 5 IN A 10.0.0.1']);
  });

  it.each([
    ['a..cluster.local.', 'it has an empty label'],
    ['.', undefined],
    ['.cluster.local.', 'it has an empty label'],
    [`${'a'.repeat(64)}.cluster.local.`, 'it has a label of more than 63 octets'],
    [`${'a.'.repeat(121)}cluster.local.`, 'it is longer than 255 octets'],
    ['', undefined],
  ])('answers FORMERR to a question with an invalid name in the zones, and does not reply outside of them: %j', (name, problem) => {
    const answer = queryDns(name);
    if (problem === undefined) expect(answer.rcode).toBeUndefined();
    else
      expect(answer).toMatchObject({
        rcode: 'FORMERR',
        authority: [],
        code: 'NameMalformed',
        explanation: `${name} is not a valid name: ${problem}.`,
      });
  });

  it('answers a question with the longest possible name', () => {
    const name = `${'a.'.repeat(120)}cluster.local.`;
    expect(name).toHaveLength(254);
    expect(queryDns(name).rcode).toBe('NXDOMAIN');
    expect(queryDns(`${'a'.repeat(63)}.shop.svc.cluster.local.`).rcode).toBe('NXDOMAIN');
  });

  it.each(['1.8.6', '1.14.3'])('looks up the escaped name, so that CoreDNS %s finds no hostname that needs an escape', (release) => {
    const hostnames = ['h@x', "it's", 'a$b'];
    const endpoints = hostnames.map((hostname, index) => makeEndpoint(`10.1.0.${index}`, { hostname }));
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: [makeHeadlessService('db')],
      endpointSlices: [makeSlice('db', endpoints)],
    };
    const rcodes = hostnames.map((hostname) => queryDns(`${hostname}.${svc('db.shop')}`, { objects, release }).rcode);
    expect(rcodes).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NOERROR']);
    // The same name as read from a packet.
    expect(queryDns(`a\\$b\\032.${svc('db.shop')}`, { objects, release }).rcode).toBe('NXDOMAIN');
    expect(queryDns(`\\$\\032.${svc('db.shop SOA')}`, { objects, release }).dnsAnswer.reason.values['name']).toBe(
      '$\\ .db.shop.svc.cluster.local.',
    );
  });

  it('answers a question from the longest matching zone', () => {
    const config = { zones: ['local', 'cluster.local'] };
    expect(queryDns(svc('web.shop'), config).answer).toHaveLength(1);
    expect(queryDns(svc('none.shop'), config).authority[0]).toMatch(/^cluster\.local\. /);
    expect(queryDns('web.shop.svc.local.', config).answer).toHaveLength(1);
  });

  it('can answer a question from the root zone', () => {
    expect(queryDns('web.shop.svc.', { zones: ['.'] })).toMatchObject({ answer: ['web.shop.svc. 5 IN A 10.0.0.1'] });
    expect(queryDns('none.shop.svc.', { zones: ['.'] }).authority).toEqual(['. 5 IN SOA ns.dns. hostmaster. 0 7200 1800 86400 5']);
  });
});

describe('SOA', () => {
  it('answers SOA only at the apex from CoreDNS 1.8.4 on; other names return NODATA, even if they do not exist', () => {
    expect(queryDns('cluster.local. SOA')).toMatchObject({ answer: [expect.stringMatching(/ IN SOA ns\.dns\.cluster\.local\. /)] });
    expect(queryDns('Cluster.local. SOA').answer[0]).toMatch(/^Cluster\.local\. 5 IN SOA ns\.dns\.Cluster\.local\. /);
    expect(queryDns(svc('none.shop SOA'))).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'TypeOnlyAtApex' });
    expect(queryDns(svc('none.shop SOA'), { release: '1.8.3' }).answer).toHaveLength(1);
  });

  it('limits negative caching to 300 s', () => {
    expect(queryDns(svc('none.shop'), { ttl: 3600 }).authority[0]).toMatch(/^cluster\.local\. 300 IN SOA .* 86400 3600$/);
    expect(queryDns(svc('none.shop'), { ttl: 0 }).authority[0]).toMatch(/^cluster\.local\. 0 IN SOA .* 86400 0$/);
  });
});

describe('AXFR and IXFR', () => {
  it('refuses AXFR and IXFR from CoreDNS 1.8.4 on, and answers them without records before', () => {
    expect(queryDns('cluster.local. AXFR')).toMatchObject({ rcode: 'REFUSED', authority: [], code: 'TransferRefused' });
    expect(queryDns('cluster.local. IXFR')).toMatchObject({ rcode: 'REFUSED' });
    expect(queryDns('cluster.local. AXFR', { release: '1.8.3' })).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });
});

describe('fallthrough', () => {
  it('passes a question to the next plugin only if its name does not exist', () => {
    expect(queryDns(svc('none.shop'), { fallthrough: true })).toMatchObject({ rcode: undefined, code: 'ServiceNotFound' });
    expect(queryDns(svc('web.shop TXT'), { fallthrough: true }).rcode).toBe('NOERROR');
  });

  it('can be limited to a list of zones', () => {
    const config = { fallthrough: ['in-addr.arpa'] };
    expect(queryDns('9.9.9.9.in-addr.arpa. PTR', config).rcode).toBeUndefined();
    expect(queryDns(svc('none.shop'), config).rcode).toBe('NXDOMAIN');
  });
});
