import { describe, expect, it } from 'vitest';
import { readSlice } from '../../../src/spec/slices/reading.ts';
import type { EndpointInput, EndpointSliceInput } from '../../../src/types/index.ts';
import { makeService, profileWith } from '../objects.ts';
import { httpPort, makeEndpoint, makeSlice, owner, ownLabels } from './objects.ts';

const hint = (zone: string) => ({ hints: { forZones: [{ name: zone }] } });
const read = (slice: EndpointSliceInput) => readSlice(slice, makeService({}, { labels: { a: '1' } }), profileWith());

describe('readSlice', () => {
  it.each<[string, EndpointSliceInput, object]>([
    ['the labels of the Service', makeSlice('s', [], { metadata: { labels: { ...ownLabels, a: '1' } } }), { labelsCorrect: true }],
    ['other labels', makeSlice('s', []), { labelsCorrect: false }],
    ['the Service as owner', makeSlice('s', []), { owned: true }],
    ['another owner', makeSlice('s', [], { metadata: { ownerReferences: [{ ...owner, uid: 'x' }] } }), { owned: false }],
    ['no endpoints', makeSlice('s', null), { readyCount: 0, hasHints: false, hintsByZone: new Map() }],
  ])('reads a slice with %s', (_, slice, expected) => {
    expect(read(slice)).toMatchObject(expected);
  });

  it('computes a portsKey that does not depend on the order of the ports', () => {
    const other = { ...httpPort, name: 'x' };
    const [one, two] = [
      [httpPort, other],
      [other, httpPort],
    ].map((ports) => read(makeSlice('s', [], { ports })).portsKey);
    expect(one).toBe(two);
    expect(one).not.toBe(read(makeSlice('s', [])).portsKey);
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
    expect(read(makeSlice('s', endpoints))).toMatchObject(expected);
  });
});
