import { describe, expect, it } from 'vitest';
import { parseName } from '../../src/dns/index.ts';

const zone = 'cluster.local.';

describe('parseName', () => {
  it.each([
    ['', { kind: 'zone' }],
    ['svc', { kind: 'tree' }],
    ['shop.svc', { kind: 'namespace', namespace: 'shop' }],
    ['Web.Shop.svc', { kind: 'service', namespace: 'shop', service: 'web' }],
    ['db-0.db.shop.svc', { kind: 'endpoint', namespace: 'shop', service: 'db', endpoint: 'db-0' }],
    ['_http._tcp.web.shop.svc', { kind: 'port', namespace: 'shop', service: 'web', port: 'http', protocol: 'tcp' }],
    ['10-0-0-1.shop.pod', { kind: 'pod', namespace: 'shop', pod: '10-0-0-1' }],
    ['shop.pod', { kind: 'namespace', namespace: 'shop' }],
    ['ns.dns', { kind: 'name-server' }],
    ['dns-version', { kind: 'version' }],
  ])('parses %s', (name, request) => {
    expect(parseName(name === '' ? zone : `${name}.${zone}`)).toEqual({ request: { zone, ...request } });
  });

  it('parses the address of a reverse name', () => {
    expect(parseName('1.0.0.10.in-addr.arpa')).toEqual({ request: { kind: 'reverse', zone: 'in-addr.arpa.', address: '10.0.0.1' } });
  });

  it.each([
    ['web.shop.cluster.local', 'NameNotOfCluster'],
    ['a.b.c.web.shop.svc.cluster.local', 'NameTooDeep'],
    ['example.com', 'NotInZone'],
    ['a..cluster.local', 'NameMalformed'],
    ['web.shop.svc.1.in-addr.arpa', 'NameNotOfCluster'],
  ])('gives the reason why %s is not a request', (name, code) => {
    expect(parseName(name).reason?.code).toBe(code);
  });

  it('uses the zones of the configuration', () => {
    expect(parseName('web.shop.svc.k8s.example.org', { zones: ['k8s.example.org'] }).request?.service).toBe('web');
    expect(() => parseName('a', { ttl: -1 })).toThrow(RangeError);
  });
});
