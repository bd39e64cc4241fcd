import { describe, expect, it } from 'vitest';
import { createClusterZone, type DnsConfig } from '../../src/dns/index.ts';
import { makeEndpoint, makeHeadlessService, makeNamespace, makeSlice } from './cluster.ts';
import { queryDns, svc } from './query.ts';

const subsets = [
  { addresses: [{ ip: '10.2.0.1' }], notReadyAddresses: [{ ip: '10.2.0.9' }], ports: [{ name: 'http', port: 8080 }] },
  { addresses: [{ ip: '10.2.0.2' }], ports: [{ name: 'http', port: 9090 }] },
];
const objects = {
  namespaces: [makeNamespace('shop')],
  services: [makeHeadlessService('db')],
  endpointSlices: [makeSlice('db', [makeEndpoint('10.1.0.1')])],
  endpoints: [{ metadata: { name: 'db', namespace: 'shop' }, subsets }],
};
const addresses = (config: DnsConfig): (string | undefined)[] =>
  queryDns(svc('db.shop'), { objects, ...config }).answer.map((text) => text.split(' ').at(-1));
const fromEndpoints = ['10.2.0.1', '10.2.0.2'];
const fromSlices = ['10.1.0.1'];

describe('a zone', () => {
  it.each([
    ['1.6.9', fromEndpoints, fromEndpoints],
    ['1.8.0', fromEndpoints, fromEndpoints],
    ['1.8.1', fromSlices, fromEndpoints],
    ['1.10', fromSlices, fromEndpoints],
    ['1.11.0', fromSlices, fromSlices],
    ['1.15', fromSlices, fromSlices],
  ])('of CoreDNS %s answers %j if the cluster offers EndpointSlices, else %j', (release, withSlices, withoutSlices) => {
    expect(addresses({ release })).toEqual(withSlices);
    expect(addresses({ release, endpointSliceApi: false })).toEqual(withoutSlices);
    expect(createClusterZone({ release }).readsEndpoints).toBe(withSlices === fromEndpoints);
  });

  it('gives each subset of Endpoints its own ports', () => {
    expect(queryDns(svc('db.shop SRV'), { objects, release: '1.7.1' }).answer.map((text) => text.split('SRV ')[1])).toEqual([
      '0 50 8080 10-2-0-1.db.shop.svc.cluster.local.',
      '0 50 9090 10-2-0-2.db.shop.svc.cluster.local.',
    ]);
  });

  it('includes endpoints of slices that are not ready in CoreDNS 1.8.1 to 1.8.3', () => {
    const slices = { ...objects, endpointSlices: [makeSlice('db', [makeEndpoint('10.1.0.1', { conditions: { ready: false } })])] };
    expect(addresses({ release: '1.8.3', ...{ objects: slices } })).toEqual(fromSlices);
    expect(addresses({ release: '1.8.4', ...{ objects: slices } })).toEqual([]);
  });

  it('answers AXFR with NODATA, even for missing names, up to CoreDNS 1.7', () => {
    const rcode = (release: string) => queryDns(svc('missing.shop AXFR'), { objects, release }).rcode;
    expect(['1.7.1', '1.8.0', '1.8.4'].map(rcode)).toEqual(['NOERROR', 'NXDOMAIN', 'REFUSED']);
  });
});
