import { describe, expect, it } from 'vitest';
import { createClusterZone } from '../../src/dns/index.ts';
import { makeEndpoint, makeHeadlessService, makeNamespace, makePod, makeService, makeSlice, shopObjects } from './cluster.ts';

const web = { name: 'web.shop.svc.cluster.local.', type: 'A' };
const addresses = (zone: ReturnType<typeof createClusterZone>, name = web.name) =>
  zone.answer({ name, type: 'A' }).reply?.answer.map((record) => ('address' in record ? record.address : record.type));

describe('createClusterZone', () => {
  it('updates its answers with each change of an object', () => {
    const zone = createClusterZone();
    expect(zone.answer(web).reason.code).toBe('NamespaceNotFound');
    zone.namespaces.set(makeNamespace('shop'));
    zone.services.set(makeService('web'));
    expect(addresses(zone)).toEqual(['10.0.0.1']);
    zone.services.set(makeService('web', { clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] }));
    expect(addresses(zone)).toEqual(['10.0.0.2']);
    expect(zone.answer({ name: '1.0.0.10.in-addr.arpa.', type: 'PTR' }).reply?.rcode).toBe('NXDOMAIN');
    zone.services.delete('shop/web');
    expect(zone.answer(web).reply?.rcode).toBe('NXDOMAIN');
    zone.services.delete('shop/web');
  });

  it('updates both Services if the label of a slice changes', () => {
    const zone = createClusterZone(
      {},
      { objects: { ...shopObjects, services: [makeHeadlessService('a'), makeHeadlessService('b')], endpointSlices: [] } },
    );
    const sliceOf = (name: string) =>
      makeSlice(name, [makeEndpoint('10.1.0.1')], {
        metadata: { name: 's', namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
      });
    const [a, b] = ['a.shop.svc.cluster.local', 'b.shop.svc.cluster.local'];
    zone.endpointSlices.set(sliceOf('a'));
    expect([addresses(zone, a), addresses(zone, b)]).toEqual([['10.1.0.1'], []]);
    zone.endpointSlices.set(sliceOf('b'));
    expect([addresses(zone, a), addresses(zone, b)]).toEqual([[], ['10.1.0.1']]);
    zone.endpointSlices.delete('shop/s');
    expect(addresses(zone, b)).toEqual([]);
  });

  it('verifies pods if configured, and drops a terminating pod', () => {
    const zone = createClusterZone({ pods: 'verified' }, { objects: shopObjects });
    const name = '10-1-0-1.shop.pod.cluster.local';
    expect(addresses(zone, name)).toEqual(['10.1.0.1']);
    zone.pods.set(makePod('web-0', '10.1.0.1', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(addresses(zone, name)).toEqual([]);
  });

  it('does not depend on its input objects', () => {
    const ports = [{ name: 'http', port: 80, protocol: 'TCP' }];
    const zone = createClusterZone({}, { objects: { ...shopObjects, services: [makeService('web', { ports })] } });
    ports.length = 0;
    expect(zone.answer({ name: web.name, type: 'SRV' }).reply?.answer).toHaveLength(1);
  });

  it('lists its zones', () => {
    expect(createClusterZone().zones).toEqual(['cluster.local.', 'in-addr.arpa.', 'ip6.arpa.']);
    expect(createClusterZone({ zones: ['K8s.Example.org'] }).zones).toEqual(['k8s.example.org.']);
  });
});

describe('the serial', () => {
  it('is the second of the last change, and never decreases', () => {
    let now = 1_700_000_000_900;
    const zone = createClusterZone({}, { now: () => now });
    expect(zone.serial).toBe(1_700_000_000);
    now += 5_000;
    expect(zone.serial).toBe(1_700_000_000);
    zone.services.set(makeService('web'));
    expect(zone.serial).toBe(1_700_000_005);
    now -= 60_000;
    zone.services.delete('shop/web');
    expect(zone.serial).toBe(1_700_000_005);
    expect(zone.answer({ name: 'cluster.local', type: 'SOA' }).reply?.answer[0]).toMatchObject({ serial: 1_700_000_005 });
  });

  it('is 0 without a clock', () => {
    expect(createClusterZone({}, { objects: shopObjects }).serial).toBe(0);
  });
});

describe('the revision', () => {
  it('increases only with changes that affect records', () => {
    const zone = createClusterZone({}, { objects: shopObjects });
    const before = zone.revision;
    zone.services.set(
      makeService('web', { clusterIPs: ['10.0.0.1', 'fd00::1'] }, { metadata: { name: 'web', namespace: 'shop', resourceVersion: '9' } }),
    );
    zone.namespaces.set(makeNamespace('shop'));
    zone.pods.set(makePod('x', '10.9.0.1'));
    zone.endpointSlices.delete('shop/none');
    expect(zone.revision).toBe(before);
    zone.services.set(makeService('web'));
    zone.namespaces.delete('back');
    zone.endpointSlices.set(makeSlice('web', []));
    expect(zone.revision).toBe(before + 3);
  });

  it('does not increase with slices if endpoints are not served', () => {
    const zone = createClusterZone({ noEndpoints: true });
    zone.endpointSlices.set(makeSlice('web', [makeEndpoint('10.1.0.1')]));
    expect(zone.revision).toBe(0);
  });
});

describe('transfer', () => {
  it('accepts any served zone, in any letter case, with or without the final dot', () => {
    const zone = createClusterZone({}, { objects: shopObjects });
    expect([...zone.transfer('Cluster.Local')].length).toBeGreaterThan(2);
    expect(() => zone.transfer('example.com')).toThrow(
      new RangeError('"example.com" is not a zone of this cluster: give one of cluster.local., in-addr.arpa., ip6.arpa.'),
    );
  });
});
