import { describe, expect, it } from 'vitest';
import { checkAgreement } from '../../../src/spec/consumers/agreement.ts';
import type { EndpointAddressInput, EndpointSliceInput, EndpointSubsetInput, EndpointsInput } from '../../../src/types/index.ts';
import { makeService } from '../objects.ts';
import { byController, byMirror, headless, leaving, makeEndpoint, makeSlice, notReady, ready } from './merge-objects.ts';

const port = { name: 'http', port: 8080, protocol: 'TCP' };

const address = (ip: string, uid: string, fields: Partial<EndpointAddressInput> = {}): EndpointAddressInput => ({
  ip,
  targetRef: { kind: 'Pod', namespace: 'shop', name: `p-${uid}`, uid },
  ...fields,
});

const make = (subset: EndpointSubsetInput | null, metadata: EndpointsInput['metadata'] = {}): EndpointsInput => ({
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

const agreed = { messages: [], disregarded: [], problems: [] };

describe('checkAgreement: differences', () => {
  const stated = make({ addresses: [address('10.0.0.1', 'u', { nodeName: 'n1', hostname: 'h' })] });
  const slice = (...given: Parameters<typeof makeEndpoint>) => [makeSlice('a', [makeEndpoint(...given)])];

  it('are empty if Endpoints and slices agree', () => {
    expect(check(stated, slice('10.0.0.1', 'u', ready, { nodeName: 'n1', hostname: 'h', zone: 'a' }))).toEqual(agreed);
    expect(check(make(null), [])).toEqual(agreed);
    expect(check(make({ notReadyAddresses: [address('10.0.0.1', 'u', { nodeName: '' })] }), slice('010.0.0.1', 'u', notReady))).toEqual(
      agreed,
    );
  });

  it.each([
    {
      given: ['10.0.0.1', 'u', null, { nodeName: 'n1' }],
      expected: ['HostnameDiffers: 10.0.0.1 has host name "h" in Endpoints, but no host name in slices'],
    },
    {
      given: ['10.0.0.1', 'u', null, { nodeName: 'n2', hostname: 'h' }],
      expected: ['NodeDiffers: 10.0.0.1 is on node "n1" in Endpoints, but on node "n2" in slices'],
    },
    {
      given: ['10.0.0.1', 'u', { ready: false }, { nodeName: 'n1', hostname: 'h' }],
      expected: ['ReadinessDiffers: 10.0.0.1 is ready in Endpoints, but not ready in slices'],
    },
    {
      given: ['10.0.0.1', 'v', { ready: false }],
      expected: [
        'ReadinessDiffers: 10.0.0.1 is ready in Endpoints, but not ready in slices',
        'TargetDiffers: 10.0.0.1 is Pod shop/p-u (UID u) in Endpoints, but Pod shop/p-v (UID v) in slices',
      ],
    },
    {
      given: ['10.0.0.1', 'v', null, { targetRef: null }],
      expected: ['TargetDiffers: 10.0.0.1 is Pod shop/p-u (UID u) in Endpoints, but no target in slices'],
    },
    {
      given: ['10.0.0.1', 'u', null, { nodeName: 'n1', hostname: 'h', targetRef: { kind: 'Pod', namespace: 'shop', name: 'x', uid: 'u' } }],
      expected: ['TargetDiffers: 10.0.0.1 is Pod shop/p-u in Endpoints, but Pod shop/x in slices'],
    },
    {
      given: ['10.0.0.2', 'u', notReady],
      expected: [
        'MissingInSlices: 10.0.0.1 is ready in Endpoints, but in no slice',
        'MissingInEndpoints: 10.0.0.2 is not ready in slices, but not in Endpoints',
      ],
    },
  ] as { given: Parameters<typeof makeEndpoint>; expected: string[] }[])('$expected.0', ({ given, expected }) => {
    expect(check(stated, slice(...given)).messages).toEqual(expected);
  });

  it('name the slices, and appear once for an address with several ports', () => {
    const two = [port, { port: 9090, protocol: 'TCP' }];
    const slices = [makeSlice('b', [makeEndpoint('10.0.0.1', 'u', notReady)], { ports: two })];
    const { differences } = checkAgreement(make({ addresses: [address('10.0.0.1', 'u')], ports: two }), slices);
    expect(differences).toMatchObject([
      { code: 'ReadinessDiffers', address: '10.0.0.1', slices: ['web-b'], inEndpoints: 'ready', inSlices: 'not ready' },
    ]);
  });

  it('include ports', () => {
    const slices = [makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], { ports: [{ ...port, port: 80, protocol: 'UDP' }, port] })];
    expect(check(make({ addresses: [address('10.0.0.1', 'u')] }), slices).messages).toEqual([
      'PortsDiffer: 10.0.0.1 has http:8080/TCP in Endpoints, but http:80/UDP, http:8080/TCP in slices',
    ]);
    expect(check(make({ addresses: [address('10.0.0.1', 'u')], ports: [port, { port: 1 }] }), slices.slice(0, 1)).messages).toHaveLength(1);
    expect(check(make({ addresses: [address('10.0.0.1', 'u')], ports: [] }), slices).messages).toEqual([
      'PortsDiffer: 10.0.0.1 has no ports in Endpoints, but http:80/UDP, http:8080/TCP in slices',
    ]);
  });

  it('include application protocols', () => {
    const withProtocol = (appProtocol?: string) => [makeSlice('a', [makeEndpoint('10.0.0.1', 'u')], { ports: [{ ...port, appProtocol }] })];
    const h2 = make({ addresses: [address('10.0.0.1', 'u')], ports: [{ ...port, appProtocol: 'h2' }] });
    expect(check(h2, withProtocol('h2'))).toEqual(agreed);
    expect(check(h2, withProtocol()).messages).toEqual([
      'AppProtocolDiffers: http:8080/TCP has application protocol "h2" in Endpoints, but no application protocol in slices',
    ]);
  });

  it('include every address if the other object has none', () => {
    const twice = [makeSlice('a', [makeEndpoint('10.0.0.2', 'v'), makeEndpoint('10.0.0.1', 'u')])];
    expect(checkAgreement(make(null), twice).differences).toMatchObject([{ address: '10.0.0.1' }, { address: '10.0.0.2' }]);
    expect(check(make({ addresses: [address('x', 'u')] }), []).messages).toEqual([
      'MissingInSlices: x is ready in Endpoints, but in no slice',
    ]);
  });
});

describe('checkAgreement: disregarded addresses', () => {
  const stated = make({ addresses: [address('10.0.0.1', 'u')] });
  const base = makeSlice('a', [makeEndpoint('10.0.0.1', 'u')]);

  it('include slices of other Services and slices without a Service', () => {
    const metadata = { name: 'x', namespace: 'other', labels: { 'kubernetes.io/service-name': 'web' } };
    const db = makeSlice('x', [{}], {}, { 'kubernetes.io/service-name': 'db' });
    expect(check(stated, [base, { ...base, metadata }, db, {}])).toEqual({ ...agreed, disregarded: ['OtherService 3'] });
  });

  it('include the secondary family of a dual-stack Service', () => {
    const second = makeSlice('b', [makeEndpoint('fd00::1', 'u')], { addressType: 'IPv6' });
    expect(check(stated, [base, second])).toEqual({ ...agreed, disregarded: ['OtherFamily 1'] });
    expect(check(make({ addresses: [address('fd00::1', 'u')] }), [base, second])).toEqual({ ...agreed, disregarded: ['OtherFamily 1'] });
    const both = make({ addresses: [address('fd00::1', 'u'), address('10.0.0.1', 'u')] });
    expect(check(both, [base, second])).toEqual(agreed);
  });

  it('depend on the family of the Service if Endpoints have no address', () => {
    const second = makeSlice('b', [makeEndpoint('fd00::1', 'u')], { addressType: 'IPv6' });
    const found = (options = {}) => checkAgreement(make(null), [base, second], options).differences.map((difference) => difference.address);
    expect(found()).toEqual(['10.0.0.1']);
    expect(found({ service: makeService({ ipFamilies: ['IPv6', 'IPv4'] }) })).toEqual(['fd00::1']);
  });

  it('include terminating endpoints', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u'), makeEndpoint('10.0.0.2', 'v', leaving), makeEndpoint('10.0.0.1', 'w', leaving)]),
    ];
    expect(check(stated, slices)).toEqual({ ...agreed, disregarded: ['Terminating 1', 'SharedAddress 1'] });
  });

  it('exclude a terminating endpoint that is ready in Endpoints', () => {
    expect(check(stated, [makeSlice('a', [makeEndpoint('10.0.0.1', 'u', leaving)])]).messages).toEqual([
      'ReadinessDiffers: 10.0.0.1 is ready in Endpoints, but not ready in slices',
    ]);
  });

  it('include pods whose ports could not be resolved', () => {
    const bare = makeSlice('b', [makeEndpoint('10.0.0.2', 'v')], { ports: [] }, byController);
    expect(check(stated, [base, bare])).toEqual({ ...agreed, disregarded: ['Unresolved 1'] });
    const ofHeadless = makeSlice('b', [makeEndpoint('10.0.0.2', 'v')], { ports: [] }, { ...byController, ...headless });
    expect(check(make(null), [ofHeadless]).messages).toHaveLength(1);
    expect(check(make(null), [ofHeadless], { service: makeService({ clusterIP: 'None' }) })).toEqual({
      ...agreed,
      disregarded: ['Unresolved 1'],
    });
  });

  it('include addresses that were truncated from Endpoints over capacity', () => {
    const annotations = { 'endpoints.kubernetes.io/over-capacity': 'truncated' };
    const cut = make({ addresses: [address('10.0.0.1', 'u')] }, { annotations });
    const slices = [makeSlice('a', [makeEndpoint('10.0.0.1', 'u'), makeEndpoint('10.0.0.2', 'v')], { ports: [port, { port: 1 }] })];
    expect(check(cut, slices)).toEqual({ ...agreed, disregarded: ['Truncated 2'] });
    const warned = make({ addresses: [address('10.0.0.1', 'u')] }, { annotations: { 'endpoints.kubernetes.io/over-capacity': 'warning' } });
    expect(check(warned, slices).messages).toHaveLength(2);
    expect(check(cut, []).messages).toHaveLength(1);
  });

  it('include addresses beyond the limit of the mirroring controller', () => {
    const addresses = Array.from({ length: 1001 }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}` }));
    const copied = (labels: Readonly<Record<string, string>>) => [
      makeSlice(
        'a',
        addresses.slice(0, 1000).map(({ ip }) => ({ addresses: [ip] })),
        {},
        labels,
      ),
    ];
    expect(check(make({ addresses }), copied(byMirror))).toEqual({ ...agreed, disregarded: ['NotMirrored 1'] });
    expect(check(make({ addresses }), copied({})).messages).toHaveLength(1);
    const fewer = make({ addresses: addresses.slice(1, 1001) });
    expect(check(fewer, copied(byMirror)).messages).toHaveLength(2);
  });

  it('include additional targets of a shared address', () => {
    const shared = make({ addresses: [address('10.0.0.1', 'u'), address('10.0.0.1', 'v')] });
    expect(check(shared, [base])).toEqual({ ...agreed, disregarded: ['SharedAddress 1'] });
  });
});

it('checkAgreement reports problems of slices, and ignores the order of slices and duplicates', () => {
  const stated = make({ addresses: [address('10.0.0.1', 'u')] });
  const slices = [
    makeSlice('a', [makeEndpoint('10.0.0.1', 'u'), { addresses: [] }]),
    makeSlice('b', [makeEndpoint('10.0.0.1', 'u', notReady), makeEndpoint('fd00::1', 'u')]),
  ];
  expect(check(stated, slices)).toEqual({ ...agreed, problems: ['NoAddress', 'BadAddress'] });
  expect(checkAgreement(stated, [...slices.toReversed(), ...slices])).toEqual(checkAgreement(stated, slices));
});
