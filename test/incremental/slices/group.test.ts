import { describe, expect, it } from 'vitest';
import { createCachedGroup } from '../../../src/incremental/slices/group.ts';
import type { Endpoint } from '../../../src/types/index.ts';
import { profileWith } from '../../spec/objects.ts';
import { httpPort, makeEndpoint, makeSlice } from '../../spec/slices/objects.ts';

const createTestGroup = (gates: Parameters<typeof profileWith>[0] = {}) =>
  createCachedGroup({ key: 'k', ports: [httpPort] }, 'IPv4', profileWith(gates));
const namesOf = (endpoints: readonly Endpoint[] | undefined) => endpoints?.map(({ targetRef }) => targetRef?.name);
const [a, b] = [makeEndpoint('a'), makeEndpoint('b', '10.0.0.2')];

describe('a group of endpoints across syncs', () => {
  const createMatchedGroup = (endpoints: Endpoint[] = [a, b]) => {
    const group = createTestGroup();
    for (const endpoint of endpoints) group.add(endpoint);
    const slice = makeSlice('s', endpoints);
    group.beginSync();
    expect(group.takeEndpointsOf(slice)).toBeUndefined();
    expect(group.takeRemaining()).toEqual([]);
    return { group, slice };
  };

  it('reads no endpoint of a slice that is the same object', () => {
    const { group, slice } = createMatchedGroup();
    const readProperties: string[] = [];
    const endpoints = new Proxy(slice.endpoints as Endpoint[], {
      get: (target, name) => {
        readProperties.push(String(name));
        return Reflect.get(target, name);
      },
    });
    const observedSlice = { ...slice, endpoints };
    group.beginSync();
    group.takeEndpointsOf(observedSlice);
    expect(readProperties).not.toEqual([]);
    readProperties.length = 0;
    group.beginSync();
    expect(group.takeEndpointsOf(observedSlice)).toBeUndefined();
    expect(readProperties).toEqual([]);
  });

  it('replaces an endpoint by its preferred duplicate', () => {
    const group = createTestGroup({ endpointKeyedByTarget: false });
    group.add(a);
    const slice = makeSlice('s', [a]);
    group.beginSync();
    expect(group.takeEndpointsOf(slice)).toBeUndefined();
    const twin = group.add(makeEndpoint('b'));
    group.beginSync();
    expect(namesOf(group.takeEndpointsOf(slice))).toEqual(['b']);
    group.remove(twin);
    group.beginSync();
    expect(group.takeEndpointsOf(slice)).toBeUndefined();
    expect(group.takeRemaining()).toEqual([]);
  });

  it('assigns an endpoint to the first slice, even if another slice had it before', () => {
    const { group, slice } = createMatchedGroup();
    const first = makeSlice('earlier', [b]);
    group.beginSync();
    expect(group.takeEndpointsOf(first)).toBeUndefined();
    expect(namesOf(group.takeEndpointsOf(slice))).toEqual(['a']);
    group.beginSync();
    expect(group.takeEndpointsOf(first)).toBeUndefined();
    expect(namesOf(group.takeEndpointsOf(slice))).toEqual(['a']);
    expect(group.takeRemaining()).toEqual([]);
  });
});
