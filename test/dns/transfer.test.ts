import { describe, expect, it } from 'vitest';
import { createClusterZone, type DnsConfig, type DnsObjects } from '../../src/dns/index.ts';
import { makeExternalNameService, makeNamespace, makeService, shopObjects } from './cluster.ts';
import { textsOf } from './query.ts';

const transfer = (config: DnsConfig = {}, objects: DnsObjects = shopObjects, zone = 'cluster.local'): string[] =>
  textsOf([...createClusterZone(config, { objects }).transfer(zone)]);

describe('transfer', () => {
  it('contains all records of the zone, with the SOA first and last', () => {
    const [first, ...rest] = transfer({ localIPs: ['10.1.0.1'] }).map((text) => text.replaceAll('.svc.cluster.local.', ''));
    expect(first).toMatch(/^cluster\.local\. 5 IN SOA /);
    expect(rest.pop()).toBe(first);
    expect(rest).toEqual([
      'cluster.local. 5 IN NS web.shop',
      'web.shop 0 IN A 10.0.0.1',
      'web.shop 0 IN AAAA fd00::1',
      'bare.shop 5 IN A 10.0.0.9',
      // CoreDNS gives a Service without ports the port -1, which is 65535 in 16 bits.
      'bare.shop 5 IN SRV 0 100 65535 bare.shop',
      'db.shop 5 IN A 10.1.0.2',
      'db-0.db.shop 5 IN A 10.1.0.2',
      '_sql._tcp.db.shop 5 IN SRV 0 50 5432 db-0.db.shop',
      'db.shop 5 IN A 10.1.0.3',
      'db-1.db.shop 5 IN A 10.1.0.3',
      '_sql._tcp.db.shop 5 IN SRV 0 50 5432 db-1.db.shop',
      'docs.shop 5 IN CNAME docs.example.com.',
      'web.shop 5 IN A 10.0.0.1',
      'web.shop 5 IN AAAA fd00::1',
      'web.shop 5 IN SRV 0 100 80 web.shop',
      '_http._tcp.web.shop 5 IN SRV 0 100 80 web.shop',
    ]);
  });

  it('contains the name servers from CoreDNS 1.8.5 on, including the default', () => {
    const servers = (release: string) =>
      transfer({ release, localIPs: ['10.9.9.9'] }).filter((text) => text.includes('ns.dns.cluster.local. 0 '));
    expect([servers('1.8.4'), servers('1.8.5')]).toEqual([[], ['ns.dns.cluster.local. 0 IN A 10.9.9.9']]);
  });

  it('writes ports in lower case', () => {
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: [makeService('web', { ports: [{ name: 'HTTP', port: 80, protocol: 'TCP' }] })],
    };
    expect(transfer({}, objects)).toContain('_http._tcp.web.shop.svc.cluster.local. 5 IN SRV 0 100 80 web.shop.svc.cluster.local.');
  });

  it('leaves out missing and hidden namespaces, and external names that are addresses', () => {
    expect(transfer({ namespaces: ['back'] })).toHaveLength(2);
    expect(transfer({}, { ...shopObjects, namespaces: [] })).toHaveLength(2);
    expect(transfer({}, { namespaces: [makeNamespace('shop')], services: [makeExternalNameService('ip', '192.0.2.1')] })).toHaveLength(2);
  });

  it('contains the same names below a reverse zone, as in CoreDNS', () => {
    expect(transfer({}, shopObjects, 'in-addr.arpa')).toContain('web.shop.svc.in-addr.arpa. 5 IN A 10.0.0.1');
  });

  it('sorts Services by name, then by namespace', () => {
    const objects = {
      namespaces: [makeNamespace('shop'), makeNamespace('back')],
      services: [makeService('b'), makeService('a'), { ...makeService('a'), metadata: { name: 'a', namespace: 'back' } }],
    };
    const owners = transfer({}, objects)
      .filter((text) => text.includes(' A '))
      .map((text) => text.split('.svc')[0]);
    expect(owners).toEqual(['a.back', 'a.shop', 'b.shop']);
  });
});
