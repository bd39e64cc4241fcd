import { describe, expect, it } from 'vitest';
import { repack, repackSubsets } from '../../src/spec/subsets.ts';
import { profileFor } from '../../src/versions/index.ts';

const a = { ip: '10.0.0.1', targetRef: { uid: 'a' } };
const b = { ip: '10.0.0.2', targetRef: { uid: 'b' } };
const c = { ip: '10.0.0.3', targetRef: { uid: 'c' } };
const http = { name: 'http', port: 80, protocol: 'TCP' };
const https = { name: 'https', port: 443, protocol: 'TCP' };

describe('repackSubsets', () => {
  it.each([
    { name: 'no subsets', input: [], expected: [] },
    { name: 'a subset without addresses', input: [{ ports: [http] }], expected: [] },
    { name: 'an empty subset', input: [{}, { addresses: null, notReadyAddresses: null, ports: null }], expected: [] },
    { name: 'a canonical subset', input: [{ addresses: [a, b], ports: [http] }], expected: [{ addresses: [a, b], ports: [http] }] },
    { name: 'addresses out of order', input: [{ addresses: [b, a], ports: [http] }], expected: [{ addresses: [a, b], ports: [http] }] },
    {
      name: 'one set of ports in two subsets',
      input: [
        { addresses: [a], ports: [http] },
        { addresses: [b], ports: [http] },
      ],
      expected: [{ addresses: [a, b], ports: [http] }],
    },
    {
      name: 'an address in two subsets',
      input: [
        { addresses: [a], ports: [http] },
        { addresses: [a], ports: [https] },
      ],
      expected: [{ addresses: [a], ports: [http, https] }],
    },
    { name: 'a duplicate address', input: [{ addresses: [a, a], ports: [http] }], expected: [{ addresses: [a], ports: [http] }] },
    {
      name: 'an IP with two targets',
      input: [{ addresses: [{ ...a, targetRef: { uid: 'z' } }, a], ports: [http] }],
      expected: [{ addresses: [a, { ...a, targetRef: { uid: 'z' } }], ports: [http] }],
    },
    {
      name: 'a ready address that is also not ready becomes not ready',
      input: [{ addresses: [a, b], notReadyAddresses: [a], ports: [http] }],
      expected: [{ addresses: [b], notReadyAddresses: [a], ports: [http] }],
    },
    {
      name: 'a not-ready address that is ready in a later subset stays not ready',
      input: [
        { notReadyAddresses: [a], ports: [http] },
        { addresses: [a], ports: [http] },
      ],
      expected: [{ notReadyAddresses: [a], ports: [http] }],
    },
    {
      name: 'an address that is not ready under one port only',
      input: [
        { addresses: [a], ports: [http] },
        { notReadyAddresses: [a], ports: [https] },
      ],
      expected: [
        { notReadyAddresses: [a], ports: [https] },
        { addresses: [a], ports: [http] },
      ],
    },
    {
      name: 'the first of two addresses with the same IP and UID is kept',
      input: [
        {
          addresses: [
            { ...a, nodeName: 'first' },
            { ...a, nodeName: 'second' },
          ],
          ports: [http],
        },
      ],
      expected: [{ addresses: [{ ...a, nodeName: 'first' }], ports: [http] }],
    },
    { name: 'no ports', input: [{ addresses: [a] }, { addresses: [b], ports: [] }], expected: [{ addresses: [a, b] }] },
    {
      name: 'a port 0 is omitted',
      input: [{ addresses: [a], ports: [{ port: 0 }, http] }],
      expected: [{ addresses: [a], ports: [http] }],
    },
    { name: 'a port without number', input: [{ addresses: [a], ports: [{ name: 'x' }] }], expected: [{ addresses: [a] }] },
    {
      name: 'a duplicate port',
      input: [{ addresses: [a], ports: [http, { ...http }] }],
      expected: [{ addresses: [a], ports: [http] }],
    },
    {
      name: 'a port with an appProtocol is not merged',
      input: [
        { addresses: [a], ports: [{ ...http, appProtocol: 'h2' }] },
        { addresses: [b], ports: [{ ...http, appProtocol: 'h2' }] },
      ],
      expected: [
        { addresses: [b], ports: [{ ...http, appProtocol: 'h2' }] },
        { addresses: [a], ports: [{ ...http, appProtocol: 'h2' }] },
      ],
      inAnyOrder: true,
    },
    {
      name: 'ports that differ in name, number or protocol',
      input: [
        { addresses: [a], ports: [http] },
        { addresses: [b], ports: [{ ...http, name: 'x' }] },
        { addresses: [c], ports: [{ ...http, protocol: 'UDP' }] },
      ],
      expected: [
        { addresses: [a], ports: [http] },
        { addresses: [b], ports: [{ ...http, name: 'x' }] },
        { addresses: [c], ports: [{ ...http, protocol: 'UDP' }] },
      ],
      inAnyOrder: true,
    },
  ])('canonicalizes subsets: $name', ({ input, expected, inAnyOrder }) => {
    const result = repackSubsets(input);
    if (inAnyOrder)
      expect(new Set(result.map((each) => JSON.stringify(each)))).toEqual(new Set(expected.map((each) => JSON.stringify(each))));
    else expect(result).toEqual(expected);
  });

  it('drops fields that the release does not have', () => {
    const input = [{ addresses: [{ ...a, nodeName: null, hostname: '' }], ports: [{ ...http, appProtocol: 'h2' }] }];
    expect(repackSubsets(input, { version: '1.17' })).toEqual([{ addresses: [a], ports: [http] }]);
    expect(repackSubsets(input, { version: '1.18' })).toEqual([{ addresses: [a], ports: [{ ...http, appProtocol: 'h2' }] }]);
  });

  it('sorts subsets differently in 1.17, 1.34 and 1.37, the default', () => {
    const input = Array.from({ length: 8 }, (_, i) => ({ addresses: [{ ip: `10.0.0.${i}` }], ports: [{ port: 80 + i }] }));
    const orders = ['1.17', '1.34', '1.37'].map((version) => JSON.stringify(repackSubsets(input, { version })));
    expect(new Set(orders).size).toBe(3);
    expect(JSON.stringify(repackSubsets(input))).toBe(orders[2]);
  });

  it('refuses an unknown version', () => {
    expect(() => repackSubsets([], { version: '2.0' })).toThrow(RangeError);
  });

  it('sorts the addresses of both families as text', () => {
    const addresses = ['fd00::2', '10.0.0.2', 'fd00::1', '10.0.0.10'].map((ip) => ({ ip }));
    expect(repackSubsets([{ addresses }])).toEqual([
      { addresses: [{ ip: '10.0.0.10' }, { ip: '10.0.0.2' }, { ip: 'fd00::1' }, { ip: 'fd00::2' }] },
    ]);
  });
});

it('repack copies its input', () => {
  const input = [{ addresses: [{ ...a, targetRef: { uid: 'a' } }], ports: [{ ...http }] }];
  const [subset] = repack(input, profileFor());
  if (subset?.addresses?.[0]?.targetRef && subset.ports?.[0]) {
    subset.addresses[0].targetRef.uid = 'changed';
    subset.ports[0].port = 1;
  }
  expect(input).toEqual([{ addresses: [a], ports: [http] }]);
});
