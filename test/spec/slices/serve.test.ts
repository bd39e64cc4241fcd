import { describe, expect, it } from 'vitest';
import { serveSlice } from '../../../src/spec/index.ts';
import type { EndpointInput } from '../../../src/types/index.ts';

const [hostname, zone, region] = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];
const [v1, v1beta1] = [
  { apiVersion: 'discovery.k8s.io/v1', profile: { slicesAreV1: true } },
  { apiVersion: 'discovery.k8s.io/v1beta1', profile: { slicesAreV1: false } },
];
const serve = (from: typeof v1, endpoint: EndpointInput, to: typeof v1) =>
  serveSlice(
    { apiVersion: from.apiVersion, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], ...endpoint }] } as never,
    to.profile,
  );

describe('serveSlice', () => {
  it.each<[string, EndpointInput, EndpointInput]>([
    ['no topology', { nodeName: 'n1' }, { nodeName: 'n1' }],
    ['an empty topology', { topology: {} }, {}],
    ['a zone', { topology: { [zone]: 'z1' } }, { zone: 'z1' }],
    ['a node and its host name', { nodeName: 'n1', topology: { [hostname]: 'n1', [zone]: 'z1' } }, { nodeName: 'n1', zone: 'z1' }],
    ['a host name without a node', { topology: { [hostname]: 'n1' } }, { deprecatedTopology: { [hostname]: 'n1' } }],
    [
      'a host name of another node',
      { nodeName: 'n2', topology: { [hostname]: 'n1' } },
      { nodeName: 'n2', deprecatedTopology: { [hostname]: 'n1' } },
    ],
    ['a region', { topology: { [region]: 'r1', [zone]: 'z1' } }, { zone: 'z1', deprecatedTopology: { [region]: 'r1' } }],
  ])('converts an endpoint of v1beta1 with %s to v1', (_, before, after) => {
    expect(serve(v1beta1, before, v1)).toStrictEqual({
      apiVersion: v1.apiVersion,
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], ...after }],
    });
  });

  it.each<[string, EndpointInput, EndpointInput]>([
    ['a node and a zone', { nodeName: 'n1', zone: 'z1' }, { nodeName: 'n1', topology: { [hostname]: 'n1', [zone]: 'z1' } }],
    ['another topology', { deprecatedTopology: { [hostname]: 'n1', [region]: 'r1' } }, { topology: { [hostname]: 'n1', [region]: 'r1' } }],
    ['neither', {}, {}],
  ])('converts an endpoint of v1 with %s to v1beta1', (_, before, after) => {
    expect(serve(v1, before, v1beta1).endpoints).toStrictEqual([{ addresses: ['10.0.0.1'], ...after }]);
  });

  it('returns a slice of the same version, and one without a version as v1, unchanged', () => {
    const slice = { addressType: 'IPv4', endpoints: [{ topology: { [zone]: 'z1' } }] };
    expect(serveSlice(slice, v1.profile)).toBe(slice);
    const betaSlice = { ...slice, apiVersion: v1beta1.apiVersion };
    expect(serveSlice(betaSlice, v1beta1.profile)).toBe(betaSlice);
  });
});
