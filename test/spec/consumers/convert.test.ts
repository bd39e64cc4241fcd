import { describe, expect, it } from 'vitest';
import { endpointsFromSlices, isTerminatingNotReady, isUnresolved, primaryFamily } from '../../../src/spec/consumers/convert.ts';
import { collectSlices, type Origin } from '../../../src/spec/consumers/merge-collect.ts';
import type { EndpointSliceInput } from '../../../src/types/index.ts';
import { makeService } from '../objects.ts';
import { controllerLabels, headlessLabels, makeEndpoint, makeSlice, mirrorLabels, notReady, ready, terminating } from './merge-objects.ts';

const subsetsOf = (slices: readonly EndpointSliceInput[], options = {}) => endpointsFromSlices(slices, options)[0]?.subsets;
const ipsOf = (slices: readonly EndpointSliceInput[], options = {}) =>
  subsetsOf(slices, options)?.flatMap(({ addresses = [], notReadyAddresses = [] }) =>
    [...addresses, ...notReadyAddresses].map(({ ip }) => ip),
  );

describe('endpointsFromSlices', () => {
  it('merges slices into canonical subsets with all fields that Endpoints have', () => {
    const fields = { nodeName: 'n1', hostname: 'h', zone: 'a', hints: { forZones: [{ name: 'a' }] } };
    const ports = [{ name: 'http', port: 8080, protocol: 'TCP', appProtocol: 'h2' }, { port: 9090 }];
    const slices = [
      makeSlice('b', [makeEndpoint('10.0.0.2', 'u2', notReady)], { ports }),
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u1', ready, fields)], { ports }),
    ];
    expect(endpointsFromSlices(slices)).toStrictEqual([
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'web', namespace: 'shop' },
        subsets: [
          {
            addresses: [{ ip: '10.0.0.1', hostname: 'h', nodeName: 'n1', targetRef: makeEndpoint('', 'u1').targetRef }],
            notReadyAddresses: [{ ip: '10.0.0.2', targetRef: makeEndpoint('', 'u2').targetRef }],
            ports: [
              { name: 'http', port: 8080, protocol: 'TCP', appProtocol: 'h2' },
              { port: 9090, protocol: 'TCP' },
            ],
          },
        ],
      },
    ]);
  });

  it('creates one object per Service, sorted by namespace and name, without subsets if no address remains', () => {
    const metadata = { namespace: 'a', labels: { 'kubernetes.io/service-name': 'db', ...headlessLabels } };
    expect(endpointsFromSlices([makeSlice('a', []), makeSlice('', [], { metadata }), {}])).toStrictEqual([
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'db', namespace: 'a', labels: { 'service.kubernetes.io/headless': '' } },
      },
      { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' } },
    ]);
  });

  it('leaves out terminating endpoints, unless they are published as ready', () => {
    const publishedConditions = { ready: true, serving: false, terminating: true };
    expect(
      ipsOf([makeSlice('a', [makeEndpoint('10.0.0.1', 'u', terminating), makeEndpoint('10.0.0.2', 'v', publishedConditions)])]),
    ).toEqual(['10.0.0.2']);
  });

  it('keeps two targets of one address, and merges one target of two slices', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u', notReady), makeEndpoint('10.0.0.1', 'v')]),
      makeSlice('b', [makeEndpoint('10.0.0.1', 'u')]),
    ];
    expect(subsetsOf(slices)).toMatchObject([{ addresses: [{ targetRef: { uid: 'u' } }, { targetRef: { uid: 'v' } }] }]);
    expect(subsetsOf(slices)?.[0]).not.toHaveProperty('notReadyAddresses');
  });

  it('leaves out pods with unresolved ports, and ports without a number', () => {
    const noPorts = { ports: [] };
    expect(ipsOf([makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], noPorts, controllerLabels)])).toBeUndefined();
    expect(ipsOf([makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], noPorts, { ...controllerLabels, ...headlessLabels })])).toEqual([
      '10.0.0.1',
    ]);
    expect(ipsOf([makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], noPorts)])).toEqual(['10.0.0.1']);
    expect(ipsOf([makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], { ports: [{ name: 'any' }] })])).toBeUndefined();
    const services = [makeService({ clusterIP: 'None' })];
    expect(
      ipsOf([makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], noPorts, { ...controllerLabels, ...headlessLabels })], { services }),
    ).toBeUndefined();
  });

  it('uses the primary address family', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u')]),
      makeSlice('b', [makeEndpoint('fd00::1', 'u')], { addressType: 'IPv6' }),
    ];
    expect(ipsOf(slices)).toEqual(['10.0.0.1']);
    expect(ipsOf(slices.slice(1))).toEqual(['fd00::1']);
    expect(ipsOf(slices, { services: [makeService({ ipFamilies: ['IPv6', 'IPv4'] })] })).toEqual(['fd00::1']);
    expect(ipsOf(slices, { services: [makeService({ ipFamilies: ['IPv6'] }, { namespace: 'other' })] })).toEqual(['10.0.0.1']);
  });

  it('truncates to the capacity of the release', () => {
    const endpoints = Array.from({ length: 1200 }, (_, i) => makeEndpoint(`10.0.${i >> 8}.${i & 255}`, `u${i}`));
    const convert = (version: string) =>
      endpointsFromSlices([makeSlice('a', endpoints.slice(0, 700)), makeSlice('b', endpoints.slice(600))], { version })[0];
    expect(convert('1.37')?.subsets?.[0]?.addresses).toHaveLength(1000);
    expect(convert('1.37')?.metadata.annotations).toEqual({ 'endpoints.kubernetes.io/over-capacity': 'truncated' });
    expect(convert('1.20')?.subsets?.[0]?.addresses).toHaveLength(1200);
    expect(() => convert('2.0')).toThrow(RangeError);
  });
});

describe('isUnresolved', () => {
  const group = (origin: Origin, port?: { name: string; protocol: string }) => ({
    addressType: 'IPv4' as const,
    port,
    origin,
    appProtocols: new Map(),
    members: new Map(),
  });
  const [collected] = collectSlices([makeSlice('a', [], { ports: [] }, controllerLabels)], { byTarget: true }).services;
  const collectedService = collected as NonNullable<typeof collected>;
  const withPorts = { ...collectedService, hasControllerPorts: true };

  it.each([
    { origin: 'controller', ifServiceHasPorts: true, ifServiceHasNoPorts: true },
    { origin: 'controller of a headless Service', ifServiceHasPorts: true, ifServiceHasNoPorts: false },
    { origin: 'other', ifServiceHasPorts: false, ifServiceHasNoPorts: false },
  ] as const)(
    'depends for a port list of the origin "$origin" on whether the Service has ports',
    ({ origin, ifServiceHasPorts, ifServiceHasNoPorts }) => {
      expect(isUnresolved(group(origin), withPorts, undefined)).toBe(ifServiceHasPorts);
      expect(isUnresolved(group(origin), collectedService, undefined)).toBe(ifServiceHasNoPorts);
      expect(isUnresolved(group(origin), collectedService, makeService())).toBe(ifServiceHasPorts);
      expect(isUnresolved(group(origin), collectedService, makeService({ ports: null }))).toBe(ifServiceHasNoPorts);
      expect(isUnresolved(group(origin, { name: '', protocol: 'TCP' }), withPorts, makeService())).toBe(false);
    },
  );
});

it('isTerminatingNotReady is true for endpoints that terminate and are not ready', () => {
  const evaluate = (conditions: typeof ready) => isTerminatingNotReady({ address: '', slices: [], ...conditions });
  expect([terminating, ready, notReady, { ...terminating, ready: true }].map(evaluate)).toEqual([true, false, false, false]);
});

it('primaryFamily returns the family of the Service, otherwise that of the slices, preferably IPv4', () => {
  const collectTypes = (...types: string[]) =>
    collectSlices(
      types.map((addressType) => makeSlice('a', [], { addressType }, mirrorLabels)),
      { byTarget: true },
    );
  const family = (types: string[], service = undefined as ReturnType<typeof makeService> | undefined) => {
    const [collected] = collectTypes(...types).services;
    return collected && primaryFamily(collected, service);
  };
  expect(family(['IPv6', 'IPv4'])).toBe('IPv4');
  expect(family(['IPv6'])).toBe('IPv6');
  expect(family(['FQDN'])).toBe('IPv4');
  expect(family(['IPv4'], makeService({ ipFamilies: ['IPv6'] }))).toBe('IPv6');
  expect(family(['IPv6'], makeService({ ipFamilies: null, clusterIP: 'None' }))).toBe('IPv6');
});
