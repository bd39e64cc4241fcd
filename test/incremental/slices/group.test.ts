import { describe, expect, it } from 'vitest';
import { createGroup } from '../../../src/incremental/slices/group.ts';
import type { Endpoint, EndpointSliceInput } from '../../../src/types/index.ts';
import { profileWith } from '../../spec/objects.ts';
import { httpPort, makeEndpoint, makeEndpoints, makeSlice } from '../../spec/slices/objects.ts';

const make = (gates: Parameters<typeof profileWith>[0] = {}) => createGroup({ key: 'k', ports: [httpPort] }, 'IPv4', profileWith(gates));
const namesOf = (endpoints: readonly Endpoint[] | undefined) => endpoints?.map(({ targetRef }) => targetRef?.name);
const [a, b, c] = [makeEndpoint('a'), makeEndpoint('b', '10.0.0.2'), makeEndpoint('c', '10.0.0.3')];
const notReady = makeEndpoint('b', '10.0.0.2', { conditions: { ready: false, serving: false, terminating: false } });

describe('a group', () => {
  it('says what it is of', () => {
    expect(make()).toMatchObject({ key: 'k', ports: [httpPort], addressType: 'IPv4' });
  });

  it.each<{ name: string; slice: EndpointSliceInput; kept: string[] | undefined; rest: string[] }>([
    { name: 'right', slice: makeSlice('s', [a, b, c]), kept: undefined, rest: [] },
    { name: 'right in another order', slice: makeSlice('s', [c, a]), kept: undefined, rest: ['b'] },
    { name: 'empty', slice: makeSlice('s', []), kept: undefined, rest: ['a', 'b', 'c'] },
    { name: 'null', slice: makeSlice('s', null), kept: undefined, rest: ['a', 'b', 'c'] },
    { name: 'with one too many', slice: makeSlice('s', [a, makeEndpoint('x', '10.0.0.9')]), kept: ['a'], rest: ['b', 'c'] },
    { name: 'with none that is wanted', slice: makeSlice('s', [makeEndpoint('x')]), kept: [], rest: ['a', 'b', 'c'] },
    { name: 'with one that changed', slice: makeSlice('s', [c, notReady]), kept: ['c', 'b'], rest: ['a'] },
    { name: 'with one twice', slice: makeSlice('s', [a, a, b]), kept: ['a', 'b'], rest: ['c'] },
    { name: 'with hints', slice: makeSlice('s', [{ ...a, hints: { forZones: [{ name: 'z' }] } }]), kept: undefined, rest: ['b', 'c'] },
  ])('a slice that is $name', ({ slice, kept, rest }) => {
    const group = make();
    for (const endpoint of [c, a, b]) group.add(structuredClone(endpoint));
    group.begin();
    expect(namesOf(group.match(slice))).toEqual(kept);
    expect(namesOf(group.takeRest())).toEqual(rest);
    expect(group.takeRest()).toEqual([]);
  });

  it('gives an endpoint one place of two slices', () => {
    const group = make();
    for (const endpoint of [a, b]) group.add(endpoint);
    group.begin();
    expect(group.match(makeSlice('1', [a, b]))).toBeUndefined();
    expect(namesOf(group.match(makeSlice('2', [b])))).toEqual([]);
    expect(group.takeRest()).toEqual([]);
  });

  it('takes one of a slice that is handed in twice', () => {
    const group = make();
    for (const endpoint of [a, b]) group.add(endpoint);
    group.begin();
    const slice = makeSlice('1', [a]);
    expect(group.match(slice)).toBeUndefined();
    expect(group.match(slice)).toEqual([]);
    expect(namesOf(group.takeRest())).toEqual(['b']);
  });

  it('hands out endpoints in the order of their addresses as texts, those of no plain IPv4 included', () => {
    const group = make();
    for (const ip of ['10.0.0.2', 'fd00::1', '10.0.0.10', '9.0.0.1']) group.add(makeEndpoint(ip, ip));
    group.begin();
    expect(namesOf(group.takeRest())).toEqual(['10.0.0.10', '10.0.0.2', '9.0.0.1', 'fd00::1']);
  });

  it.each([
    ['fd00::1', 'fd00::2'],
    ['10.0.0.1', '10.0.0.2'],
  ])('has one of several with one key, the last by target (%s)', (ip, other) => {
    for (const order of [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
    ]) {
      for (const searched of [false, true]) {
        const group = make({ endpointKeyedByTarget: false });
        for (const name of order) group.add(makeEndpoint(name, ip));
        group.add(makeEndpoint('z', ip, { hostname: 'h' }));
        group.begin();
        if (searched) group.match(makeSlice('s', [makeEndpoint('y', other)]));
        expect(namesOf(group.takeRest())).toEqual(['c', 'z']);
        expect(group.takeRest()).toEqual([]);
      }
    }
  });

  it('leaves out a twin of one that has its place', () => {
    const group = make({ endpointKeyedByTarget: false });
    for (const name of ['a', 'b']) group.add(makeEndpoint(name));
    group.begin();
    expect(group.match(makeSlice('s', [makeEndpoint('b')]))).toBeUndefined();
    expect(group.takeRest()).toEqual([]);
    const other = make({ endpointKeyedByTarget: false });
    for (const name of ['a', 'b']) other.add(makeEndpoint(name));
    other.begin();
    expect(namesOf(other.match(makeSlice('s', [makeEndpoint('a')])))).toEqual(['b']);
    expect(other.takeRest()).toEqual([]);
  });
});

it('a group hands out copies', () => {
  const group = make();
  group.add(a);
  group.begin();
  const [first] = group.takeRest();
  expect(first).toEqual(a);
  expect(first).not.toBe(a);
  group.begin();
  const kept = group.match(makeSlice('s', [{ ...a, nodeName: 'other' }]));
  expect(kept).toEqual([a]);
  expect(kept?.[0]).not.toBe(a);
});

describe('a group from sync to sync', () => {
  const settled = (endpoints: Endpoint[] = [a, b]) => {
    const group = make();
    const entries = endpoints.map((endpoint) => group.add(endpoint));
    const slice = makeSlice('s', endpoints);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    expect(group.takeRest()).toEqual([]);
    return { group, entries, slice };
  };

  it('leaves a slice alone that is the same object, again and again', () => {
    const { group, slice } = settled();
    for (let i = 0; i < 3; i++) {
      group.begin();
      expect(group.match(slice)).toBeUndefined();
      expect(group.takeRest()).toEqual([]);
    }
  });

  it('reads no endpoint of a slice that is the same object', () => {
    const { group, slice } = settled();
    const read: string[] = [];
    const endpoints = new Proxy(slice.endpoints as Endpoint[], {
      get: (target, name) => {
        read.push(String(name));
        return Reflect.get(target, name);
      },
    });
    const watched = { ...slice, endpoints };
    group.begin();
    group.match(watched);
    expect(read).not.toEqual([]);
    read.length = 0;
    group.begin();
    expect(group.match(watched)).toBeUndefined();
    expect(read).toEqual([]);
  });

  it('has endpoints without a place where the slice is gone', () => {
    const { group, slice } = settled();
    group.begin();
    expect(namesOf(group.takeRest())).toEqual(['a', 'b']);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    expect(group.takeRest()).toEqual([]);
  });

  it.each<{ name: string; change: (slice: { metadata: { resourceVersion: string }; endpoints: Endpoint[] }) => void }>([
    {
      name: 'resourceVersion',
      change: (slice) => {
        slice.metadata.resourceVersion = '6';
        slice.endpoints.pop();
      },
    },
    {
      name: 'list of endpoints',
      change: (slice) => {
        slice.endpoints = [a];
      },
    },
  ])('looks into a slice again whose $name is another', ({ change }) => {
    const { group, slice } = settled();
    change(slice as never);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    expect(namesOf(group.takeRest())).toEqual(['b']);
  });

  it('hands out what has no place yet, beside slices that are the same objects', () => {
    const { group, slice } = settled();
    group.begin();
    group.add(c);
    expect(group.match(slice)).toBeUndefined();
    expect(namesOf(group.takeRest())).toEqual(['c']);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    expect(namesOf(group.takeRest())).toEqual(['c']);
  });

  it('notices that an endpoint was removed, added, or replaced', () => {
    const { group, entries, slice } = settled();
    group.remove(entries[0] as (typeof entries)[0]);
    group.begin();
    expect(namesOf(group.match(slice))).toEqual(['b']);
    expect(group.takeRest()).toEqual([]);
    const added = group.add({ ...a, nodeName: 'n2' });
    group.begin();
    expect(namesOf(group.match(slice))).toEqual(['a', 'b']);
    group.remove(added);
    group.add(a);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    group.add(c);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    expect(namesOf(group.takeRest())).toEqual(['c']);
  });

  it('notices a twin that goes before the one that is there', () => {
    const group = make({ endpointKeyedByTarget: false });
    group.add(a);
    const slice = makeSlice('s', [a]);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    const twin = group.add(makeEndpoint('b'));
    group.begin();
    expect(namesOf(group.match(slice))).toEqual(['b']);
    group.remove(twin);
    group.begin();
    expect(group.match(slice)).toBeUndefined();
    expect(group.takeRest()).toEqual([]);
  });

  it('gives a place to the slice that comes first, even if another had it', () => {
    const { group, slice } = settled();
    const first = makeSlice('earlier', [b]);
    group.begin();
    expect(group.match(first)).toBeUndefined();
    expect(namesOf(group.match(slice))).toEqual(['a']);
    group.begin();
    expect(group.match(first)).toBeUndefined();
    expect(namesOf(group.match(slice))).toEqual(['a']);
    expect(group.takeRest()).toEqual([]);
  });

  it('holds many endpoints in many slices', () => {
    const endpoints = makeEndpoints(500);
    const group = make();
    for (const endpoint of endpoints) group.add(endpoint);
    const slices = [0, 100, 200, 300, 400].map((from) => makeSlice(`s${from}`, endpoints.slice(from, from + 90)));
    for (let i = 0; i < 2; i++) {
      group.begin();
      for (const slice of slices) expect(group.match(slice)).toBeUndefined();
      expect(group.takeRest().length).toBe(50);
    }
  });
});
