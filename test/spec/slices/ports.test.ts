import { describe, expect, it } from 'vitest';
import { slicePortsKey, sortSlicePorts } from '../../../src/spec/slices/ports.ts';
import type { SlicePort } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { profileWith } from '../objects.ts';

const tcp = (name: string, port: number, appProtocol?: string): SlicePort => ({
  name,
  port,
  protocol: 'TCP',
  ...(appProtocol !== undefined && { appProtocol }),
});
const http = tcp('http', 80);
const https = tcp('https', 443);

describe('sortSlicePorts', () => {
  const commonPorts = [http, https, { name: 'dns', port: 53, protocol: 'UDP' }, tcp('metrics', 9090)];
  const letters = [
    tcp('a', 1),
    tcp('b', 2),
    tcp('c', 3),
    { name: 'd', port: 4, protocol: 'SCTP' },
    { name: 'e', port: 5, protocol: 'UDP' },
  ];
  const withAppProtocols = [
    tcp('', 80),
    tcp('x', 81, 'h2'),
    tcp('y', 82, 'kubernetes.io/ws'),
    { name: 'z', port: 83, protocol: 'UDP', appProtocol: '' },
  ];

  // The expected order is that of the EndpointSlice controller of the release.
  it.each([
    { version: '1.33.1', ports: commonPorts, expected: [80, 9090, 53, 443] },
    { version: '1.33.1', ports: letters, expected: [4, 5, 2, 3, 1] },
    { version: '1.33.1', ports: withAppProtocols, expected: [82, 80, 83, 81] },
    { version: '1.36.3', ports: commonPorts, expected: [53, 443, 80, 9090] },
    { version: '1.36.3', ports: letters, expected: [5, 2, 3, 4, 1] },
    { version: '1.36.3', ports: withAppProtocols, expected: [81, 82, 83, 80] },
  ])('sorts as $version does: $expected', ({ version, ports, expected }) => {
    for (const input of [ports, ports.toReversed(), ports.with(0, ports[1] as SlicePort).with(1, ports[0] as SlicePort)]) {
      expect(sortSlicePorts(input, profileFor(version)).map(({ port }) => port)).toEqual(expected);
    }
  });

  it('does not change its input', () => {
    for (const input of [[], [http], commonPorts]) {
      const inputBefore = [...input];
      expect(sortSlicePorts(input, profileFor())).not.toBe(input);
      expect(input).toEqual(inputBefore);
    }
  });
});

describe('slicePortsKey', () => {
  const keyOf = (ports: Parameters<typeof slicePortsKey>[0], { nilAsEmpty = true } = {}) =>
    slicePortsKey(ports, profileWith({ slicePortsNilAsEmpty: nilAsEmpty }));

  it('is independent of the order', () => {
    expect(keyOf([http, https])).toBe(keyOf([https, http]));
    expect(keyOf([http, https, http])).toBe(keyOf([https, http, http]));
  });

  it.each([
    [[http], [https]],
    [[http], [http, http]],
    [[http], [{ ...http, name: 'https' }]],
    [[http], [{ ...http, protocol: 'UDP' }]],
    [[http], [{ ...http, appProtocol: '' }]],
    [[{ ...http, appProtocol: '' }], [{ ...http, appProtocol: 'h2' }]],
    [[{ port: 80 }], [{ port: 80, name: '' }]],
    [[{ port: 80 }], [{ port: 80, protocol: '' }]],
    [[{ name: 'a' }], [{ name: 'a', port: 0 }]],
    [[{}], []],
    [[{}], [{}, {}]],
  ])('distinguishes %j from %j', (a, b) => {
    expect(keyOf(a)).not.toBe(keyOf(b));
  });

  it('treats null as absent', () => {
    expect(keyOf([{ name: 'a', port: null, protocol: null, appProtocol: null }])).toBe(keyOf([{ name: 'a' }]));
  });

  it.each([null, undefined])('treats %s as no ports, depending on the release', (ports) => {
    expect(keyOf(ports)).toBe(keyOf([]));
    expect(keyOf(ports, { nilAsEmpty: false })).not.toBe(keyOf([], { nilAsEmpty: false }));
    expect(keyOf(ports, { nilAsEmpty: false })).not.toBe(keyOf([http], { nilAsEmpty: false }));
  });
});
