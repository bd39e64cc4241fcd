import { describe, expect, it } from 'vitest';
import { checkAgreement } from '../../../src/spec/consumers/agreement.ts';
import type { EndpointAddressInput, EndpointSliceInput, EndpointSubsetInput, EndpointsInput } from '../../../src/types/index.ts';
import { makeService } from '../objects.ts';
import { controllerLabels, headlessLabels, makeEndpoint, makeSlice, mirrorLabels, notReady, ready, terminating } from './merge-objects.ts';

const port = { name: 'http', port: 8080, protocol: 'TCP' };

const address = (ip: string, uid: string, fields: Partial<EndpointAddressInput> = {}): EndpointAddressInput => ({
  ip,
  targetRef: { kind: 'Pod', namespace: 'shop', name: `p-${uid}`, uid },
  ...fields,
});

const makeEndpoints = (subset: EndpointSubsetInput | null, metadata: EndpointsInput['metadata'] = {}): EndpointsInput => ({
  metadata: { name: 'web', namespace: 'shop', ...metadata },
  subsets: subset && [{ ports: [port], ...subset }],
});

const check = (endpoints: EndpointsInput, slices: readonly EndpointSliceInput[], options = {}) => {
  const { agrees, differences, disregarded, problems } = checkAgreement(endpoints, slices, options);
  expect(agrees).toBe(differences.length === 0);
  return {
    messages: differences.map(({ code, message }) => `${code}: ${message}`),
    disregarded: disregarded.map(({ code, count }) => `${code} ${count}`),
    problems: problems.map(({ code }) => code),
  };
};

const agreement = { messages: [], disregarded: [], problems: [] };

describe('checkAgreement: differences', () => {
  const endpoints = makeEndpoints({ addresses: [address('10.0.0.1', 'u', { nodeName: 'n1', hostname: 'h' })] });
  const slice = (...endpoint: Parameters<typeof makeEndpoint>) => [makeSlice('a', [makeEndpoint(...endpoint)])];

  it('reports no differences if Endpoints and slices agree', () => {
    expect(check(endpoints, slice('10.0.0.1', 'u', ready, { nodeName: 'n1', hostname: 'h', zone: 'a' }))).toEqual(agreement);
    expect(check(makeEndpoints(null), [])).toEqual(agreement);
    expect(
      check(makeEndpoints({ notReadyAddresses: [address('10.0.0.1', 'u', { nodeName: '' })] }), slice('010.0.0.1', 'u', notReady)),
    ).toEqual(agreement);
  });

  it.each([
    {
      endpoint: ['10.0.0.1', 'u', null, { nodeName: 'n1' }],
      expected: ['HostnameDiffers: 10.0.0.1 has host name "h" in Endpoints, but no host name in slices'],
    },
    {
      endpoint: ['10.0.0.1', 'u', null, { nodeName: 'n2', hostname: 'h' }],
      expected: ['NodeDiffers: 10.0.0.1 is on node "n1" in Endpoints, but on node "n2" in slices'],
    },
    {
      endpoint: ['10.0.0.1', 'u', { ready: false }, { nodeName: 'n1', hostname: 'h' }],
      expected: ['ReadinessDiffers: 10.0.0.1 is ready in Endpoints, but not ready in slices'],
    },
    {
      endpoint: ['10.0.0.1', 'v', { ready: false }],
      expected: [
        'ReadinessDiffers: 10.0.0.1 is ready in Endpoints, but not ready in slices',
        'TargetDiffers: 10.0.0.1 is Pod shop/p-u (UID u) in Endpoints, but Pod shop/p-v (UID v) in slices',
      ],
    },
    {
      endpoint: ['10.0.0.1', 'v', null, { targetRef: null }],
      expected: ['TargetDiffers: 10.0.0.1 is Pod shop/p-u (UID u) in Endpoints, but no target in slices'],
    },
    {
      endpoint: [
        '10.0.0.1',
        'u',
        null,
        { nodeName: 'n1', hostname: 'h', targetRef: { kind: 'Pod', namespace: 'shop', name: 'x', uid: 'u' } },
      ],
      expected: ['TargetDiffers: 10.0.0.1 is Pod shop/p-u in Endpoints, but Pod shop/x in slices'],
    },
    {
      endpoint: ['10.0.0.2', 'u', notReady],
      expected: [
        'MissingInSlices: 10.0.0.1 is ready in Endpoints, but in no slice',
        'MissingInEndpoints: 10.0.0.2 is not ready in slices, but not in Endpoints',
      ],
    },
  ] as { endpoint: Parameters<typeof makeEndpoint>; expected: string[] }[])('reports $expected.0', ({ endpoint, expected }) => {
    expect(check(endpoints, slice(...endpoint)).messages).toEqual(expected);
  });

  it('names the slices of a difference, and reports it once for an address with several ports', () => {
    const twoPorts = [port, { port: 9090, protocol: 'TCP' }];
    const slices = [makeSlice('b', [makeEndpoint('10.0.0.1', 'u', notReady)], { ports: twoPorts })];
    const { differences } = checkAgreement(makeEndpoints({ addresses: [address('10.0.0.1', 'u')], ports: twoPorts }), slices);
    expect(differences).toMatchObject([
      { code: 'ReadinessDiffers', address: '10.0.0.1', slices: ['web-b'], inEndpoints: 'ready', inSlices: 'not ready' },
    ]);
  });

  it('reports different ports', () => {
    const slices = [makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], { ports: [{ ...port, port: 80, protocol: 'UDP' }, port] })];
    expect(check(makeEndpoints({ addresses: [address('10.0.0.1', 'u')] }), slices).messages).toEqual([
      'PortsDiffer: 10.0.0.1 has http:8080/TCP in Endpoints, but http:80/UDP, http:8080/TCP in slices',
    ]);
    expect(
      check(makeEndpoints({ addresses: [address('10.0.0.1', 'u')], ports: [port, { port: 1 }] }), slices.slice(0, 1)).messages,
    ).toHaveLength(1);
    expect(check(makeEndpoints({ addresses: [address('10.0.0.1', 'u')], ports: [] }), slices).messages).toEqual([
      'PortsDiffer: 10.0.0.1 has no ports in Endpoints, but http:80/UDP, http:8080/TCP in slices',
    ]);
  });

  it('reports different application protocols', () => {
    const withProtocol = (appProtocol?: string) => [makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], { ports: [{ ...port, appProtocol }] })];
    const h2 = makeEndpoints({ addresses: [address('10.0.0.1', 'u')], ports: [{ ...port, appProtocol: 'h2' }] });
    expect(check(h2, withProtocol('h2'))).toEqual(agreement);
    expect(check(h2, withProtocol()).messages).toEqual([
      'AppProtocolDiffers: http:8080/TCP has application protocol "h2" in Endpoints, but no application protocol in slices',
    ]);
  });

  it('reports every address if the other side has no addresses', () => {
    const slices = [makeSlice('a', [makeEndpoint('10.0.0.2', 'v'), makeEndpoint('10.0.0.1', 'u')])];
    expect(checkAgreement(makeEndpoints(null), slices).differences).toMatchObject([{ address: '10.0.0.1' }, { address: '10.0.0.2' }]);
    expect(check(makeEndpoints({ addresses: [address('x', 'u')] }), []).messages).toEqual([
      'MissingInSlices: x is ready in Endpoints, but in no slice',
    ]);
  });
});

describe('checkAgreement: disregarded addresses', () => {
  const endpoints = makeEndpoints({ addresses: [address('10.0.0.1', 'u')] });
  const base = makeSlice('a', [makeEndpoint('10.0.0.1', 'u')]);

  it('disregards slices of other Services and slices without a Service', () => {
    const metadata = { name: 'x', namespace: 'other', labels: { 'kubernetes.io/service-name': 'web' } };
    const db = makeSlice('x', [{}], {}, { 'kubernetes.io/service-name': 'db' });
    expect(check(endpoints, [base, { ...base, metadata }, db, {}])).toEqual({ ...agreement, disregarded: ['OtherService 3'] });
  });

  it('disregards the secondary family of a dual-stack Service', () => {
    const ipv6Slice = makeSlice('b', [makeEndpoint('fd00::1', 'u')], { addressType: 'IPv6' });
    expect(check(endpoints, [base, ipv6Slice])).toEqual({ ...agreement, disregarded: ['OtherFamily 1'] });
    expect(check(makeEndpoints({ addresses: [address('fd00::1', 'u')] }), [base, ipv6Slice])).toEqual({
      ...agreement,
      disregarded: ['OtherFamily 1'],
    });
    const endpointsOfBothFamilies = makeEndpoints({ addresses: [address('fd00::1', 'u'), address('10.0.0.1', 'u')] });
    expect(check(endpointsOfBothFamilies, [base, ipv6Slice])).toEqual(agreement);
  });

  it('disregards the secondary family of the Service if Endpoints have no address', () => {
    const ipv6Slice = makeSlice('b', [makeEndpoint('fd00::1', 'u')], { addressType: 'IPv6' });
    const findAddresses = (options = {}) =>
      checkAgreement(makeEndpoints(null), [base, ipv6Slice], options).differences.map((difference) => difference.address);
    expect(findAddresses()).toEqual(['10.0.0.1']);
    expect(findAddresses({ service: makeService({ ipFamilies: ['IPv6', 'IPv4'] }) })).toEqual(['fd00::1']);
  });

  it('disregards terminating endpoints', () => {
    const slices = [
      makeSlice('a', [
        makeEndpoint('10.0.0.1', 'u'),
        makeEndpoint('10.0.0.2', 'v', terminating),
        makeEndpoint('10.0.0.1', 'w', terminating),
      ]),
    ];
    expect(check(endpoints, slices)).toEqual({ ...agreement, disregarded: ['Terminating 1', 'SharedAddress 1'] });
  });

  it('reports a terminating endpoint that is ready in Endpoints', () => {
    expect(check(endpoints, [makeSlice('a', [makeEndpoint('10.0.0.1', 'u', terminating)])]).messages).toEqual([
      'ReadinessDiffers: 10.0.0.1 is ready in Endpoints, but not ready in slices',
    ]);
  });

  it('disregards pods whose ports could not be resolved', () => {
    const portlessSlice = makeSlice('b', [makeEndpoint('10.0.0.2', 'v')], { ports: [] }, controllerLabels);
    expect(check(endpoints, [base, portlessSlice])).toEqual({ ...agreement, disregarded: ['Unresolved 1'] });
    const headlessSlice = makeSlice('b', [makeEndpoint('10.0.0.2', 'v')], { ports: [] }, { ...controllerLabels, ...headlessLabels });
    expect(check(makeEndpoints(null), [headlessSlice]).messages).toHaveLength(1);
    expect(check(makeEndpoints(null), [headlessSlice], { service: makeService({ clusterIP: 'None' }) })).toEqual({
      ...agreement,
      disregarded: ['Unresolved 1'],
    });
  });

  it('disregards addresses that were truncated from Endpoints over capacity', () => {
    const annotations = { 'endpoints.kubernetes.io/over-capacity': 'truncated' };
    const truncatedEndpoints = makeEndpoints({ addresses: [address('10.0.0.1', 'u')] }, { annotations });
    const slices = [makeSlice('a', [makeEndpoint('10.0.0.1', 'u'), makeEndpoint('10.0.0.2', 'v')], { ports: [port, { port: 1 }] })];
    expect(check(truncatedEndpoints, slices)).toEqual({ ...agreement, disregarded: ['Truncated 2'] });
    const endpointsWithWarning = makeEndpoints(
      { addresses: [address('10.0.0.1', 'u')] },
      { annotations: { 'endpoints.kubernetes.io/over-capacity': 'warning' } },
    );
    expect(check(endpointsWithWarning, slices).messages).toHaveLength(2);
    expect(check(truncatedEndpoints, []).messages).toHaveLength(1);
  });

  it('disregards addresses beyond the limit of the mirroring controller', () => {
    const addresses = Array.from({ length: 1001 }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}` }));
    const makeCopies = (labels: Readonly<Record<string, string>>) => [
      makeSlice(
        'a',
        addresses.slice(0, 1000).map(({ ip }) => ({ addresses: [ip] })),
        {},
        labels,
      ),
    ];
    expect(check(makeEndpoints({ addresses }), makeCopies(mirrorLabels))).toEqual({ ...agreement, disregarded: ['NotMirrored 1'] });
    expect(check(makeEndpoints({ addresses }), makeCopies({})).messages).toHaveLength(1);
    const fewerEndpoints = makeEndpoints({ addresses: addresses.slice(1, 1001) });
    expect(check(fewerEndpoints, makeCopies(mirrorLabels)).messages).toHaveLength(2);
  });

  it('disregards additional targets of a shared address', () => {
    const endpointsWithSharedAddress = makeEndpoints({ addresses: [address('10.0.0.1', 'u'), address('10.0.0.1', 'v')] });
    expect(check(endpointsWithSharedAddress, [base])).toEqual({ ...agreement, disregarded: ['SharedAddress 1'] });
  });
});

it('checkAgreement reports problems of slices, and ignores the order of slices and duplicates', () => {
  const endpoints = makeEndpoints({ addresses: [address('10.0.0.1', 'u')] });
  const slices = [
    makeSlice('a', [makeEndpoint('10.0.0.1', 'u'), { addresses: [] }]),
    makeSlice('b', [makeEndpoint('10.0.0.1', 'u', notReady), makeEndpoint('fd00::1', 'u')]),
  ];
  expect(check(endpoints, slices)).toEqual({ ...agreement, problems: ['NoAddress', 'BadAddress'] });
  expect(checkAgreement(endpoints, [...slices.toReversed(), ...slices])).toEqual(checkAgreement(endpoints, slices));
});
