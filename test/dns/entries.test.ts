import { describe, expect, it } from 'vitest';
import { createEndpointsEntry, createPodEntry, createServiceEntry, createSliceEntry } from '../../src/dns/entries.ts';
import { createClusterZone } from '../../src/dns/index.ts';
import { parseConfig } from '../../src/dns/settings.ts';
import { makeEndpoint, makePod, makeService, makeSlice } from './cluster.ts';

const settings = parseConfig();

describe('createServiceEntry', () => {
  it('collects external IPs, then addresses of the load balancer', () => {
    const entry = createServiceEntry(
      makeService(
        'web',
        { externalIPs: ['192.0.2.1'] },
        { status: { loadBalancer: { ingress: [{ hostname: 'a' }, { ip: '192.0.2.2', hostname: 'b' }] } } },
      ),
      settings,
    );
    expect(entry.externalAddresses).toEqual(['192.0.2.1', 'a', '192.0.2.2']);
  });

  it.each([
    [{ spec: { ports: 'http' } }, 'Service shop/web: spec.ports is "http": give a list'],
    [{ spec: { ports: ['http'] } }, 'Service shop/web: spec.ports[0] is "http": give an object'],
    [{ spec: { ports: [{ port: '80' }] } }, 'Service shop/web: spec.ports[0].port is "80": give a whole number'],
    [{ spec: { clusterIP: 10 } }, 'Service shop/web: spec.clusterIP is 10: give a string'],
    [{ spec: { clusterIPs: [{}] } }, 'Service shop/web: spec.clusterIPs[0] is {}: give a string'],
    [{ spec: { type: 'ExternalName', externalName: [] } }, 'Service shop/web: spec.externalName is []: give a string'],
    [{ metadata: { namespace: 'shop' } }, 'Service: metadata.name is missing: give a non-empty string'],
    [{ metadata: { name: 'web', namespace: '' } }, 'Service web: metadata.namespace is "": give a non-empty string'],
    [{ metadata: null }, 'Service: metadata.name is missing: give a non-empty string'],
  ])('refuses %j', (fields, message) => {
    const object = { metadata: { name: 'web', namespace: 'shop' }, ...fields };
    expect(() => createServiceEntry(object as never, settings)).toThrow(new TypeError(message));
    expect(() => createClusterZone({}, { objects: { services: [object as never] } })).toThrow(message);
  });

  it('treats null as absent', () => {
    expect(
      createServiceEntry({ metadata: { name: 'web', namespace: 'shop' }, spec: { ports: [null as never], clusterIPs: null } }, settings),
    ).toMatchObject({
      ports: [{ name: '', protocol: 'TCP', port: 0 }],
      hosts: [{ text: '' }],
    });
    expect(createServiceEntry({ metadata: { name: 'web', namespace: 'shop' }, spec: null, status: null }, settings).ports).toEqual([
      { name: '', protocol: '', port: -1 },
    ]);
  });
});

describe('createSliceEntry', () => {
  it('contains endpoints that are ready or whose readiness is absent', () => {
    const conditions = [{ ready: true }, { ready: false, serving: true }, {}, null, { ready: null }];
    const entry = createSliceEntry(
      makeSlice(
        'web',
        conditions.map((each, i) => ({ addresses: [`10.0.0.${i}`], conditions: each })),
      ),
      settings,
    );
    expect(entry.subsets[0]?.addresses.map(({ host }) => host.text)).toEqual(['10.0.0.0', '10.0.0.2', '10.0.0.3', '10.0.0.4']);
  });

  it('labels an endpoint by its hostname, else by its pod if configured, else by its address', () => {
    const label = (more: object, release = '1.14') =>
      createSliceEntry(makeSlice('web', [makeEndpoint('fd00::1', more)]), parseConfig({ endpointPodNames: true, release })).subsets[0]
        ?.addresses[0]?.label;
    const long = { targetRef: { name: 'x'.repeat(64) } };
    expect(label({ hostname: 'h', targetRef: { name: 'p' } })).toBe('h');
    expect(label({ targetRef: { name: 'p' } })).toBe('p');
    expect([label(long, '1.8.5'), label(long, '1.8.6')]).toEqual(['x'.repeat(64), 'fd00--1']);
    // 64 octets in UTF-8.
    const beyondASCII = { targetRef: { name: 'é'.repeat(32) } };
    expect([label(beyondASCII, '1.8.6'), label(beyondASCII, '1.14.3')]).toEqual(['fd00--1', 'fd00--1']);
    expect(createSliceEntry(makeSlice('web', [makeEndpoint('localhost')]), settings).subsets[0]?.addresses[0]?.label).toBe('');
  });

  it.each([
    [{ endpoints: {} }, 'EndpointSlice shop/web-1: endpoints is {}: give a list'],
    [{ endpoints: [{ addresses: [7] }] }, 'EndpointSlice shop/web-1: endpoints[0].addresses[0] is 7: give a string'],
    [{ endpoints: [{ hostname: 7 }] }, 'EndpointSlice shop/web-1: endpoints[0].hostname is 7: give a string'],
    [{ ports: [{ name: 80 }] }, 'EndpointSlice shop/web-1: ports[0].name is 80: give a string'],
  ])('refuses %j', (fields, message) => {
    expect(() => createSliceEntry(makeSlice('web', [], fields as never), settings)).toThrow(new TypeError(message));
  });

  it('reads the Service from its label, even if there is a label "__proto__"', () => {
    expect(createSliceEntry(makeSlice('web', [], { metadata: { name: 's', namespace: 'shop' } }), settings).service).toBe('');
    const labels = JSON.parse('{"__proto__":"x","kubernetes.io/service-name":"web"}');
    expect(createSliceEntry({ metadata: { name: 's', namespace: 'shop', labels } }, settings).service).toBe('web');
  });
});

describe('createEndpointsEntry', () => {
  it('contains the ready addresses of each subset with its ports', () => {
    const object = {
      metadata: { name: 'web', namespace: 'shop' },
      subsets: [
        { addresses: [{ ip: '10.0.0.1', hostname: 'a' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [{ name: 'http', port: 80 }] },
        { addresses: [{ ip: '10.0.0.3' }] },
      ],
    };
    const { service, subsets } = createEndpointsEntry(object, settings);
    expect(service).toBe('web');
    expect(subsets.map(({ addresses, ports }) => [addresses.map(({ label }) => label), ports])).toStrictEqual([
      [['a'], [{ name: 'http', protocol: 'TCP', port: 80 }]],
      [['10-0-0-3'], [{ name: '', protocol: '', port: -1 }]],
    ]);
  });

  it('names the object and the field of a value of the wrong type', () => {
    const object = { metadata: { name: 'web', namespace: 'shop' }, subsets: [{ addresses: [{ ip: 7 }] }] };
    expect(() => createEndpointsEntry(object as never, settings)).toThrow(
      'Endpoints shop/web: subsets[0].addresses[0].ip is 7: give a string',
    );
  });
});

describe('createPodEntry', () => {
  it('contains all IPs of the pod from CoreDNS 1.15 on, and only the primary IP before', () => {
    const pod = makePod('a', '10.0.0.1', { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] });
    const addresses = (release: string) => createPodEntry(pod, parseConfig({ release }))?.addresses;
    expect([addresses('1.14'), addresses('1.15')]).toStrictEqual([['10.0.0.1'], ['10.0.0.1', 'fd00::1']]);
  });

  it('ignores a zero deletionTimestamp, as CoreDNS 1.8.6 and 1.14.3 do', () => {
    const metadata = { deletionTimestamp: '0001-01-01T00:00:00Z' };
    expect(createPodEntry(makePod('a', '10.0.0.1', {}, metadata), settings)).toBeDefined();
  });

  it('returns undefined for finished and terminating pods', () => {
    expect(createPodEntry(makePod('a', '10.0.0.1'), settings)).toMatchObject({ key: 'shop/a', addresses: ['10.0.0.1'] });
    expect(createPodEntry(makePod('a', '10.0.0.1', { phase: 'Failed' }), settings)).toBeUndefined();
    expect(createPodEntry(makePod('a', '10.0.0.1', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), settings)).toBeUndefined();
    expect(() => createPodEntry(makePod('a', 7 as never), settings)).toThrow('Pod shop/a: status.podIP is 7: give a string');
  });
});
