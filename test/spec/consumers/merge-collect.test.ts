import { describe, expect, it } from 'vitest';
import { collectSlices, messageOf, nameOf, problemMessages } from '../../../src/spec/consumers/merge-collect.ts';
import { controllerLabels, headlessLabels, makeEndpoint, makeSlice, mirrorLabels, ready } from './merge-objects.ts';

const collect = (slices: Parameters<typeof collectSlices>[0], options = { byTarget: false }) => collectSlices(slices, options);

describe('problems of collected slices', () => {
  it.each([
    { slice: { metadata: { name: 's', namespace: 'shop' } }, code: 'NoServiceLabel', path: 'metadata.labels' },
    { slice: { metadata: { name: 's', labels: { 'kubernetes.io/service-name': '' } } }, code: 'NoServiceLabel', path: 'metadata.labels' },
    { slice: {}, code: 'NoServiceLabel', path: 'metadata.labels' },
    { slice: makeSlice('a', [], { addressType: 'IP' }), code: 'UnknownAddressType', path: 'addressType' },
    { slice: makeSlice('a', [], { addressType: null }), code: 'UnknownAddressType', path: 'addressType' },
    { slice: makeSlice('a', [{ addresses: [] }]), code: 'NoAddress', path: 'endpoints[0].addresses' },
    { slice: makeSlice('a', [{ addresses: null }]), code: 'NoAddress', path: 'endpoints[0].addresses' },
    {
      slice: makeSlice('a', [makeEndpoint('10.0.0.1', 'u'), makeEndpoint('fd00::1', 'v')]),
      code: 'BadAddress',
      path: 'endpoints[1].addresses[0]',
    },
    { slice: makeSlice('a', [{ addresses: ['10.0.0.1', '10.0.0.2'] }]), code: 'FurtherAddresses', path: 'endpoints[0].addresses' },
    { slice: makeSlice('a', [], { ports: [{ port: 0 }] }), code: 'BadPort', path: 'ports[0].port' },
    { slice: makeSlice('a', [], { ports: [{ port: 80 }, { port: 65536 }] }), code: 'BadPort', path: 'ports[1].port' },
    { slice: makeSlice('a', [], { ports: [{ port: 1.5 }] }), code: 'BadPort', path: 'ports[0].port' },
  ])('contain $code at $path', ({ slice, code, path }) => {
    expect(collect([slice]).problems).toMatchObject([{ code, path }]);
  });

  it('contain their values in the message, and name the slice', () => {
    expect(collect([makeSlice('a', [makeEndpoint('fd00::1', 'u')])]).problems).toEqual([
      {
        code: 'BadAddress',
        message: '"fd00::1" is not a valid IPv4 address; the endpoint is skipped',
        namespace: 'shop',
        service: 'web',
        slice: 'web-a',
        path: 'endpoints[0].addresses[0]',
      },
    ]);
    const [problem] = collect([{ metadata: { name: 's' } }]).problems;
    expect(problem).not.toHaveProperty('service');
  });

  it('do not contain ports 1 and 65535 or absent ports', () => {
    expect(collect([makeSlice('a', [], { ports: [{ port: 1 }, { port: 65535 }, { port: null }, {}] })]).problems).toEqual([]);
  });
});

describe('collectSlices', () => {
  it('separates Services and namespaces, and includes a Service without endpoints', () => {
    const other = { metadata: { name: 'x', namespace: 'other', labels: { 'kubernetes.io/service-name': 'web' } }, addressType: 'IPv6' };
    const { services } = collect([makeSlice('a', []), other, makeSlice('b', [], { addressType: 'FQDN' })]);
    expect(services).toMatchObject([
      { namespace: 'shop', service: 'web', addressTypes: new Set(['IPv4', 'FQDN']), slices: new Set(['web-a', 'web-b']) },
      { namespace: 'other', service: 'web', addressTypes: new Set(['IPv6']) },
    ]);
  });

  it('defaults the name and protocol of ports like the API server', () => {
    const [service] = collect([makeSlice('a', [], { ports: [{ name: null, port: 80, protocol: null }] })]).services;
    expect([...(service?.groups.values() ?? [])]).toMatchObject([{ port: { name: '', protocol: 'TCP' } }]);
  });

  it('detects the writer of slices by their labels', () => {
    const collectWithLabels = (labels: Readonly<Record<string, string>>, ports?: []) =>
      collect([makeSlice('a', [], ports ? { ports } : {}, labels)]).services[0];
    expect(collectWithLabels({})).toMatchObject({ headless: false, mirrored: false, hasControllerPorts: false });
    expect(collectWithLabels({ ...headlessLabels, ...controllerLabels })).toMatchObject({
      headless: true,
      mirrored: false,
      hasControllerPorts: true,
    });
    expect(collectWithLabels(controllerLabels, [])).toMatchObject({ hasControllerPorts: false });
    expect(collectWithLabels(mirrorLabels)).toMatchObject({ mirrored: true, hasControllerPorts: false });
  });

  it('distinguishes targets and the origin of portless lists only if byTarget is set', () => {
    const two = [makeEndpoint('10.0.0.1', 'u'), makeEndpoint('10.0.0.1', 'v')];
    const portlessSlices = [controllerLabels, { ...controllerLabels, ...headlessLabels }, headlessLabels].map((labels, i) =>
      makeSlice(`${i}`, [], { ports: [] }, labels),
    );
    const groupsOf = (options: { byTarget: boolean }) => [
      ...(collect([makeSlice('a', two), ...portlessSlices], options).services[0]?.groups.values() ?? []),
    ];
    expect(groupsOf({ byTarget: false }).map(({ members, origin }) => [members.size, origin])).toEqual([
      [1, 'other'],
      [0, 'other'],
    ]);
    expect(groupsOf({ byTarget: true }).map(({ members, origin }) => [members.size, origin])).toEqual([
      [2, 'other'],
      [0, 'controller'],
      [0, 'controller of a headless Service'],
      [0, 'other'],
    ]);
  });

  it('marks a conflict if slices disagree about conditions or target, and only then', () => {
    const conflicts = (a: Parameters<typeof makeEndpoint>, b: Parameters<typeof makeEndpoint>) =>
      [
        ...(collect([makeSlice('a', [makeEndpoint(...a)]), makeSlice('b', [makeEndpoint(...b)])]).services[0]?.groups.values() ?? []),
      ].flatMap(({ members }) => [...members.values()].map(({ hasConflict: conflict }) => conflict));
    expect(conflicts(['10.0.0.1', 'u'], ['010.0.0.1', 'u', ready, { nodeName: 'n' }])).toEqual([false]);
    expect(conflicts(['10.0.0.1', 'u'], ['10.0.0.1', 'v'])).toEqual([true]);
    expect(conflicts(['10.0.0.1', 'u'], ['10.0.0.1', 'u', { ready: false }])).toEqual([true]);
    expect(conflicts(['10.0.0.1', 'u'], ['10.0.0.2', 'u', { ready: false }])).toEqual([false, false]);
  });
});

it('nameOf returns the name of a slice, its generateName, or an empty string', () => {
  const metadataWithoutName = { namespace: 'shop', generateName: 'web-' };
  expect(nameOf({ metadata: { name: 'web-x', ...metadataWithoutName } as object })).toBe('web-x');
  expect(nameOf({ metadata: metadataWithoutName as object })).toBe('web-');
  expect(nameOf({ metadata: {} })).toBe('');
  expect(nameOf({})).toBe('');
});

it('messageOf fills in values, and every problem code has a message', () => {
  expect(messageOf('{a} is {b}, {c}', { a: '1', b: '{c}' })).toBe('1 is {c}, ');
  for (const message of Object.values(problemMessages)) expect(message).toMatch(/^\S.*\S$/);
});
