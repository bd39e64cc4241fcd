import { describe, expect, it } from 'vitest';
import {
  makeEndpoint,
  makeExternalNameService,
  makeHeadlessService,
  makeNamespace,
  makeService,
  makeSlice,
  shopObjects,
} from './cluster.ts';
import { queryDns, svc } from './query.ts';

const soa = 'cluster.local. 5 IN SOA ns.dns.cluster.local. hostmaster.cluster.local. 0 7200 1800 86400 5';

describe('A and AAAA queries', () => {
  it('return the cluster IPs of a Service, by family', () => {
    expect(queryDns(svc('web.shop')).answer).toEqual(['web.shop.svc.cluster.local. 5 IN A 10.0.0.1']);
    expect(queryDns(svc('web.shop AAAA')).answer).toEqual(['web.shop.svc.cluster.local. 5 IN AAAA fd00::1']);
  });

  it('return the ready endpoints of a headless Service, each once, in the order of its slices', () => {
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: [makeHeadlessService('db')],
      endpointSlices: [
        makeSlice('db', [makeEndpoint('10.1.0.9'), makeEndpoint('10.1.0.3', { conditions: {} })], {
          metadata: { ...metadataOf('db-b'), labels: labelsOf('db') },
        }),
        makeSlice('db', [makeEndpoint('10.1.0.9'), makeEndpoint('10.1.0.7', { conditions: { ready: false } })]),
      ],
    };
    expect(queryDns(svc('db.shop'), { objects }).answer.map((text) => text.split(' ').at(-1))).toEqual(['10.1.0.9', '10.1.0.3']);
  });

  it('return names in the letter case of the question', () => {
    expect(queryDns('WEB.Shop.svc.Cluster.LOCAL.').answer).toEqual(['WEB.Shop.svc.Cluster.LOCAL. 5 IN A 10.0.0.1']);
  });

  it('return NODATA with the SOA for a family without addresses', () => {
    expect(queryDns(svc('db.shop AAAA'))).toMatchObject({ rcode: 'NOERROR', answer: [], authority: [soa], code: 'NoRecordOfType' });
  });
});

describe('SRV', () => {
  it('leads to the named endpoints, with their addresses as additional records', () => {
    expect(queryDns(`_sql._tcp.${svc('db.shop SRV')}`)).toMatchObject({
      answer: [
        '_sql._tcp.db.shop.svc.cluster.local. 5 IN SRV 0 50 5432 db-0.db.shop.svc.cluster.local.',
        '_sql._tcp.db.shop.svc.cluster.local. 5 IN SRV 0 50 5432 db-1.db.shop.svc.cluster.local.',
      ],
      additional: ['db-0.db.shop.svc.cluster.local. 5 IN A 10.1.0.2', 'db-1.db.shop.svc.cluster.local. 5 IN A 10.1.0.3'],
    });
  });

  it('has one record, with half the weight, for a Service with two addresses', () => {
    expect(queryDns(svc('web.shop SRV')).answer).toEqual(['web.shop.svc.cluster.local. 5 IN SRV 0 50 80 web.shop.svc.cluster.local.']);
  });

  it('accepts labels without underscores', () => {
    expect(queryDns(`http.tcp.${svc('web.shop SRV')}`).answer).toHaveLength(1);
  });

  it('has no record for a Service without ports or for an external name', () => {
    expect(queryDns(svc('bare.shop SRV'))).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'ServiceHasNoPorts' });
    expect(queryDns(svc('docs.shop SRV'))).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'ExternalNameHasNoRecord' });
  });

  it('leads to the hostname of an endpoint as it is written, even if it begins with a dot, in all releases', () => {
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: [makeHeadlessService('db')],
      endpointSlices: [makeSlice('db', [makeEndpoint('10.1.0.1', { hostname: '.a' })])],
    };
    const target = (release: string) => queryDns(svc('db.shop SRV'), { objects, release }).answer[0]?.split(' ').at(-1);
    expect(['1.8', '1.9', '1.15'].map(target)).toEqual(Array(3).fill('.a.db.shop.svc.cluster.local.'));
  });

  it('has no record for an endpoint that is a name, which has a CNAME record', () => {
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: [makeHeadlessService('db')],
      endpointSlices: [makeSlice('db', [makeEndpoint('nowhere')])],
    };
    expect(queryDns(svc('db.shop CNAME'), { objects })).toMatchObject({ answer: ['db.shop.svc.cluster.local. 5 IN CNAME nowhere.'] });
    expect(queryDns(svc('db.shop SRV'), { objects })).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });
});

describe('CNAME', () => {
  it('is answered for an external name only', () => {
    expect(queryDns(svc('docs.shop CNAME'))).toMatchObject({ answer: ['docs.shop.svc.cluster.local. 5 IN CNAME docs.example.com.'] });
    expect(queryDns(svc('docs.shop CNAME')).outside).toBeUndefined();
    expect(queryDns(svc('web.shop CNAME'))).toMatchObject({ rcode: 'NOERROR', answer: [] });
    expect(queryDns(svc('none.shop CNAME'))).toMatchObject({ rcode: 'NXDOMAIN' });
  });
});

describe('PTR', () => {
  it('leads from cluster IPs to Services, and from endpoints to their names', () => {
    expect(queryDns('1.0.0.10.in-addr.arpa. PTR').answer).toEqual(['1.0.0.10.in-addr.arpa. 5 IN PTR web.shop.svc.cluster.local.']);
    expect(queryDns('3.0.1.10.in-addr.arpa. PTR').answer).toEqual(['3.0.1.10.in-addr.arpa. 5 IN PTR db-1.db.shop.svc.cluster.local.']);
    expect(queryDns('1.0.1.10.in-addr.arpa. PTR').answer).toEqual(['1.0.1.10.in-addr.arpa. 5 IN PTR 10-1-0-1.web.shop.svc.cluster.local.']);
    expect(queryDns('99.0.0.10.in-addr.arpa. PTR')).toMatchObject({ rcode: 'NXDOMAIN', code: 'AddressNotFound' });
  });

  it('reports for a name that is not an address whether the name exists', () => {
    expect(queryDns(svc('web.shop PTR'))).toMatchObject({ rcode: 'NOERROR', answer: [] });
    expect(queryDns('1.0.10.in-addr.arpa. PTR')).toMatchObject({ rcode: 'NXDOMAIN' });
    expect(queryDns('in-addr.arpa. PTR')).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });
});

describe('TXT', () => {
  it('returns the version of the specification', () => {
    expect(queryDns('dns-version.cluster.local. TXT').answer).toEqual(['dns-version.cluster.local. 28800 IN TXT "1.1.0"']);
  });

  it('is NODATA for a Service, NXDOMAIN for the zone and, from CoreDNS 1.10.1 on, for a missing name', () => {
    expect(queryDns(svc('web.shop TXT')).rcode).toBe('NOERROR');
    expect(['1.10.0', '1.10.1'].map((release) => queryDns(svc('none.shop TXT'), { release }).rcode)).toEqual(['NOERROR', 'NXDOMAIN']);
    expect(queryDns('cluster.local. TXT')).toMatchObject({ rcode: 'NXDOMAIN', code: 'TextNotFound' });
  });
});

describe('NS', () => {
  const localIPs = ['10.1.0.2'];

  it('names the Services whose endpoint is the name server, with their addresses', () => {
    expect(queryDns('cluster.local. NS', { localIPs })).toMatchObject({
      answer: ['cluster.local. 5 IN NS db-0.db.shop.svc.cluster.local.', 'cluster.local. 5 IN NS db-1.db.shop.svc.cluster.local.'],
      additional: ['db-0.db.shop.svc.cluster.local. 5 IN A 10.1.0.2', 'db-1.db.shop.svc.cluster.local. 5 IN A 10.1.0.3'],
    });
  });

  it('names the owner of additional records in all releases', () => {
    const glue = (release: string) => queryDns('cluster.local. NS', { localIPs: ['10.1.0.1'], release }).additional[0]?.split(' ')[0];
    expect(['1.8.3', '1.15'].map(glue)).toEqual(['web.shop.svc.cluster.local.', 'web.shop.svc.cluster.local.']);
  });

  it('fails if the Service has no address, and has no answer if the name server is unknown', () => {
    const objects = { ...shopObjects, services: [makeService('web', { clusterIP: '', clusterIPs: [] })] };
    expect(queryDns('cluster.local. NS', { localIPs: ['10.1.0.1'], objects })).toMatchObject({
      rcode: 'SERVFAIL',
      code: 'NameServerHasNoAddress',
    });
    expect(queryDns('cluster.local. NS')).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'NameServerUnknown' });
  });

  it('is answered only for the zone in lower case', () => {
    expect(queryDns('CLUSTER.local. NS', { localIPs })).toMatchObject({ rcode: 'NOERROR', answer: [] });
    expect(queryDns(svc('web.shop NS'), { localIPs })).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });
});

describe('other types', () => {
  it('report whether the name exists', () => {
    for (const type of ['MX', 'ANY', 'HINFO', 'TYPE65280', 'NS', '__proto__']) {
      expect([queryDns(svc(`web.shop ${type}`)).rcode, queryDns(svc(`none.shop ${type}`)).rcode], type).toEqual(['NOERROR', 'NXDOMAIN']);
    }
    expect(queryDns('ns.dns.cluster.local. MX', { localIPs: ['10.9.9.9'] })).toMatchObject({ rcode: 'NOERROR', code: 'NoRecordOfType' });
  });
});

describe('an unusable external name', () => {
  it('has NODATA if it points to itself, and NXDOMAIN if it is an address', () => {
    const objects = {
      ...shopObjects,
      services: [makeExternalNameService('loop', 'loop.shop.svc.cluster.local'), makeExternalNameService('ip', '192.0.2.1')],
    };
    expect(queryDns(svc('loop.shop'), { objects })).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'ExternalNameIsItself' });
    expect(queryDns(svc('ip.shop'), { objects })).toMatchObject({ rcode: 'NXDOMAIN', code: 'ExternalNameIsAddress' });
  });
});

const metadataOf = (name: string) => ({ name, namespace: 'shop' });
const labelsOf = (name: string) => ({ 'kubernetes.io/service-name': name });
