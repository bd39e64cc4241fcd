import { describe, expect, it } from 'vitest';
import {
  createNodeView,
  createProxier,
  endpointVerdicts,
  formatIptables,
  iptablesRules,
  isWatched,
  type ProxyObjects,
  type ServicePortView,
} from '../../src/proxy/index.ts';
import { dumpIptables } from '../../src/proxy/iptables/format.ts';
import { createViewTracker } from '../../src/proxy/tracker.ts';
import type { EndpointSubsetInput, EndpointsInput, IPFamily } from '../../src/types/index.ts';
import type { ReleaseOptions } from '../../src/versions/index.ts';
import { makeSlice, makeWebService, node, textsOf } from './fixtures.ts';

const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];

const makeEndpoints = (subsets: readonly EndpointSubsetInput[], name = 'web'): EndpointsInput => ({
  metadata: { namespace: 'shop', name },
  subsets,
});

const endpoints = makeEndpoints([{ addresses: [{ ip: '10.0.0.2', nodeName: 'n1' }], ports }]);
const objects: ProxyObjects = { services: [makeWebService()], endpointSlices: [makeSlice([{ ip: '10.0.0.1' }])], endpoints: [endpoints] };

const portIn = (input: ProxyObjects, release: ReleaseOptions, family: IPFamily = 'IPv4'): ServicePortView =>
  createNodeView(input, node, { family, ...release }).ports[0] as ServicePortView;

const textsFrom = (subsets: readonly EndpointSubsetInput[], release: ReleaseOptions = { version: '1.18' }, family: IPFamily = 'IPv4') =>
  textsOf(
    portIn(
      {
        services: [makeWebService(family === 'IPv6' ? { clusterIP: 'fd00:96::1' } : {})],
        endpoints: [makeEndpoints(subsets)],
      },
      release,
      family,
    ).endpoints,
  );

describe('createNodeView', () => {
  const [fromSlices, fromEndpoints] = [['10.0.0.1:8080'], ['10.0.0.2:8080']];

  it.each<[string, ReleaseOptions['featureGates'], readonly string[]]>([
    ['1.17', undefined, fromEndpoints],
    ['1.17', { EndpointSlice: true }, fromSlices],
    ['1.18', undefined, fromEndpoints],
    ['1.18', { EndpointSlice: false }, fromEndpoints],
    ['1.18', { EndpointSliceProxying: true }, fromSlices],
    ['1.19', undefined, fromSlices],
    ['1.19', { EndpointSlice: false }, fromSlices],
    ['1.19', { EndpointSliceProxying: false }, fromEndpoints],
    ['1.20', { EndpointSliceProxying: false }, fromEndpoints],
    ['1.21', { EndpointSliceProxying: false }, fromEndpoints],
    ['1.21', undefined, fromSlices],
    ['1.22', undefined, fromSlices],
    ['1.37', undefined, fromSlices],
  ])('reads either slices or Endpoints in %s with the feature gates %j', (version, featureGates, expected) => {
    expect(textsOf(portIn(objects, { version, featureGates }).endpoints)).toStrictEqual(expected);
  });

  it('has no endpoints if only slices are given to a release that reads Endpoints', () => {
    const port = portIn({ ...objects, endpoints: [] }, { version: '1.18' });
    expect([port.endpoints, port.hasAny]).toStrictEqual([[], false]);
  });

  it('uses the ready addresses of Endpoints', () => {
    const notReadyAddresses = [{ ip: '10.0.0.3', nodeName: 'n1' }];
    const port = portIn(
      {
        services: [makeWebService()],
        endpoints: [makeEndpoints([{ addresses: [{ ip: '10.0.0.2', nodeName: 'n1' }], notReadyAddresses, ports }])],
      },
      { version: '1.21', featureGates: { EndpointSliceProxying: false } },
    );
    expect(port.endpoints).toMatchObject([
      { text: '10.0.0.2:8080', isLocal: true, ready: true, serving: true, terminating: false, nodeName: 'n1' },
    ]);
    expect(endpointVerdicts(port, node, { version: '1.21' })).toMatchObject([{ cluster: 'Ready' }]);
  });

  it('keeps the order and the duplicates of Endpoints', () => {
    const addresses = ['10.0.0.3', '10.0.0.1', '10.0.0.3'].map((ip) => ({ ip }));
    const otherPorts = [{ name: 'http', port: 80, protocol: 'TCP' }, ...ports];
    expect(
      textsFrom([
        { addresses, ports },
        { addresses: [{ ip: '10.0.0.1' }], ports: otherPorts },
      ]),
    ).toStrictEqual(['10.0.0.3:8080', '10.0.0.1:8080', '10.0.0.3:8080', '10.0.0.1:80', '10.0.0.1:8080']);
  });

  it.each<[string, EndpointSubsetInput, readonly string[]]>([
    ['of the other family', { addresses: [{ ip: 'fd00::1' }, { ip: '10.0.0.1' }], ports }, ['10.0.0.1:8080']],
    ['without an IP', { addresses: [{ ip: '' }, {}, { ip: '10.0.0.1' }], ports }, ['10.0.0.1:8080']],
    ['of a port without a number', { addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'http', protocol: 'TCP' }] }, []],
    ['of another port', { addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'https', port: 1, protocol: 'TCP' }] }, []],
    ['of another protocol', { addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'http', port: 1, protocol: 'UDP' }] }, []],
  ])('leaves out addresses %s', (_, subset, expected) => {
    expect(textsFrom([subset])).toStrictEqual(expected);
  });

  it('reads Endpoints of IPv6, and lists that are null', () => {
    const subsets = [
      { addresses: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }], ports },
      { addresses: null, ports: null },
    ];
    expect(textsFrom(subsets, { version: '1.18' }, 'IPv6')).toStrictEqual(['[fd00::1]:8080']);
    expect(
      textsOf(portIn({ ...objects, endpoints: [{ metadata: endpoints.metadata, subsets: null }] }, { version: '1.18' }).endpoints),
    ).toStrictEqual([]);
  });

  it('matches a port of Endpoints without a name', () => {
    const service = makeWebService({ ports: [{ port: 80 }] });
    const input = { services: [service], endpoints: [makeEndpoints([{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 8080 }] }])] };
    expect(textsOf(portIn(input, { version: '1.18' }).endpoints)).toStrictEqual(['10.0.0.1:8080']);
  });

  it('counts local addresses of Endpoints for the health check', () => {
    const local = makeEndpoints([
      {
        addresses: [
          { ip: '10.0.0.1', nodeName: 'n1' },
          { ip: '10.0.0.2', nodeName: 'n2' },
        ],
        ports,
      },
    ]);
    expect(createNodeView({ endpoints: [local] }, node, { version: '1.17' }).localReady).toStrictEqual({ 'shop/web': 1 });
  });

  it('uses the last Endpoints of a name, and refuses Endpoints that are no objects', () => {
    const last = makeEndpoints([{ addresses: [{ ip: '10.0.0.9' }], ports }]);
    expect(textsOf(portIn({ ...objects, endpoints: [endpoints, last] }, { version: '1.18' }).endpoints)).toStrictEqual(['10.0.0.9:8080']);
    const wrong = makeEndpoints([{ addresses: [null as never], ports }]);
    expect(() => portIn({ ...objects, endpoints: [wrong] }, { version: '1.18' })).toThrow(
      new RangeError('Endpoints "web": each of addresses has to be an object'),
    );
  });

  it('ignores topologyKeys and internalTrafficPolicy if Endpoints are read', () => {
    const service = makeWebService({ topologyKeys: ['kubernetes.io/hostname'], internalTrafficPolicy: 'Local' });
    const remote = makeEndpoints([{ addresses: [{ ip: '10.0.0.1', nodeName: 'n2' }], ports }]);
    const clusterWith = (featureGates: ReleaseOptions['featureGates']) =>
      textsOf(portIn({ services: [service], endpoints: [remote] }, { version: '1.21', featureGates }).cluster);
    expect(clusterWith({ EndpointSliceProxying: false, ServiceTopology: true })).toStrictEqual(['10.0.0.1:8080']);
    expect(clusterWith({ EndpointSliceProxying: false, ServiceInternalTrafficPolicy: true })).toStrictEqual(['10.0.0.1:8080']);
  });
});

describe('createViewTracker and createProxier', () => {
  it('update Endpoints by name', () => {
    const tracker = createViewTracker({ node, version: '1.18' });
    tracker.endpoints.set(endpoints);
    tracker.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }], 'IPv4', 's', 'other'));
    expect(tracker.pendingChanges().map(({ key }) => key)).toStrictEqual(['shop/web']);
    tracker.commit(tracker.pendingChanges());
    tracker.services.set(makeWebService());
    tracker.commit(tracker.pendingChanges());
    expect(tracker.view().ports.map(({ endpoints }) => textsOf(endpoints))).toStrictEqual([['10.0.0.2:8080']]);
    tracker.endpoints.delete('shop/web');
    tracker.commit(tracker.pendingChanges());
    expect(tracker.view().ports.map(({ endpoints }) => textsOf(endpoints))).toStrictEqual([[]]);
    tracker.endpoints.delete('shop/web');
    expect(tracker.pendingChanges()).toStrictEqual([]);
  });

  it('ignore Endpoints in releases that read slices', () => {
    const tracker = createViewTracker({ node });
    tracker.endpoints.set(endpoints);
    tracker.endpoints.delete('shop/web');
    expect(tracker.pendingChanges()).toStrictEqual([]);
  });

  it('have the rules of Endpoints', () => {
    const proxier = createProxier({ node, mode: 'iptables', version: '1.18' });
    proxier.services.set(makeWebService());
    proxier.endpoints.set(endpoints);
    proxier.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }]));
    proxier.sync();
    expect(formatIptables(proxier.rules())).toContain('--to-destination 10.0.0.2:8080');
    expect(formatIptables(proxier.rules())).not.toContain('10.0.0.1');
  });
});

it('the chain of an endpoint has its rules once for each time that Endpoints name it', () => {
  const twice = makeEndpoints([{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }], ports }]);
  const view = createNodeView({ services: [makeWebService()], endpoints: [twice] }, node, { version: '1.18' });
  const { nat } = dumpIptables(iptablesRules(view, node, { version: '1.18' }));
  expect(Object.entries(nat).flatMap(([name, rules]) => (name.startsWith('KUBE-SEP-') ? [rules.length] : []))).toStrictEqual([4]);
});

it('rules of Endpoints with an invalid address are refused', () => {
  const invalid = makeEndpoints([{ addresses: [{ ip: 'bogus' }], ports }]);
  const view = createNodeView({ services: [makeWebService()], endpoints: [invalid] }, node, { version: '1.18' });
  expect(() => iptablesRules(view, node, { version: '1.18' })).toThrow(
    new RangeError('Endpoints of Service "shop/web:http": subsets[].addresses[].ip of "bogus:8080" has to be an IP address'),
  );
});

it.each([
  [{}, true],
  [{ 'service.kubernetes.io/headless': '' }, false],
  [{ 'service.kubernetes.io/service-proxy-name': 'other' }, false],
])('isWatched of Endpoints with the labels %j is %s', (labels, expected) => {
  expect(isWatched({ metadata: { labels } }, 'Endpoints')).toBe(expected);
});
