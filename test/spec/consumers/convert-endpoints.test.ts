import { describe, expect, it } from 'vitest';
import { canonicalSubsets, slicesFromEndpoints } from '../../../src/spec/consumers/convert-endpoints.ts';
import type { EndpointsInput } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { makeAddresses, makeSubset } from '../objects.ts';

const makeEndpoints = (subsets: EndpointsInput['subsets'], metadata: EndpointsInput['metadata'] = {}): EndpointsInput => ({
  metadata: { name: 'web', namespace: 'shop', ...metadata },
  subsets,
});

describe('slicesFromEndpoints', () => {
  it('creates one slice per subset and address family', () => {
    const targetRef = { kind: 'Pod', name: 'p', uid: 'u' };
    const subset = {
      addresses: [{ ip: '010.0.0.1', hostname: 'h', nodeName: 'n1', targetRef }, { ip: 'FD00::1' }],
      notReadyAddresses: [{ ip: '10.0.0.2', nodeName: '' }, { ip: 'x' }],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'h2' }, { port: 90 }],
    };
    const shared = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { generateName: 'web-', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
      ports: [
        { name: '', port: 90, protocol: 'TCP' },
        { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'h2' },
      ],
    };
    expect(slicesFromEndpoints(makeEndpoints([subset]))).toStrictEqual([
      {
        ...shared,
        addressType: 'IPv4',
        endpoints: [
          { addresses: ['10.0.0.1'], conditions: { ready: true }, hostname: 'h', nodeName: 'n1', targetRef },
          { addresses: ['10.0.0.2'], conditions: { ready: false } },
        ],
      },
      { ...shared, addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'], conditions: { ready: true } }] },
    ]);
  });

  it('returns no slices for Endpoints without addresses', () => {
    for (const subsets of [null, undefined, [], [{}], [{ ports: [{ port: 80 }] }]])
      expect(slicesFromEndpoints(makeEndpoints(subsets))).toEqual([]);
    expect(slicesFromEndpoints({})).toEqual([]);
  });

  it('creates slices without ports from a subset without ports', () => {
    expect(slicesFromEndpoints(makeEndpoints([{ addresses: [{ ip: '10.0.0.1' }] }]))).toMatchObject([{ ports: [], endpoints: [{}] }]);
  });

  it('fills slices up to the maximum', () => {
    const sizes = (maxEndpointsPerSlice?: number) =>
      slicesFromEndpoints(makeEndpoints([makeSubset(250)]), maxEndpointsPerSlice === undefined ? {} : { maxEndpointsPerSlice }).map(
        ({ endpoints }) => endpoints.length,
      );
    expect(sizes()).toEqual([100, 100, 50]);
    expect(sizes(250)).toEqual([250]);
    expect(sizes(1000)).toEqual([250]);
    expect(sizes(1)).toHaveLength(250);
    for (const invalid of [0, 1001, 1.5, Number.NaN])
      expect(() => sizes(invalid)).toThrow(/^maxEndpointsPerSlice is .*, not a whole number/);
  });

  it('refuses unknown versions', () => {
    expect(() => slicesFromEndpoints({}, { version: '1.8' })).toThrow(RangeError);
  });

  it('merges duplicates of an address with the same port; the endpoint is not ready if one of them is not ready', () => {
    const subsets = [
      { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] },
      { notReadyAddresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP', appProtocol: 'h2' }] },
    ];
    expect(slicesFromEndpoints(makeEndpoints(subsets))).toMatchObject([
      { endpoints: [{ conditions: { ready: false } }], ports: [{ port: 80 }] },
    ]);
  });

  it('keeps labels, except those that Kubernetes controllers read', () => {
    const labels = {
      tier: 'b',
      app: 'a',
      'service.kubernetes.io/headless': '',
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
      'endpointslice.kubernetes.io/skip-mirror': 'true',
      'endpointslice.kubernetes.io/managed-by': 'x',
      'kubernetes.io/service-name': 'x',
    };
    const [slice] = slicesFromEndpoints(makeEndpoints([makeSubset(1)], { labels }), { managedBy: 'me.example' });
    expect(Object.entries(slice?.metadata.labels ?? {})).toEqual([
      ['app', 'a'],
      ['endpointslice.kubernetes.io/managed-by', 'me.example'],
      ['kubernetes.io/service-name', 'web'],
      ['service.kubernetes.io/headless', ''],
      ['tier', 'b'],
    ]);
  });
});

it('canonicalSubsets keeps invalid IPs', () => {
  expect(canonicalSubsets(makeEndpoints([{ addresses: [{ ip: 'x' }, ...makeAddresses(1)] }]), profileFor())).toEqual([
    { addresses: [{ ip: '10.0.0.0' }, { ip: 'x' }] },
  ]);
});
