import { describe, expect, it } from 'vitest';
import { parseSlice } from '../../../src/spec/slices/reading.ts';
import type { EndpointInput, EndpointSliceInput } from '../../../src/types/index.ts';
import { makeService, profileWith } from '../objects.ts';
import { httpPort, makeEndpoint, makeSlice, owner, ownLabels } from './objects.ts';

const hint = (zone: string) => ({ hints: { forZones: [{ name: zone }] } });
const parse = (slice: EndpointSliceInput) => parseSlice(slice, makeService({}, { labels: { a: '1' } }), profileWith());

describe('parseSlice', () => {
  it.each<[string, EndpointSliceInput, object]>([
    ['the labels of the Service', makeSlice('s', [], { metadata: { labels: { ...ownLabels, a: '1' } } }), { hasCorrectLabels: true }],
    ['different labels', makeSlice('s', []), { hasCorrectLabels: false }],
    ['the Service as owner', makeSlice('s', []), { isOwned: true }],
    ['a different owner', makeSlice('s', [], { metadata: { ownerReferences: [{ ...owner, uid: 'x' }] } }), { isOwned: false }],
    ['no endpoints', makeSlice('s', null), { readyCount: 0, hasHints: false, hintsByZone: new Map() }],
  ])('reads a slice with %s', (_, slice, expected) => {
    expect(parse(slice)).toMatchObject(expected);
  });

  it('computes a portsKey that does not depend on the order of the ports', () => {
    const secondPort = { ...httpPort, name: 'x' };
    const [one, two] = [
      [httpPort, secondPort],
      [secondPort, httpPort],
    ].map((ports) => parse(makeSlice('s', [], { ports })).portsKey);
    expect(one).toBe(two);
    expect(one).not.toBe(parse(makeSlice('s', [])).portsKey);
  });

  it.each<[string, EndpointInput[], object]>([
    [
      'hints of ready endpoints',
      [makeEndpoint('a', '', hint('x')), makeEndpoint('b', '', hint('x'))],
      { readyCount: 2, hintsByZone: new Map([['x', 2]]) },
    ],
    [
      'an endpoint without hints',
      [makeEndpoint('a', '', hint('x')), makeEndpoint('b')],
      { readyCount: 2, hasHints: true, hintsByZone: undefined },
    ],
    [
      'an endpoint that is not ready',
      [{ ...makeEndpoint('a'), conditions: { ready: false } }],
      { readyCount: 0, hasHints: false, hintsByZone: new Map() },
    ],
    ['empty hints', [{ ...makeEndpoint('a'), hints: {} }], { hasHints: true, hintsByZone: undefined }],
    ['a nameless zone', [{ ...makeEndpoint('a'), hints: { forZones: [{}] } }], { hintsByZone: new Map([['', 1]]) }],
  ])('reads endpoints with %s', (_, endpoints, expected) => {
    expect(parse(makeSlice('s', endpoints))).toMatchObject(expected);
  });
});
