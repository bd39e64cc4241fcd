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
    { name: 'nothing', given: [], expected: [] },
    { name: 'a subset without addresses', given: [{ ports: [http] }], expected: [] },
    { name: 'an empty subset', given: [{}, { addresses: null, notReadyAddresses: null, ports: null }], expected: [] },
    { name: 'one that is right', given: [{ addresses: [a, b], ports: [http] }], expected: [{ addresses: [a, b], ports: [http] }] },
    { name: 'addresses out of order', given: [{ addresses: [b, a], ports: [http] }], expected: [{ addresses: [a, b], ports: [http] }] },
    {
      name: 'one set of ports in two subsets',
      given: [
        { addresses: [a], ports: [http] },
        { addresses: [b], ports: [http] },
      ],
      expected: [{ addresses: [a, b], ports: [http] }],
    },
    {
      name: 'one address in two subsets',
      given: [
        { addresses: [a], ports: [http] },
        { addresses: [a], ports: [https] },
      ],
      expected: [{ addresses: [a], ports: [http, https] }],
    },
    { name: 'an address twice', given: [{ addresses: [a, a], ports: [http] }], expected: [{ addresses: [a], ports: [http] }] },
    {
      name: 'one IP with two targets',
      given: [{ addresses: [{ ...a, targetRef: { uid: 'z' } }, a], ports: [http] }],
      expected: [{ addresses: [a, { ...a, targetRef: { uid: 'z' } }], ports: [http] }],
    },
    {
      name: 'ready and not ready: not ready wins',
      given: [{ addresses: [a, b], notReadyAddresses: [a], ports: [http] }],
      expected: [{ addresses: [b], notReadyAddresses: [a], ports: [http] }],
    },
    {
      name: 'not ready first, ready later: not ready wins',
      given: [
        { notReadyAddresses: [a], ports: [http] },
        { addresses: [a], ports: [http] },
      ],
      expected: [{ notReadyAddresses: [a], ports: [http] }],
    },
    {
      name: 'not ready under one port only',
      given: [
        { addresses: [a], ports: [http] },
        { notReadyAddresses: [a], ports: [https] },
      ],
      expected: [
        { notReadyAddresses: [a], ports: [https] },
        { addresses: [a], ports: [http] },
      ],
    },
    {
      name: 'the first of two addresses with one IP and UID stays in full',
      given: [
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
    { name: 'no ports', given: [{ addresses: [a] }, { addresses: [b], ports: [] }], expected: [{ addresses: [a, b] }] },
    {
      name: 'a port 0 is not listed',
      given: [{ addresses: [a], ports: [{ port: 0 }, http] }],
      expected: [{ addresses: [a], ports: [http] }],
    },
    { name: 'a port without number', given: [{ addresses: [a], ports: [{ name: 'x' }] }], expected: [{ addresses: [a] }] },
    {
      name: 'a port twice',
      given: [{ addresses: [a], ports: [http, { ...http }] }],
      expected: [{ addresses: [a], ports: [http] }],
    },
    {
      name: 'a port with an appProtocol is only itself',
      given: [
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
      given: [
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
  ])('$name', ({ given, expected, inAnyOrder }) => {
    const result = repackSubsets(given);
    if (inAnyOrder)
      expect(new Set(result.map((each) => JSON.stringify(each)))).toEqual(new Set(expected.map((each) => JSON.stringify(each))));
    else expect(result).toEqual(expected);
  });

  it('brings what it is given into the form of the release', () => {
    const given = [{ addresses: [{ ...a, nodeName: null, hostname: '' }], ports: [{ ...http, appProtocol: 'h2' }] }];
    expect(repackSubsets(given, { version: '1.17' })).toEqual([{ addresses: [a], ports: [http] }]);
    expect(repackSubsets(given, { version: '1.18' })).toEqual([{ addresses: [a], ports: [{ ...http, appProtocol: 'h2' }] }]);
  });

  it('orders as the release does', () => {
    const given = Array.from({ length: 8 }, (_, i) => ({ addresses: [{ ip: `10.0.0.${i}` }], ports: [{ port: 80 + i }] }));
    const orders = ['1.17', '1.34', '1.37'].map((version) => JSON.stringify(repackSubsets(given, { version })));
    expect(new Set(orders).size).toBe(3);
    expect(JSON.stringify(repackSubsets(given))).toBe(orders[2]);
  });

  it('refuses an unknown version', () => {
    expect(() => repackSubsets([], { version: '2.0' })).toThrow(RangeError);
  });

  it('keeps ready addresses that no other has beside many, whatever their family', () => {
    const addresses = ['fd00::2', '10.0.0.2', 'fd00::1', '10.0.0.10'].map((ip) => ({ ip }));
    expect(repackSubsets([{ addresses }])).toEqual([
      { addresses: [{ ip: '10.0.0.10' }, { ip: '10.0.0.2' }, { ip: 'fd00::1' }, { ip: 'fd00::2' }] },
    ]);
  });
});

it('repack keeps no reference to what it is given', () => {
  const given = [{ addresses: [{ ...a, targetRef: { uid: 'a' } }], ports: [{ ...http }] }];
  const [subset] = repack(given, profileFor());
  if (subset?.addresses?.[0]?.targetRef && subset.ports?.[0]) {
    subset.addresses[0].targetRef.uid = 'changed';
    subset.ports[0].port = 1;
  }
  expect(given).toEqual([{ addresses: [a], ports: [http] }]);
});
