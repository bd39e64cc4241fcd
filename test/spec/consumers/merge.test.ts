import { describe, expect, it } from 'vitest';
import { mergeSlices, sortProblems } from '../../../src/spec/consumers/merge.ts';
import type { EndpointSliceInput } from '../../../src/types/index.ts';
import { controllerLabels, makeEndpoint, makeSlice, mirrorLabels, notReady, ready, terminating } from './merge-objects.ts';

const endpointsOf = (slices: readonly EndpointSliceInput[]) => mergeSlices(slices).services[0]?.ports[0]?.endpoints;

describe('mergeSlices', () => {
  it('returns the ports of each Service and the unique endpoints of each port, sorted', () => {
    const slices = [
      makeSlice('b', [makeEndpoint('10.0.0.2', 'u2', notReady), makeEndpoint('10.0.0.10', 'u10')]),
      makeSlice('a', [makeEndpoint('10.0.0.2', 'u2', notReady, { nodeName: 'n1' })]),
    ];
    expect(mergeSlices(slices)).toStrictEqual({
      services: [
        {
          namespace: 'shop',
          service: 'web',
          ports: [
            {
              name: 'http',
              protocol: 'TCP',
              addressType: 'IPv4',
              endpoints: [
                { address: '10.0.0.10', port: 8080, ...ready, targetRef: makeEndpoint('', 'u10').targetRef, slices: ['web-b'] },
                {
                  address: '10.0.0.2',
                  port: 8080,
                  ...notReady,
                  nodeName: 'n1',
                  targetRef: makeEndpoint('', 'u2').targetRef,
                  slices: ['web-a', 'web-b'],
                },
              ],
            },
          ],
          portless: [],
          slices: ['web-a', 'web-b'],
        },
      ],
      problems: [],
    });
  });

  it('prefers a running pod over a terminating one, and reports the conflict', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'old', terminating)]),
      makeSlice('b', [makeEndpoint('10.0.0.1', 'new', notReady)]),
    ];
    expect(endpointsOf(slices)).toMatchObject([
      { targetRef: { uid: 'new' }, ready: false, terminating: false, slices: ['web-a', 'web-b'] },
    ]);
    expect(mergeSlices(slices).problems).toMatchObject([{ code: 'EndpointsConflict', slice: 'web-a', path: 'endpoints' }]);
    expect(mergeSlices(slices).problems[0]?.message).toMatch(/^10\.0\.0\.1:8080 is listed with different conditions/);
  });

  it('prefers ready over not ready for a pod that moves between slices', () => {
    const slices = [makeSlice('a', [makeEndpoint('10.0.0.1', 'u', notReady)]), makeSlice('b', [makeEndpoint('10.0.0.1', 'u')])];
    expect(endpointsOf(slices)).toMatchObject([{ ready: true }]);
    expect(endpointsOf(slices.toReversed())).toEqual(endpointsOf(slices));
  });

  it('lists an address once per port number if slices give one port name different numbers', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u')]),
      makeSlice('b', [makeEndpoint('10.0.0.1', 'v')], { ports: [{ name: 'http', port: 80 }] }),
    ];
    expect(endpointsOf(slices)).toMatchObject([{ port: 80 }, { port: 8080 }]);
  });

  it('separates address types, names and protocols of ports, and sorts them', () => {
    const ports = [
      { name: 'dns', port: 53, protocol: 'UDP' },
      { name: 'dns', port: 53, protocol: 'TCP' },
      { name: 'admin', port: 53 },
    ];
    const slices = [
      makeSlice('c', [{ addresses: ['db.example'] }], { addressType: 'FQDN' }),
      makeSlice('b', [makeEndpoint('fd00::1', 'u')], { addressType: 'IPv6' }),
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], { ports }),
      makeSlice('d', [makeEndpoint('10.0.0.1', 'u')]),
    ];
    const [service] = mergeSlices(slices).services;
    expect(
      service?.ports.map(({ name, protocol, addressType, endpoints }) => [name, protocol, addressType, endpoints[0]?.address]),
    ).toEqual([
      ['admin', 'TCP', 'IPv4', '10.0.0.1'],
      ['dns', 'TCP', 'IPv4', '10.0.0.1'],
      ['dns', 'UDP', 'IPv4', '10.0.0.1'],
      ['http', 'TCP', 'IPv4', '10.0.0.1'],
      ['http', 'TCP', 'IPv6', 'fd00::1'],
      ['http', 'TCP', 'FQDN', 'db.example'],
    ]);
  });

  it('lists endpoints without ports separately, and a port without a number among the ports', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], { ports: [] }),
      makeSlice('b', [makeEndpoint('10.0.0.2', 'v')], { ports: null }),
      makeSlice('c', [makeEndpoint('10.0.0.3', 'w')], { ports: [{ name: 'any' }] }),
      makeSlice('d', [], { ports: [], addressType: 'IPv6' }),
    ];
    const [service] = mergeSlices(slices).services;
    expect(service?.portless).toMatchObject([{ addressType: 'IPv4', endpoints: [{ address: '10.0.0.1' }, { address: '10.0.0.2' }] }]);
    expect(service?.ports).toMatchObject([{ name: 'any', endpoints: [{ address: '10.0.0.3' }] }]);
    expect(service?.ports[0]?.endpoints[0]).not.toHaveProperty('port');
  });

  it('includes a port without endpoints, and a Service with a placeholder slice', () => {
    expect(mergeSlices([makeSlice('a', [])]).services).toMatchObject([{ ports: [{ name: 'http', endpoints: [] }], portless: [] }]);
    expect(mergeSlices([makeSlice('a', [], { ports: [] })]).services).toMatchObject([{ ports: [], portless: [], slices: ['web-a'] }]);
  });

  it('includes slices of any writer, and slices that are being deleted', () => {
    const metadata = { name: 'web-c', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' }, deletionTimestamp: new Date(0) };
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], {}, controllerLabels),
      makeSlice('b', [makeEndpoint('10.0.0.2', 'v')], {}, mirrorLabels),
      makeSlice('c', [makeEndpoint('10.0.0.3', 'w')], { metadata }),
    ];
    expect(endpointsOf(slices)?.map(({ address }) => address)).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
  });

  it('uses the only application protocol that is set; of several, uses the first in order and reports a problem', () => {
    const withProtocol = (name: string, appProtocol?: string) =>
      makeSlice(name, [], { ports: [{ name: 'http', port: 80, ...(appProtocol && { appProtocol }) }] });
    expect(mergeSlices([withProtocol('a'), withProtocol('b', 'h2')])).toMatchObject({
      services: [{ ports: [{ appProtocol: 'h2' }] }],
      problems: [],
    });
    expect(mergeSlices([withProtocol('a', 'h3'), withProtocol('b', 'h2')])).toMatchObject({
      services: [{ ports: [{ appProtocol: 'h2' }] }],
      problems: [
        {
          code: 'AppProtocolsDiffer',
          message: 'slices have different application protocols for the port "http": h2, h3; the first is used',
        },
      ],
    });
    expect(mergeSlices([withProtocol('a')]).services[0]?.ports[0]).not.toHaveProperty('appProtocol');
  });

  it('sorts Services by namespace and name, in the order of Go', () => {
    const makeSliceOf = (namespace: string, service: string): EndpointSliceInput =>
      makeSlice('a', [], { metadata: { name: 's', namespace, labels: { 'kubernetes.io/service-name': service } } });
    const { services } = mergeSlices([makeSliceOf('b', 'a'), makeSliceOf('a', 'b'), makeSliceOf('a', 'a'), makeSliceOf('a', 'b')]);
    expect(services.map(({ namespace, service }) => `${namespace}/${service}`)).toEqual(['a/a', 'a/b', 'b/a']);
  });

  it('prints IPv6 addresses in brackets before a port', () => {
    const duplicateAddresses = [makeEndpoint('fd00::1', 'u'), makeEndpoint('fd00::1', 'v')];
    const message = (fields: Partial<EndpointSliceInput>) =>
      mergeSlices([makeSlice('a', duplicateAddresses, { addressType: 'IPv6', ...fields })]).problems[0]?.message;
    expect(message({})).toMatch(/^\[fd00::1\]:8080 is/);
    expect(message({ ports: [] })).toMatch(/^fd00::1 is/);
  });

  it('merges 20,000 endpoints of slices in reverse order', () => {
    const allEndpoints = Array.from({ length: 20_000 }, (_, i) => makeEndpoint(`10.${i >> 14}.${(i >> 7) & 127}.${i & 127}`, `u${i}`));
    const slices = Array.from({ length: 200 }, (_, i) => makeSlice(`${i}`, allEndpoints.slice(i * 100, i * 100 + 150)));
    const endpoints = endpointsOf(slices.toReversed());
    expect(endpoints).toHaveLength(20_000);
    expect(endpoints?.filter(({ slices: names }) => names.length === 2)).toHaveLength(50 * 199);
  });
});

it('sortProblems sorts by Service, slice and path, without duplicates', () => {
  const problem = (slice: string, path: string) =>
    ({ code: 'NoAddress', message: 'm', namespace: 'shop', service: 'web', slice, path }) as const;
  const [a, b, c] = [
    problem('a', 'endpoints[2].addresses'),
    problem('a', 'endpoints[10].addresses'),
    problem('b', 'endpoints[1].addresses'),
  ];
  expect(sortProblems([c, b, a, { ...c }])).toEqual([a, b, c]);
});
