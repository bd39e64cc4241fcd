import { describe, expect, it } from 'vitest';
import { endpointKey, equalBeyondKey, haveSameKey, sortedAddresses } from '../../../src/spec/slices/endpoint.ts';
import type { EndpointInput } from '../../../src/types/index.ts';
import { profileWith } from '../objects.ts';
import { makeEndpoint } from './objects.ts';

const endpoint: EndpointInput = makeEndpoint();
const having = (fields: EndpointInput): EndpointInput => ({ ...endpoint, ...fields });
const target = { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-a' };

describe('the key of an endpoint', () => {
  it.each<{ name: string; other: EndpointInput; same: boolean; keyedByTarget?: boolean }>([
    { name: 'itself', other: having({}), same: true },
    { name: 'other conditions', other: having({ conditions: { ready: false } }), same: true },
    { name: 'another node and zone', other: having({ nodeName: 'n9', zone: 'z' }), same: true },
    { name: 'another UID of the target', other: having({ targetRef: { ...target, uid: 'x' } }), same: true },
    { name: 'another address', other: having({ addresses: ['10.0.0.2'] }), same: false },
    { name: 'one more address', other: having({ addresses: ['10.0.0.1', '10.0.0.2'] }), same: false },
    { name: 'no addresses', other: having({ addresses: null }), same: false },
    { name: 'a host name', other: having({ hostname: 'h' }), same: false },
    { name: 'an empty host name', other: having({ hostname: '' }), same: true },
    { name: 'another name of the target', other: having({ targetRef: { ...target, name: 'b' } }), same: false },
    { name: 'another name of the target', other: having({ targetRef: { ...target, name: 'b' } }), same: true, keyedByTarget: false },
    { name: 'another namespace of the target', other: having({ targetRef: { ...target, namespace: 'x' } }), same: false },
    { name: 'no target', other: having({ targetRef: null }), same: false },
    { name: 'no target', other: having({ targetRef: undefined }), same: true, keyedByTarget: false },
  ])('$name: the same is $same (keyed by target: $keyedByTarget)', ({ other, same, keyedByTarget = true }) => {
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

it('sortedAddresses copies the list only if it must be sorted', () => {
  const many = ['fd00::2', '10.0.0.9', '10.0.0.10'];
  expect(sortedAddresses({ addresses: many })).toEqual(['10.0.0.10', '10.0.0.9', 'fd00::2']);
  expect(many[0]).toBe('fd00::2');
  const one = ['a'];
  expect(sortedAddresses({ addresses: one })).toBe(one);
  expect(sortedAddresses({ addresses: null })).toEqual([]);
});

describe('equalBeyondKey', () => {
  const conditions = (serving?: boolean | null, terminating?: boolean | null): EndpointInput =>
    having({ conditions: { ready: true, serving, terminating } });
  const all = {};
  const none = { sliceConditionsCompared: false, sliceUnknownConditionsCompared: false };
  const known = { sliceConditionsCompared: true, sliceUnknownConditionsCompared: false };

  it.each([
    { name: 'the same', gates: all, a: endpoint, b: having({}), same: true },
    { name: 'hints', gates: all, a: endpoint, b: having({ hints: { forZones: [{ name: 'a' }] } }), same: true },
    {
      name: 'ready',
      gates: none,
      a: endpoint,
      b: having({ conditions: { ready: false, serving: true, terminating: false } }),
      same: false,
    },
    { name: 'ready unknown', gates: none, a: having({ conditions: {} }), b: having({ conditions: { ready: false } }), same: false },
    { name: 'no conditions', gates: all, a: having({ conditions: null }), b: having({ conditions: { ready: null } }), same: true },
    { name: 'serving', gates: all, a: conditions(true, false), b: conditions(false, false), same: false },
    { name: 'serving', gates: known, a: conditions(true, false), b: conditions(false, false), same: false },
    { name: 'serving', gates: none, a: conditions(true, false), b: conditions(false, false), same: true },
    { name: 'terminating', gates: all, a: conditions(true, false), b: conditions(true, true), same: false },
    { name: 'terminating', gates: known, a: conditions(true, false), b: conditions(true, true), same: false },
    { name: 'terminating', gates: none, a: conditions(true, false), b: conditions(true, true), same: true },
    { name: 'serving unknown', gates: all, a: conditions(true, false), b: conditions(undefined, false), same: false },
    { name: 'serving unknown', gates: known, a: conditions(true, false), b: conditions(null, false), same: true },
    { name: 'terminating unknown', gates: known, a: conditions(true, undefined), b: conditions(true, true), same: true },
    { name: 'terminating unknown', gates: all, a: conditions(true), b: conditions(true, false), same: false },
    { name: 'node', gates: all, a: endpoint, b: having({ nodeName: 'n2' }), same: false },
    { name: 'node', gates: { sliceNodeAndZoneCompared: false }, a: endpoint, b: having({ nodeName: 'n2' }), same: true },
    { name: 'no node', gates: all, a: having({ nodeName: null }), b: having({ nodeName: undefined }), same: true },
    { name: 'an empty node', gates: all, a: having({ nodeName: null }), b: having({ nodeName: '' }), same: false },
    { name: 'zone', gates: all, a: endpoint, b: having({ zone: 'z' }), same: false },
    { name: 'zone', gates: { sliceNodeAndZoneCompared: false }, a: endpoint, b: having({ zone: 'z' }), same: true },
    { name: 'no target', gates: all, a: endpoint, b: having({ targetRef: null }), same: false },
    { name: 'two without target', gates: all, a: having({ targetRef: null }), b: having({ targetRef: undefined }), same: true },
  ])('$name under $gates: $same', ({ gates, a, b, same }) => {
    const profile = profileWith(gates);
    expect(equalBeyondKey(a, b, profile)).toBe(same);
    expect(equalBeyondKey(b, a, profile)).toBe(same);
  });

  it.each(['kind', 'namespace', 'name', 'uid', 'apiVersion', 'fieldPath', 'resourceVersion'])('compares %s of the target', (field) => {
    const profile = profileWith({ targetResourceVersionNotCompared: false });
    const other = having({ targetRef: { ...target, [field]: 'other' } });
    expect(equalBeyondKey(endpoint, other, profile)).toBe(false);
    expect(equalBeyondKey(having({ targetRef: {} }), having({ targetRef: { [field]: '' } }), profile)).toBe(true);
    expect(equalBeyondKey(endpoint, other, profileWith())).toBe(field === 'resourceVersion');
  });
});
