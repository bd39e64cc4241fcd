import { describe, expect, it } from 'vitest';
import { addTrafficDistributionHints, type SliceSet } from '../../../../src/spec/slices/hints/slice-set.ts';
import type { Endpoint, EndpointInput, EndpointSlice } from '../../../../src/types/index.ts';
import { freezeDeeply } from '../../../property/check.ts';
import { makeService, profileWith } from '../../objects.ts';
import { makeEndpoint, makeSlice, readerOf } from '../objects.ts';

const zoned = (fields: Partial<Endpoint> = {}) => makeEndpoint('a', '10.0.0.1', { zone: 'z', ...fields });
const { nodeName: _, ...nodeless } = zoned();
const off = { conditions: { ready: false } };
const zone = { forZones: [{ name: 'z' }] };
const both = { ...zone, forNodes: [{ name: 'n1' }] };

describe('addTrafficDistributionHints: hints', () => {
  it.each<{ name: string; mode: 'SameZone' | 'SameNode'; endpoint: Endpoint; validated?: boolean; expected: object | undefined }>([
    { name: 'a zone', mode: 'SameZone', endpoint: zoned(), expected: zone },
    { name: 'a zone and a node', mode: 'SameNode', endpoint: zoned(), expected: both },
    { name: 'no zone', mode: 'SameZone', endpoint: makeEndpoint(), expected: undefined },
    { name: 'no zone', mode: 'SameZone', endpoint: makeEndpoint(), validated: false, expected: { forZones: [{ name: '' }] } },
    { name: 'no zone, with a hint', mode: 'SameZone', endpoint: makeEndpoint('a', '10.0.0.1', { hints: zone }), expected: undefined },
    { name: 'a node without a zone', mode: 'SameNode', endpoint: makeEndpoint(), expected: { forNodes: [{ name: 'n1' }] } },
    { name: 'no node', mode: 'SameNode', endpoint: nodeless, expected: zone },
    { name: 'an empty zone', mode: 'SameZone', endpoint: zoned({ zone: '' }), expected: { forZones: [{ name: '' }] } },
    { name: 'another hint', mode: 'SameZone', endpoint: zoned({ hints: both }), expected: zone },
    { name: 'not ready', mode: 'SameNode', endpoint: zoned(off), expected: undefined },
    { name: 'not ready, with a hint', mode: 'SameNode', endpoint: zoned({ ...off, hints: zone }), expected: zone },
  ])('$name, $mode (validated: $validated): $expected', ({ mode, endpoint, validated = true, expected }) => {
    const writable = () => [structuredClone(makeSlice('s', [endpoint])) as EndpointSlice];
    const set: SliceSet = { create: writable(), update: writable(), unchanged: [], read: readerOf(makeService(), profileWith()) };
    addTrafficDistributionHints(set, mode, profileWith({ trafficDistributionValidated: validated }));
    for (const slice of [...set.create, ...set.update]) {
      expect(slice.endpoints[0]?.hints).toEqual(expected);
      expect('hints' in (slice.endpoints[0] ?? {})).toBe(expected !== undefined);
    }
  });
});

describe('addTrafficDistributionHints: unchanged slices to update', () => {
  it.each<{ name: string; mode?: 'SameZone' | 'SameNode'; endpoints: EndpointInput[] | null; drawn: boolean }>([
    { name: 'equal hints', endpoints: [zoned({ hints: zone })], drawn: false },
    { name: 'no endpoints', endpoints: null, drawn: false },
    { name: 'without hints', endpoints: [zoned({ hints: zone }), zoned()], drawn: true },
    { name: 'without hints, not ready', endpoints: [zoned(off)], drawn: false },
    { name: 'with null', endpoints: [{ ...zoned(), hints: null }], drawn: true },
    { name: 'with empty hints', endpoints: [{ ...zoned(), hints: {} }], drawn: true },
    { name: 'with empty hints, none desired', endpoints: [{ ...makeEndpoint(), hints: { forZones: [] } }], drawn: false },
    { name: 'with another zone', endpoints: [zoned({ hints: { forZones: [{ name: 'y' }] } })], drawn: true },
    { name: 'with a nameless zone', endpoints: [{ ...zoned(), hints: { forZones: [{}] } }], drawn: true },
    { name: 'with two zones', endpoints: [zoned({ hints: { forZones: [{ name: 'z' }, { name: 'y' }] } })], drawn: true },
    { name: 'with an unexpected node', endpoints: [zoned({ hints: both })], drawn: true },
    { name: 'with a missing node', mode: 'SameNode', endpoints: [zoned({ hints: zone })], drawn: true },
    { name: 'with the expected node', mode: 'SameNode', endpoints: [zoned({ hints: both })], drawn: false },
  ])('$name: $drawn', ({ mode = 'SameZone', endpoints, drawn }) => {
    const set: SliceSet = {
      create: [],
      update: [],
      unchanged: [freezeDeeply(makeSlice('s', endpoints))],
      read: readerOf(makeService(), profileWith()),
    };
    addTrafficDistributionHints(set, mode, profileWith());
    expect([set.update.length, set.unchanged.length]).toEqual(drawn ? [1, 0] : [0, 1]);
  });
});
