import type { EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, it } from 'vitest';
import type { SliceOutcome, SliceWrite } from './case.ts';
import { verdictOf } from './compare.ts';

const endpoint = (ip: string, zone?: string) => ({
  addresses: [ip],
  conditions: { ready: true },
  ...(zone && { hints: { forZones: [{ name: zone }] } }),
});

const slice = (name: string, endpoints: EndpointSliceInput['endpoints'], labels: Record<string, string> = {}): EndpointSliceInput => ({
  metadata: { name, namespace: 'shop', labels },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  endpoints,
});

/** The outcome of a sync that updates the named slices; `slices` is the final state. */
const outcome = (
  slices: readonly EndpointSliceInput[],
  updated: readonly string[],
  overrides: Partial<SliceOutcome> = {},
): SliceOutcome => ({
  writes: slices.flatMap((object): SliceWrite[] => (updated.includes(object.metadata?.name ?? '') ? [{ verb: 'update', object }] : [])),
  events: [],
  slices,
  ...overrides,
});

const [sliceA, sliceB] = [slice('a', [endpoint('10.0.0.1')]), slice('b', [endpoint('10.0.0.2'), endpoint('10.0.0.3')])];
/** The controller's outcome. The tests compare it with `ours`, the outcome of this project. */
const theirs = outcome([sliceA, sliceB], ['b']);
const reordered = slice('b', [endpoint('10.0.0.3'), endpoint('10.0.0.2')]);

describe('verdictOf', () => {
  it.each([
    ['only the order of endpoints differs', outcome([sliceA, reordered], ['b'])],
    [
      'the endpoints of a group are in other slices of the group',
      outcome([slice('a', [endpoint('10.0.0.2')]), slice('b', [endpoint('10.0.0.3'), endpoint('10.0.0.1')])], ['b']),
    ],
  ])("returns 'same' if %s", (_, ours) => {
    expect(verdictOf(ours, theirs)).toBe('same');
  });

  it.each([
    ['an endpoint is missing', outcome([sliceA, slice('b', [endpoint('10.0.0.2')])], ['b'])],
    ['an endpoint is duplicated', outcome([slice('a', [endpoint('10.0.0.3')]), sliceB], ['b'])],
    ['an endpoint has a hint', outcome([sliceA, slice('b', [endpoint('10.0.0.2', 'zone-1'), endpoint('10.0.0.3')])], ['b'])],
    ['a different slice is written', outcome([sliceA, sliceB], ['a'])],
    ['an additional slice is written', outcome([sliceA, sliceB], ['a', 'b'])],
    ['a label differs', outcome([sliceA, slice('b', sliceB.endpoints, { app: 'web' })], ['b'])],
    ['an event is missing', outcome([sliceA, sliceB], ['b'], { events: [{ type: 'Warning', reason: 'Other', message: 'x' }] })],
    ['the sync must be retried', outcome([sliceA, sliceB], ['b'], { error: 'retry' })],
    ['nothing is written, and the result differs', outcome([sliceA, slice('b', [endpoint('10.0.0.2')])], [])],
  ])("returns 'mismatch' if %s", (_, ours) => {
    expect(verdictOf(ours, { ...theirs, others: [theirs, theirs] })).toBe('mismatch');
  });

  it("returns 'varied' if the controller gave the same answer in another run", () => {
    expect(verdictOf(outcome([sliceA, sliceB], ['a']), { ...theirs, others: [outcome([sliceA, sliceB], ['a'])] })).toBe('varied');
  });

  it("returns 'fewer' if fewer writes than the controller ever needs have the same result", () => {
    expect(verdictOf(outcome([sliceA, sliceB], []), { ...theirs, others: [outcome([sliceA, sliceB], ['a', 'b'])] })).toBe('fewer');
  });

  it.each([
    ['fewer', { uid: 'u1', resourceVersion: '1' }],
    ['mismatch', { uid: 'u2', resourceVersion: '2' }],
  ])("returns '%s' if a kept slice has the target %o of a pod that slices written again have with resourceVersion 2", (verdict, target) => {
    const withTarget = (targetRef: object) => slice('b', [{ ...endpoint('10.0.0.2'), targetRef }]);
    const rewritten = outcome([sliceA, withTarget({ uid: 'u1', resourceVersion: '2' })], ['a', 'b']);
    expect(verdictOf(outcome([sliceA, withTarget(target)], ['a']), rewritten)).toBe(verdict);
  });

  describe("when the controller's answers vary", () => {
    const sliceWithHints = (zones: readonly (string | undefined)[]) =>
      slice(
        'b',
        zones.map((zone, i) => endpoint(`10.0.0.${i}`, zone)),
      );
    const varyingOutcome = {
      ...outcome([sliceWithHints(['x', undefined, undefined])], ['b']),
      others: [outcome([sliceWithHints([undefined, 'x', undefined])], ['b'])],
    };

    it("returns 'placed' if each zone has as many hints, on any endpoints", () => {
      expect(verdictOf(outcome([sliceWithHints([undefined, undefined, 'x'])], ['b']), varyingOutcome)).toBe('placed');
    });

    it.each([
      ['a hint names a different zone', outcome([sliceWithHints([undefined, undefined, 'y'])], ['b'])],
      ['there is one hint more', outcome([sliceWithHints(['x', 'x', undefined])], ['b'])],
      [
        'an endpoint is not in any of the controller’s answers',
        outcome([slice('b', [endpoint('10.0.0.0'), endpoint('10.0.0.1'), endpoint('10.9.9.9', 'x')])], ['b']),
      ],
      ['more is written', outcome([sliceWithHints([undefined, undefined, 'x']), sliceA], ['a', 'b'])],
    ])("returns 'mismatch' if %s", (_, ours) => {
      expect(verdictOf(ours, varyingOutcome)).toBe('mismatch');
    });
  });

  it("returns 'broken' if the controller creates a slice with an explicit name", () => {
    expect(verdictOf(theirs, { ...theirs, writes: [{ verb: 'create', object: sliceA }] })).toBe('broken');
  });
});
