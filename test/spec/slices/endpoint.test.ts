import { describe, expect, it } from 'vitest';
import { areEqualBeyondKey, endpointKey, haveSameKey, sortAddresses } from '../../../src/spec/slices/endpoint.ts';
import type { EndpointInput } from '../../../src/types/index.ts';
import { profileWith } from '../objects.ts';
import { makeEndpoint } from './objects.ts';

const endpoint: EndpointInput = makeEndpoint();
const withFields = (fields: EndpointInput): EndpointInput => ({ ...endpoint, ...fields });
const target = { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-a' };

describe('the key of an endpoint', () => {
  it.each<{ name: string; other: EndpointInput; same: boolean; keyedByTarget?: boolean }>([
    { name: 'equal fields', other: withFields({}), same: true },
    { name: 'different conditions', other: withFields({ conditions: { ready: false } }), same: true },
    { name: 'a different node and zone', other: withFields({ nodeName: 'n9', zone: 'z' }), same: true },
    { name: 'a different UID of the target', other: withFields({ targetRef: { ...target, uid: 'x' } }), same: true },
    { name: 'a different address', other: withFields({ addresses: ['10.0.0.2'] }), same: false },
    { name: 'one more address', other: withFields({ addresses: ['10.0.0.1', '10.0.0.2'] }), same: false },
    { name: 'no addresses', other: withFields({ addresses: null }), same: false },
    { name: 'a host name', other: withFields({ hostname: 'h' }), same: false },
    { name: 'an empty host name', other: withFields({ hostname: '' }), same: true },
    { name: 'a different name of the target', other: withFields({ targetRef: { ...target, name: 'b' } }), same: false },
    {
      name: 'a different name of the target',
      other: withFields({ targetRef: { ...target, name: 'b' } }),
      same: true,
      keyedByTarget: false,
    },
    { name: 'a different namespace of the target', other: withFields({ targetRef: { ...target, namespace: 'x' } }), same: false },
    { name: 'no target', other: withFields({ targetRef: null }), same: false },
    { name: 'no target', other: withFields({ targetRef: undefined }), same: true, keyedByTarget: false },
  ])('for an endpoint with $name, is equal: $same (keyed by target: $keyedByTarget)', ({ other, same, keyedByTarget = true }) => {
    const profile = profileWith({ endpointKeyedByTarget: keyedByTarget });
    expect(endpointKey(other, profile) === endpointKey(endpoint, profile)).toBe(same);
    expect(haveSameKey(endpoint, other, profile)).toBe(same);
    expect(haveSameKey(other, endpoint, profile)).toBe(same);
  });

  it('ignores the order of addresses, and accepts an endpoint without fields', () => {
    const profile = profileWith();
    expect(endpointKey({ addresses: ['b', 'a'] }, profile)).toBe(endpointKey({ addresses: ['a', 'b'] }, profile));
    expect(endpointKey({ targetRef: {} }, profile)).not.toBe(endpointKey({ targetRef: { name: 'a' } }, profile));
    expect(haveSameKey({}, { addresses: [], hostname: null, targetRef: null }, profile)).toBe(true);
    expect(haveSameKey({ addresses: ['a', 'b'] }, { addresses: ['a', 'c'] }, profile)).toBe(false);
  });
});

it('sortAddresses copies the list only if it must be sorted', () => {
  const unsorted = ['fd00::2', '10.0.0.9', '10.0.0.10'];
  expect(sortAddresses({ addresses: unsorted })).toEqual(['10.0.0.10', '10.0.0.9', 'fd00::2']);
  expect(unsorted[0]).toBe('fd00::2');
  const single = ['a'];
  expect(sortAddresses({ addresses: single })).toBe(single);
  expect(sortAddresses({ addresses: null })).toEqual([]);
});

describe('areEqualBeyondKey', () => {
  const conditions = (serving?: boolean | null, terminating?: boolean | null): EndpointInput =>
    withFields({ conditions: { ready: true, serving, terminating } });
  const allGates = {};
  const noConditionGates = { sliceConditionsCompared: false, sliceUnknownConditionsCompared: false };
  const knownConditionGates = { sliceConditionsCompared: true, sliceUnknownConditionsCompared: false };

  it.each([
    { name: 'nothing', gates: allGates, a: endpoint, b: withFields({}), same: true },
    { name: 'hints', gates: allGates, a: endpoint, b: withFields({ hints: { forZones: [{ name: 'a' }] } }), same: true },
    {
      name: 'ready',
      gates: noConditionGates,
      a: endpoint,
      b: withFields({ conditions: { ready: false, serving: true, terminating: false } }),
      same: false,
    },
    {
      name: 'ready unknown',
      gates: noConditionGates,
      a: withFields({ conditions: {} }),
      b: withFields({ conditions: { ready: false } }),
      same: false,
    },
    {
      name: 'no conditions',
      gates: allGates,
      a: withFields({ conditions: null }),
      b: withFields({ conditions: { ready: null } }),
      same: true,
    },
    { name: 'serving', gates: allGates, a: conditions(true, false), b: conditions(false, false), same: false },
    { name: 'serving', gates: knownConditionGates, a: conditions(true, false), b: conditions(false, false), same: false },
    { name: 'serving', gates: noConditionGates, a: conditions(true, false), b: conditions(false, false), same: true },
    { name: 'terminating', gates: allGates, a: conditions(true, false), b: conditions(true, true), same: false },
    { name: 'terminating', gates: knownConditionGates, a: conditions(true, false), b: conditions(true, true), same: false },
    { name: 'terminating', gates: noConditionGates, a: conditions(true, false), b: conditions(true, true), same: true },
    { name: 'serving unknown', gates: allGates, a: conditions(true, false), b: conditions(undefined, false), same: false },
    { name: 'serving unknown', gates: knownConditionGates, a: conditions(true, false), b: conditions(null, false), same: true },
    { name: 'terminating unknown', gates: knownConditionGates, a: conditions(true, undefined), b: conditions(true, true), same: true },
    { name: 'terminating unknown', gates: allGates, a: conditions(true), b: conditions(true, false), same: false },
    { name: 'node', gates: allGates, a: endpoint, b: withFields({ nodeName: 'n2' }), same: false },
    { name: 'node', gates: { sliceNodeAndZoneCompared: false }, a: endpoint, b: withFields({ nodeName: 'n2' }), same: true },
    { name: 'no node', gates: allGates, a: withFields({ nodeName: null }), b: withFields({ nodeName: undefined }), same: true },
    { name: 'an empty node', gates: allGates, a: withFields({ nodeName: null }), b: withFields({ nodeName: '' }), same: false },
    { name: 'zone', gates: allGates, a: endpoint, b: withFields({ zone: 'z' }), same: false },
    { name: 'zone', gates: { sliceNodeAndZoneCompared: false }, a: endpoint, b: withFields({ zone: 'z' }), same: true },
    { name: 'no target', gates: allGates, a: endpoint, b: withFields({ targetRef: null }), same: false },
    {
      name: 'null and undefined targets',
      gates: allGates,
      a: withFields({ targetRef: null }),
      b: withFields({ targetRef: undefined }),
      same: true,
    },
  ])('returns $same for endpoints that differ in: $name, with the gates $gates', ({ gates, a, b, same }) => {
    const profile = profileWith(gates);
    expect(areEqualBeyondKey(a, b, profile)).toBe(same);
    expect(areEqualBeyondKey(b, a, profile)).toBe(same);
  });

  it.each(['kind', 'namespace', 'name', 'uid', 'apiVersion', 'fieldPath', 'resourceVersion'])('compares %s of the target', (field) => {
    const profile = profileWith({ targetResourceVersionNotCompared: false });
    const other = withFields({ targetRef: { ...target, [field]: 'other' } });
    expect(areEqualBeyondKey(endpoint, other, profile)).toBe(false);
    expect(areEqualBeyondKey(withFields({ targetRef: {} }), withFields({ targetRef: { [field]: '' } }), profile)).toBe(true);
    expect(areEqualBeyondKey(endpoint, other, profileWith())).toBe(field === 'resourceVersion');
  });
});
