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

describe('the name of a Service', () => {
  it('exists without endpoints, except with "ignore empty_service"', () => {
    expect(queryDns(svc('bare.shop')).rcode).toBe('NOERROR');
    expect(queryDns(svc('bare.shop'), { ignoreEmptyService: true }).rcode).toBe('NXDOMAIN');
    expect(queryDns(svc('web.shop'), { ignoreEmptyService: true }).rcode).toBe('NOERROR');
  });

  it('does not exist for a headless Service without ready endpoints', () => {
    expect(queryDns(svc('idle.shop'))).toMatchObject({ rcode: 'NXDOMAIN', code: 'NoReadyEndpoints' });
    expect(queryDns(svc('db.shop'), { noEndpoints: true })).toMatchObject({ rcode: 'NXDOMAIN', code: 'EndpointsNotServed' });
  });

  it('has only the first cluster IP in CoreDNS 1.8.0', () => {
    const objects = { ...shopObjects, services: [makeService('web', { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] })] };
    const count = (release: string) => queryDns(svc('web.shop'), { objects, release }).answer.length;
    expect([count('1.8.0'), count('1.8.1')]).toEqual([1, 2]);
  });

  it('has the clusterIP of an old API server that sets no clusterIPs', () => {
    const objects = { ...shopObjects, services: [makeService('web', { clusterIP: '10.0.0.5', clusterIPs: null })] };
    expect(queryDns(svc('web.shop'), { objects }).answer).toEqual(['web.shop.svc.cluster.local. 5 IN A 10.0.0.5']);
  });
});

describe('ports', () => {
  it('are found by name and protocol in any letter case, for any type', () => {
    for (const name of ['_http._tcp', '_HTTP._Tcp', '_._tcp', '_._'])
      expect(queryDns(`${name}.${svc('web.shop')}`).answer, name).toHaveLength(1);
    expect(queryDns(`_http._udp.${svc('web.shop')}`)).toMatchObject({
      rcode: 'NXDOMAIN',
      explanation: 'Service shop/web has no port _http._udp; it has _http._tcp.',
    });
    expect(queryDns(`_http._tcp.${svc('db.shop')}`)).toMatchObject({
      explanation: 'Service shop/db has no port _http._tcp; it has _sql._tcp.',
    });
  });

  it('have the protocol TCP by default, as in the API server', () => {
    const objects = { ...shopObjects, services: [makeService('web', { ports: [{ name: 'http', port: 80 }] })] };
    expect(queryDns(`_http._tcp.${svc('web.shop SRV')}`, { objects }).answer).toHaveLength(1);
  });
});

describe('endpoints', () => {
  it('are found by hostname, also below Services with a cluster IP', () => {
    expect(queryDns(`db-1.${svc('db.shop')}`).answer).toEqual(['db-1.db.shop.svc.cluster.local. 5 IN A 10.1.0.3']);
    expect(queryDns(`10-1-0-1.${svc('web.shop')}`).answer).toHaveLength(1);
    expect(queryDns(`nope.${svc('db.shop')}`)).toMatchObject({ rcode: 'NXDOMAIN', code: 'EndpointNotFound' });
    expect(queryDns(`x.${svc('bare.shop')}`)).toMatchObject({ rcode: 'NXDOMAIN', code: 'ServiceHasNoEndpoints' });
  });

  it('are found by pod name instead of address if configured', () => {
    const config = { endpointPodNames: true };
    expect(queryDns(`web-0.${svc('web.shop')}`, config).answer).toHaveLength(1);
    expect(queryDns(`10-1-0-1.${svc('web.shop')}`, config).rcode).toBe('NXDOMAIN');
    expect(queryDns(`web-0.${svc('web.shop')}`).rcode).toBe('NXDOMAIN');
  });

  it('are listed up to a limit if the name is not found', () => {
    const many = Array.from({ length: 30 }, (_, i) => makeEndpoint(`10.2.0.${i}`));
    const objects = { namespaces: [makeNamespace('shop')], services: [makeHeadlessService('db')], endpointSlices: [makeSlice('db', many)] };
    expect(queryDns(`x.${svc('db.shop')}`, { objects }).explanation).toBe(
      'Service shop/db has no ready endpoint named x; its ready endpoints are 10-2-0-0, 10-2-0-1, 10-2-0-2, 10-2-0-3, 10-2-0-4 and others.',
    );
  });
});

describe('a name below an external name', () => {
  it.each([
    ['1.8.0', 'NXDOMAIN', 'NOERROR'],
    ['1.8.1', 'NOERROR', 'NOERROR'],
    ['1.10.0', 'NOERROR', 'NOERROR'],
    ['1.10.1', 'NXDOMAIN', 'NOERROR'],
    ['1.11.0', 'NXDOMAIN', 'NXDOMAIN'],
  ])('in CoreDNS %s: an endpoint is %s, a port is %s', (release, endpointCode, portCode) => {
    expect(queryDns(`x.${svc('docs.shop')}`, { release }).rcode).toBe(endpointCode);
    expect(queryDns(`_http._tcp.${svc('docs.shop')}`, { release }).rcode).toBe(portCode);
  });

  it('with an empty port and protocol exists; an external name that is an IP address does not', () => {
    expect(queryDns(`_._.${svc('docs.shop')}`).rcode).toBe('NOERROR');
    expect(queryDns(svc('ip.shop'), { objects: { ...shopObjects, services: [makeExternalNameService('ip', '::1')] } }).rcode).toBe(
      'NXDOMAIN',
    );
  });
});
