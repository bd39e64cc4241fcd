import { describe, expect, it } from 'vitest';
import { computeEndpointSlices } from '../../../src/spec/slices/slices.ts';
import type { EndpointSlice, Node, Pod, Service } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makePod, makeService } from '../objects.ts';
import { addressesOf, makeEndpoint, makeNode, owner, ownLabels, triggerTime } from './objects.ts';

const compute = (spec: Service['spec'], pods: readonly Pod[], options: Parameters<typeof computeEndpointSlices>[2] = {}): EndpointSlice[] =>
  computeEndpointSlices(freezeDeeply(makeService(spec)), freezeDeeply(pods), freezeDeeply(options));
const summarize = (slices: EndpointSlice[]) => slices.map(({ addressType }, i) => `${addressType} ${addressesOf(slices)[i]}`.trim());
const podWithIPs = (name: string, ...ips: string[]) => makePod(name, { status: { podIPs: ips.map((ip) => ({ ip })) } });
const makeTerminatingPod = (name: string): Pod =>
  makePod(name, { metadata: { name, namespace: 'shop', labels: { app: 'web' }, deletionTimestamp: '2026-01-01T00:00:00Z' } });

it('computeEndpointSlices returns complete slices', () => {
  const service = makeService({ clusterIP: 'None' }, { uid: 's1', labels: { tier: 'x' }, creationTimestamp: '2026-01-01T00:00:00Z' });
  const pod = makePod('a', { spec: { hostname: 'h', subdomain: 'web' } });
  expect(computeEndpointSlices(service, [pod], { nodes: [makeNode('n1', 'z')] })).toEqual([
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        generateName: 'web-',
        namespace: 'shop',
        labels: { ...ownLabels, 'service.kubernetes.io/headless': '', tier: 'x' },
        annotations: { [triggerTime]: '2026-01-01T00:00:00Z' },
        ownerReferences: [{ ...owner, uid: 's1' }],
      },
      addressType: 'IPv4',
      endpoints: [makeEndpoint('a', '10.0.0.1', { zone: 'z', hostname: 'h' })],
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    },
  ]);
});

describe('computeEndpointSlices', () => {
  it.each<{ name: string; spec: Service['spec']; pods: Pod[]; options?: Parameters<typeof computeEndpointSlices>[2]; expected: string[] }>([
    { name: 'no pods', spec: {}, pods: [], expected: ['IPv4'] },
    { name: 'no pods, both families', spec: { ipFamilies: ['IPv6', 'IPv4'] }, pods: [], expected: ['IPv4', 'IPv6'] },
    {
      name: 'dual stack',
      spec: { ipFamilies: ['IPv4', 'IPv6'] },
      pods: [podWithIPs('a', '10.0.0.1', 'fd00::1')],
      expected: ['IPv4 10.0.0.1', 'IPv6 fd00::1'],
    },
    { name: 'one family', spec: { ipFamilies: ['IPv6'] }, pods: [podWithIPs('a', '10.0.0.1', 'fd00::1')], expected: ['IPv6 fd00::1'] },
    {
      name: 'no family, a cluster IP',
      spec: { ipFamilies: [], clusterIP: 'fd00::a' },
      pods: [podWithIPs('a', 'fd00::1')],
      expected: ['IPv6 fd00::1'],
    },
    { name: 'no family, headless', spec: { ipFamilies: null, clusterIP: 'None' }, pods: [makePod()], expected: ['IPv4 10.0.0.1', 'IPv6'] },
    {
      name: 'two addresses of one family',
      spec: {},
      pods: [podWithIPs('a', '10.0.0.2', '10.0.0.1')],
      expected: ['IPv4 10.0.0.1+10.0.0.2'],
    },
    { name: 'no selector', spec: { selector: null }, pods: [makePod()], expected: [] },
    {
      name: 'an empty selector',
      spec: { selector: {} },
      pods: [makePod('a', { metadata: { namespace: 'shop', labels: null } })],
      expected: ['IPv4 10.0.0.1'],
    },
    { name: 'ExternalName', spec: { type: 'ExternalName' }, pods: [makePod()], expected: [] },
    { name: 'ExternalName', spec: { type: 'ExternalName' }, pods: [makePod()], options: { version: '1.26' }, expected: ['IPv4 10.0.0.1'] },
    {
      name: 'pods that are not selected',
      spec: {},
      pods: [makePod('x', { metadata: { labels: { app: 'db' }, namespace: 'shop' } }), {}],
      expected: ['IPv4'],
    },
    { name: 'terminal pods', spec: {}, pods: [makePod('a', { status: { phase: 'Succeeded' } })], expected: ['IPv4'] },
    { name: 'a terminating pod', spec: {}, pods: [makeTerminatingPod('a')], options: { version: '1.21' }, expected: ['IPv4'] },
    { name: 'a terminating pod', spec: {}, pods: [makeTerminatingPod('a')], options: { version: '1.22' }, expected: ['IPv4 10.0.0.1'] },
    { name: 'no nodes', spec: {}, pods: [makePod()], options: { nodes: [] }, expected: ['IPv4'] },
    { name: 'no nodes', spec: {}, pods: [makePod()], options: { nodes: [], version: '1.24.2' }, expected: [] },
    {
      name: 'no nodes, published',
      spec: { publishNotReadyAddresses: true },
      pods: [makePod()],
      options: { nodes: [] },
      expected: ['IPv4 10.0.0.1'],
    },
    { name: 'unknown nodes', spec: {}, pods: [makePod()], expected: ['IPv4 10.0.0.1'] },
    { name: 'no ports', spec: { ports: [] }, pods: [makePod()], expected: ['IPv4 10.0.0.1'] },
    { name: 'an unresolved port', spec: { ports: [{ targetPort: 'x' }] }, pods: [makePod()], expected: ['IPv4 10.0.0.1'] },
    {
      name: 'more endpoints than a slice holds',
      spec: {},
      pods: [3, 1, 10, 2].map((i) => makePod(`p${i}`, { ip: `10.0.0.${i}` })),
      options: { maxEndpointsPerSlice: 3 },
      expected: ['IPv4 10.0.0.1 10.0.0.10 10.0.0.2', 'IPv4 10.0.0.3'],
    },
    {
      name: 'two pods with one IP',
      spec: {},
      pods: [makePod('a'), makePod('b')],
      options: { version: '1.27' },
      expected: ['IPv4 10.0.0.1 10.0.0.1'],
    },
    {
      name: 'two pods with one IP',
      spec: {},
      pods: [makePod('a'), makePod('b')],
      options: { version: '1.26.2' },
      expected: ['IPv4 10.0.0.1'],
    },
  ])('computes slices for $name ($options): $expected', ({ spec, pods, options, expected }) => {
    expect(summarize(compute(spec, pods, options))).toEqual(expected);
    expect(summarize(compute(spec, pods.toReversed(), options))).toEqual(expected);
  });

  it('puts 100 endpoints into a slice by default', () => {
    const pods = Array.from({ length: 250 }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}` }));
    expect(compute({}, pods).map(({ endpoints }) => endpoints.length)).toEqual([100, 100, 50]);
    expect(compute({}, pods, { maxEndpointsPerSlice: 1000 }).map(({ endpoints }) => endpoints.length)).toEqual([250]);
  });
});

describe('computeEndpointSlices: hints', () => {
  const nodes: Node[] = ['a', 'b'].map((name) => makeNode(name, `zone-${name}`));
  const pods = ['a', 'b', 'a', 'b'].map((nodeName, i) => makePod(`p${i}`, { ip: `10.0.0.${i}`, spec: { nodeName } }));

  it.each<{ version: string; trafficDistribution: string; expected: object | undefined }>([
    { version: '1.30', trafficDistribution: 'PreferClose', expected: undefined },
    { version: '1.31', trafficDistribution: 'PreferClose', expected: { forZones: [{ name: 'zone-a' }] } },
    { version: '1.33', trafficDistribution: 'PreferSameNode', expected: undefined },
    { version: '1.34', trafficDistribution: 'PreferSameZone', expected: { forZones: [{ name: 'zone-a' }] } },
    { version: '1.34', trafficDistribution: 'PreferSameNode', expected: { forZones: [{ name: 'zone-a' }], forNodes: [{ name: 'a' }] } },
  ])('sets hints for $trafficDistribution in $version: $expected', ({ version, trafficDistribution, expected }) => {
    expect(compute({ trafficDistribution }, pods, { version, nodes })[0]?.endpoints[0]?.hints).toEqual(expected);
  });

  it.each([
    ['1.23', undefined],
    ['1.24', ['zone-a', 'zone-b', 'zone-a', 'zone-b']],
  ])('sets hints by annotation in %s', (version, expected) => {
    const service = makeService({}, { annotations: { 'service.kubernetes.io/topology-aware-hints': 'Auto' } });
    const [slice] = computeEndpointSlices(service, pods, { version, nodes });
    expect(slice?.endpoints.flatMap(({ hints }) => hints?.forZones?.map(({ name }) => name) ?? [])).toEqual(expected ?? []);
  });
});

describe('computeEndpointSlices refuses', () => {
  it.each([
    ['a version before slices of v1beta1', { version: '1.16' }, RangeError],
    ['an unknown version', { version: '2.0' }, RangeError],
    ['an invalid maximum', { maxEndpointsPerSlice: 0 }, RangeError],
  ])('%s', (_, options, error) => {
    expect(() => compute({}, [], options)).toThrow(error);
  });

  it('an invalid timestamp', () => {
    expect(() => computeEndpointSlices(makeService({}, { creationTimestamp: 'x' }), [])).toThrow(TypeError);
  });
});

describe('the feature gate EndpointSlice decides whether there are slices', () => {
  it.each([
    { release: { version: '1.17' }, count: 0 },
    { release: { version: '1.17', featureGates: { EndpointSlice: true } }, count: 1 },
    { release: { version: '1.18' }, count: 1 },
    { release: { version: '1.20', featureGates: { EndpointSlice: false } }, count: 0 },
  ])('$release: $count', ({ release, count }) => {
    expect(computeEndpointSlices(makeService(), [makePod()], release)).toHaveLength(count);
  });
});

it('computeEndpointSlices returns copies', () => {
  const pods = [makePod()];
  const [first] = computeEndpointSlices(makeService(), pods);
  first?.endpoints[0]?.addresses.push('x');
  if (first) first.ports[0] = {};
  expect(summarize(computeEndpointSlices(makeService(), pods))).toEqual(['IPv4 10.0.0.1']);
});
