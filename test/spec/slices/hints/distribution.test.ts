import { describe, expect, it } from 'vitest';
import { addTrafficDistributionHints, type SliceSet } from '../../../../src/spec/slices/hints/slice-set.ts';
import type { Endpoint, EndpointInput, EndpointSlice } from '../../../../src/types/index.ts';
import { freezeDeeply } from '../../../property/check.ts';
import { makeService, profileWith } from '../../objects.ts';
import { createReader, makeEndpoint, makeSlice } from '../objects.ts';

const endpointInZone = (fields: Partial<Endpoint> = {}) => makeEndpoint('a', '10.0.0.1', { zone: 'z', ...fields });
const { nodeName: _, ...endpointWithoutNode } = endpointInZone();
const notReady = { conditions: { ready: false } };
const zone = { forZones: [{ name: 'z' }] };
const zoneAndNode = { ...zone, forNodes: [{ name: 'n1' }] };

describe('addTrafficDistributionHints: hints', () => {
  it.each<{ name: string; mode: 'SameZone' | 'SameNode'; endpoint: Endpoint; validated?: boolean; expected: object | undefined }>([
    { name: 'a zone', mode: 'SameZone', endpoint: endpointInZone(), expected: zone },
    { name: 'a zone and a node', mode: 'SameNode', endpoint: endpointInZone(), expected: zoneAndNode },
    { name: 'no zone', mode: 'SameZone', endpoint: makeEndpoint(), expected: undefined },
    {
      name: 'no zone, if the release does not validate',
      mode: 'SameZone',
      endpoint: makeEndpoint(),
      validated: false,
      expected: { forZones: [{ name: '' }] },
    },
    { name: 'no zone, with a hint', mode: 'SameZone', endpoint: makeEndpoint('a', '10.0.0.1', { hints: zone }), expected: undefined },
    { name: 'a node without a zone', mode: 'SameNode', endpoint: makeEndpoint(), expected: { forNodes: [{ name: 'n1' }] } },
    { name: 'no node', mode: 'SameNode', endpoint: endpointWithoutNode, expected: zone },
    { name: 'an empty zone', mode: 'SameZone', endpoint: endpointInZone({ zone: '' }), expected: { forZones: [{ name: '' }] } },
    { name: 'a different hint', mode: 'SameZone', endpoint: endpointInZone({ hints: zoneAndNode }), expected: zone },
    { name: 'condition ready false', mode: 'SameNode', endpoint: endpointInZone(notReady), expected: undefined },
    { name: 'condition ready false and a hint', mode: 'SameNode', endpoint: endpointInZone({ ...notReady, hints: zone }), expected: zone },
  ])('an endpoint with $name gets the hints $expected in mode $mode', ({ mode, endpoint, validated = true, expected }) => {
    const copySlices = () => [structuredClone(makeSlice('s', [endpoint])) as EndpointSlice];
    const set: SliceSet = { create: copySlices(), update: copySlices(), unchanged: [], read: createReader(makeService(), profileWith()) };
    addTrafficDistributionHints(set, mode, profileWith({ trafficDistributionValidated: validated }));
    for (const slice of [...set.create, ...set.update]) {
      expect(slice.endpoints[0]?.hints).toEqual(expected);
      expect('hints' in (slice.endpoints[0] ?? {})).toBe(expected !== undefined);
    }
  });
});

describe('addTrafficDistributionHints: unchanged slices to update', () => {
  it.each<{ name: string; mode?: 'SameZone' | 'SameNode'; endpoints: EndpointInput[] | null; isUpdated: boolean }>([
    { name: 'with equal hints', endpoints: [endpointInZone({ hints: zone })], isUpdated: false },
    { name: 'with no endpoints', endpoints: null, isUpdated: false },
    { name: 'without hints', endpoints: [endpointInZone({ hints: zone }), endpointInZone()], isUpdated: true },
    { name: 'without hints, not ready', endpoints: [endpointInZone(notReady)], isUpdated: false },
    { name: 'with null hints', endpoints: [{ ...endpointInZone(), hints: null }], isUpdated: true },
    { name: 'with empty hints', endpoints: [{ ...endpointInZone(), hints: {} }], isUpdated: true },
    { name: 'with empty hints, none desired', endpoints: [{ ...makeEndpoint(), hints: { forZones: [] } }], isUpdated: false },
    { name: 'with a hint for another zone', endpoints: [endpointInZone({ hints: { forZones: [{ name: 'y' }] } })], isUpdated: true },
    { name: 'with a hint for a nameless zone', endpoints: [{ ...endpointInZone(), hints: { forZones: [{}] } }], isUpdated: true },
    {
      name: 'with hints for two zones',
      endpoints: [endpointInZone({ hints: { forZones: [{ name: 'z' }, { name: 'y' }] } })],
      isUpdated: true,
    },
    { name: 'with an unexpected hint for a node', endpoints: [endpointInZone({ hints: zoneAndNode })], isUpdated: true },
    { name: 'without the hint for its node', mode: 'SameNode', endpoints: [endpointInZone({ hints: zone })], isUpdated: true },
    { name: 'with the hint for its node', mode: 'SameNode', endpoints: [endpointInZone({ hints: zoneAndNode })], isUpdated: false },
  ])('a slice $name is updated, or not: $isUpdated', ({ mode = 'SameZone', endpoints, isUpdated }) => {
    const set: SliceSet = {
      create: [],
      update: [],
      unchanged: [freezeDeeply(makeSlice('s', endpoints))],
      read: createReader(makeService(), profileWith()),
    };
    addTrafficDistributionHints(set, mode, profileWith());
    expect([set.update.length, set.unchanged.length]).toEqual(isUpdated ? [1, 0] : [0, 1]);
  });
});
