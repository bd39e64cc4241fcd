import { describe, expect, it } from 'vitest';
import { createGroup } from '../../../src/spec/slices/group.ts';
import type { Endpoint, EndpointSliceInput } from '../../../src/types/index.ts';
import { profileWith } from '../objects.ts';
import { httpPort, makeEndpoint, makeSlice } from './objects.ts';

const createTestGroup = (gates: Parameters<typeof profileWith>[0] = {}) =>
  createGroup({ key: 'k', ports: [httpPort] }, 'IPv4', profileWith(gates));
const namesOf = (endpoints: readonly Endpoint[] | undefined) => endpoints?.map(({ targetRef }) => targetRef?.name);
const [a, b, c] = [makeEndpoint('a'), makeEndpoint('b', '10.0.0.2'), makeEndpoint('c', '10.0.0.3')];
const notReady = makeEndpoint('b', '10.0.0.2', { conditions: { ready: false, serving: false, terminating: false } });

describe('createGroup', () => {
  it('exposes key, ports and address type', () => {
    expect(createTestGroup()).toMatchObject({ key: 'k', ports: [httpPort], addressType: 'IPv4' });
  });

  it.each<{ name: string; slice: EndpointSliceInput; matched: string[] | undefined; remaining: string[] }>([
    { name: 'equal', slice: makeSlice('s', [a, b, c]), matched: undefined, remaining: [] },
    { name: 'equal in a different order', slice: makeSlice('s', [c, a]), matched: undefined, remaining: ['b'] },
    { name: 'empty', slice: makeSlice('s', []), matched: undefined, remaining: ['a', 'b', 'c'] },
    { name: 'null endpoints', slice: makeSlice('s', null), matched: undefined, remaining: ['a', 'b', 'c'] },
    {
      name: 'with an additional endpoint',
      slice: makeSlice('s', [a, makeEndpoint('x', '10.0.0.9')]),
      matched: ['a'],
      remaining: ['b', 'c'],
    },
    {
      name: 'with only endpoints that are not desired',
      slice: makeSlice('s', [makeEndpoint('x')]),
      matched: [],
      remaining: ['a', 'b', 'c'],
    },
    { name: 'with a changed endpoint', slice: makeSlice('s', [c, notReady]), matched: ['c', 'b'], remaining: ['a'] },
    { name: 'with a duplicate endpoint', slice: makeSlice('s', [a, a, b]), matched: ['a', 'b'], remaining: ['c'] },
    {
      name: 'with hints',
      slice: makeSlice('s', [{ ...a, hints: { forZones: [{ name: 'z' }] } }]),
      matched: undefined,
      remaining: ['b', 'c'],
    },
  ])('takes the endpoints of a slice ($name)', ({ slice, matched, remaining }) => {
    const group = createTestGroup();
    for (const endpoint of [c, a, b]) group.add(structuredClone(endpoint));
    expect(namesOf(group.takeEndpointsOf(slice))).toEqual(matched);
    expect(namesOf(group.takeRemaining())).toEqual(remaining);
    expect(group.takeRemaining()).toEqual([]);
  });

  it('assigns an endpoint to one slice only', () => {
    const group = createTestGroup();
    for (const endpoint of [a, b]) group.add(endpoint);
    expect(group.takeEndpointsOf(makeSlice('1', [a, b]))).toBeUndefined();
    expect(namesOf(group.takeEndpointsOf(makeSlice('2', [b])))).toEqual([]);
    expect(group.takeRemaining()).toEqual([]);
  });

  it('matches a slice only once', () => {
    const group = createTestGroup();
    for (const endpoint of [a, b]) group.add(endpoint);
    const slice = makeSlice('1', [a]);
    expect(group.takeEndpointsOf(slice)).toBeUndefined();
    expect(group.takeEndpointsOf(slice)).toEqual([]);
    expect(namesOf(group.takeRemaining())).toEqual(['b']);
  });

  it('sorts the remaining endpoints by address text, including IPv6', () => {
    const group = createTestGroup();
    for (const ip of ['10.0.0.2', 'fd00::1', '10.0.0.10', '9.0.0.1']) group.add(makeEndpoint(ip, ip));
    expect(namesOf(group.takeRemaining())).toEqual(['10.0.0.10', '10.0.0.2', '9.0.0.1', 'fd00::1']);
  });

  it.each([
    ['fd00::1', 'fd00::2'],
    ['10.0.0.1', '10.0.0.2'],
  ])('keeps one of several endpoints with the same key: the one with the greatest target (%s)', (ip, other) => {
    for (const order of [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
    ]) {
      for (const hasMatched of [false, true]) {
        const group = createTestGroup({ endpointKeyedByTarget: false });
        for (const name of order) group.add(makeEndpoint(name, ip));
        group.add(makeEndpoint('z', ip, { hostname: 'h' }));
        if (hasMatched) group.takeEndpointsOf(makeSlice('s', [makeEndpoint('y', other)]));
        expect(namesOf(group.takeRemaining())).toEqual(['c', 'z']);
        expect(group.takeRemaining()).toEqual([]);
      }
    }
  });

  it('leaves out a duplicate of an endpoint that a slice contains', () => {
    const group = createTestGroup({ endpointKeyedByTarget: false });
    for (const name of ['a', 'b']) group.add(makeEndpoint(name));
    expect(group.takeEndpointsOf(makeSlice('s', [makeEndpoint('b')]))).toBeUndefined();
    expect(group.takeRemaining()).toEqual([]);
    const other = createTestGroup({ endpointKeyedByTarget: false });
    for (const name of ['a', 'b']) other.add(makeEndpoint(name));
    expect(namesOf(other.takeEndpointsOf(makeSlice('s', [makeEndpoint('a')])))).toEqual(['b']);
    expect(other.takeRemaining()).toEqual([]);
  });
});
