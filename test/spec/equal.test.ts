import { describe, expect, it } from 'vitest';
import { normalizeSubset, sameMap, sameSubsets } from '../../src/spec/equal.ts';
import type { EndpointSubsetInput, StringMap } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';

const parseMap = (text: string): StringMap => JSON.parse(text) as StringMap;
const address = { ip: '10.0.0.1', nodeName: 'n', targetRef: { kind: 'Pod', namespace: 's', name: 'p', uid: 'u' } };
const port = { name: 'http', port: 80, protocol: 'TCP' };
const subset: EndpointSubsetInput = { addresses: [address], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [port] };

describe('sameSubsets', () => {
  const withAddress = (fields: object): EndpointSubsetInput => ({ ...subset, addresses: [{ ...address, ...fields }] });
  const withTarget = (fields: object): EndpointSubsetInput => withAddress({ targetRef: { ...address.targetRef, ...fields } });
  const withPort = (fields: object): EndpointSubsetInput => ({ ...subset, ports: [{ ...port, ...fields }] });

  it.each<[string, boolean, EndpointSubsetInput]>([
    ['itself', true, structuredClone(subset)],
    [
      'null and empty fields instead of absent ones',
      true,
      {
        addresses: [{ ...address, hostname: '' }],
        notReadyAddresses: [{ ip: '10.0.0.2', hostname: null, nodeName: null, targetRef: null }],
        ports: [{ ...port, appProtocol: null }],
      },
    ],
    ['empty fields of a target', true, withTarget({ apiVersion: '', resourceVersion: null, fieldPath: undefined })],
    [
      'fields that the API does not have',
      true,
      { ...subset, extra: 1, ports: [{ ...port, extra: 1 } as typeof port] } as EndpointSubsetInput,
    ],
    ['a different IP', false, withAddress({ ip: '10.0.0.9' })],
    ['a host name', false, withAddress({ hostname: 'h' })],
    ['a different node', false, withAddress({ nodeName: 'm' })],
    ['an empty node', false, withAddress({ nodeName: '' })],
    ['no node', false, withAddress({ nodeName: undefined })],
    ['no target', false, withAddress({ targetRef: null })],
    ['an empty target', false, withAddress({ targetRef: {} })],
    ['a different kind', false, withTarget({ kind: 'X' })],
    ['a different namespace', false, withTarget({ namespace: 'x' })],
    ['a different name', false, withTarget({ name: 'x' })],
    ['a different UID', false, withTarget({ uid: 'x' })],
    ['an apiVersion', false, withTarget({ apiVersion: 'v1' })],
    ['a fieldPath', false, withTarget({ fieldPath: 'x' })],
    ['a different port', false, withPort({ port: 81 })],
    ['no port', false, withPort({ port: undefined })],
    ['a different port name', false, withPort({ name: 'x' })],
    ['no port name', false, withPort({ name: null })],
    ['a different protocol', false, withPort({ protocol: 'UDP' })],
    ['no protocol', false, withPort({ protocol: '' })],
    ['an appProtocol', false, withPort({ appProtocol: 'x' })],
    ['an empty appProtocol', false, withPort({ appProtocol: '' })],
    ['no ports', false, { ...subset, ports: null }],
    ['no addresses', false, { ...subset, addresses: [] }],
    ['no addresses that are not ready', false, { ...subset, notReadyAddresses: null }],
    ['one more address', false, { ...subset, addresses: [address, { ip: 'x' }] }],
  ])('for a comparison with %s, returns %s', (_, expected, other) => {
    expect(sameSubsets([subset], [other], profileFor())).toBe(expected);
    expect(sameSubsets([other], [subset], profileFor())).toBe(expected);
  });

  it('treats an empty list and an absent one as equal', () => {
    expect(sameSubsets([{ addresses: [], notReadyAddresses: [], ports: [] }], [{}], profileFor())).toBe(true);
    expect(sameSubsets([], [], profileFor())).toBe(true);
    expect(sameSubsets([], [{}], profileFor())).toBe(false);
  });

  it('compares the order of subsets', () => {
    const [first, second] = [{ ports: [{ port: 1 }] }, { ports: [{ port: 2 }] }];
    expect(sameSubsets([first, second], [second, first], profileFor())).toBe(false);
  });

  it.each<[string, { version: string; same: boolean }[]]>([
    [
      'resourceVersion of a target',
      [
        { version: '1.24', same: true },
        { version: '1.23.7', same: false },
      ],
    ],
  ])('ignores the %s from 1.24 on', (_, expectations) => {
    for (const { version, same } of expectations) {
      expect(
        sameSubsets([withTarget({ resourceVersion: '1' })], [withTarget({ resourceVersion: '2' })], profileFor(version)),
        version,
      ).toBe(same);
      expect(sameSubsets([withTarget({ resourceVersion: '1' })], [subset], profileFor(version)), version).toBe(same);
      const notReady = (resourceVersion: string) => [
        { notReadyAddresses: [{ ...address, targetRef: { ...address.targetRef, resourceVersion } }] },
      ];
      expect(sameSubsets(notReady('1'), notReady('2'), profileFor(version)), version).toBe(same);
    }
  });

  it('ignores appProtocol in 1.17', () => {
    expect(sameSubsets([withPort({ appProtocol: 'x' })], [subset], profileFor('1.17'))).toBe(true);
    expect(sameSubsets([withPort({ appProtocol: 'x' })], [subset], profileFor('1.18'))).toBe(false);
  });
});

describe('normalizeSubset', () => {
  it('contains every field, in the order of the API', () => {
    const full = {
      ip: 'i',
      hostname: 'h',
      nodeName: 'n',
      targetRef: { kind: 'k', namespace: 's', name: 'm', uid: 'u', apiVersion: 'a', resourceVersion: 'r', fieldPath: 'f' },
    };
    const input = { addresses: [full], notReadyAddresses: [full], ports: [{ ...port, appProtocol: 'p' }] };
    expect(JSON.stringify(normalizeSubset(input, profileFor()))).toBe(JSON.stringify(input));
  });

  it('reads an address without IP and a port without number', () => {
    expect(normalizeSubset({ addresses: [{}], ports: [{}] }, profileFor())).toEqual({ addresses: [{ ip: '' }], ports: [{ port: 0 }] });
    expect(normalizeSubset({ addresses: [{ ip: null }], ports: [{ port: null }] }, profileFor())).toEqual({
      addresses: [{ ip: '' }],
      ports: [{ port: 0 }],
    });
  });

  it('omits empty fields', () => {
    const input = {
      addresses: [
        { ip: 'x', targetRef: { kind: '', namespace: null, name: '', uid: '', apiVersion: '', resourceVersion: '', fieldPath: '' } },
      ],
      notReadyAddresses: null,
      ports: [],
    };
    expect(JSON.stringify(normalizeSubset(input, profileFor()))).toBe('{"addresses":[{"ip":"x","targetRef":{}}]}');
  });
});

describe('sameMap', () => {
  it.each<[StringMap | null | undefined, StringMap | null | undefined, boolean]>([
    [undefined, null, true],
    [{}, null, true],
    [{ a: '1' }, { a: '1' }, true],
    [{ a: '1', b: '2' }, { b: '2', a: '1' }, true],
    [{ a: '1' }, { a: '2' }, false],
    [{ a: '1' }, {}, false],
    [{ a: '1' }, { b: '1' }, false],
    [{ a: '1' }, { a: '1', b: '2' }, false],
    [parseMap('{"__proto__":"x"}'), parseMap('{"__proto__":"x"}'), true],
    [parseMap('{"__proto__":"x"}'), { a: 'x' }, false],
    [{ constructor: 'x' }, { a: 'x' }, false],
  ])('for %j and %j, returns %s', (a, b, expected) => {
    expect(sameMap(a, b)).toBe(expected);
    expect(sameMap(b, a)).toBe(expected);
  });

  it('ignores inherited fields', () => {
    const inherited = Object.create({ a: '1' }) as Record<string, string>;
    inherited['b'] = '2';
    expect(sameMap({ a: '1' }, inherited)).toBe(false);
  });
});
