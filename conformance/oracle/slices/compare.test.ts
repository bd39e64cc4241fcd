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
const outcome = (slices: readonly EndpointSliceInput[], updated: readonly string[], more: Partial<SliceOutcome> = {}): SliceOutcome => ({
  writes: slices.flatMap((object): SliceWrite[] => (updated.includes(object.metadata?.name ?? '') ? [{ verb: 'update', object }] : [])),
  events: [],
  slices,
  ...more,
});

const [one, two] = [slice('a', [endpoint('10.0.0.1')]), slice('b', [endpoint('10.0.0.2'), endpoint('10.0.0.3')])];
const theirs = outcome([one, two], ['b']);
const reordered = slice('b', [endpoint('10.0.0.3'), endpoint('10.0.0.2')]);

describe('verdictOf', () => {
  it.each([
    ['only the order of endpoints differs', outcome([one, reordered], ['b'])],
    [
      'the endpoints of a group are in other slices of the group',
      outcome([slice('a', [endpoint('10.0.0.2')]), slice('b', [endpoint('10.0.0.3'), endpoint('10.0.0.1')])], ['b']),
    ],
  ])("returns 'same' if %s", (_, ours) => {
    expect(verdictOf(ours, theirs)).toBe('same');
  });

  it.each([
    ['an endpoint is missing', outcome([one, slice('b', [endpoint('10.0.0.2')])], ['b'])],
    ['an endpoint is duplicated', outcome([slice('a', [endpoint('10.0.0.3')]), two], ['b'])],
    ['an endpoint has a hint', outcome([one, slice('b', [endpoint('10.0.0.2', 'zone-1'), endpoint('10.0.0.3')])], ['b'])],
    ['another slice is written', outcome([one, two], ['a'])],
    ['an additional slice is written', outcome([one, two], ['a', 'b'])],
    ['a label differs', outcome([one, slice('b', two.endpoints, { app: 'web' })], ['b'])],
    ['an event is missing', outcome([one, two], ['b'], { events: [{ type: 'Warning', reason: 'Other', message: 'x' }] })],
    ['the sync must be retried', outcome([one, two], ['b'], { error: 'retry' })],
    ['nothing is written, and the result differs', outcome([one, slice('b', [endpoint('10.0.0.2')])], [])],
  ])("returns 'mismatch' if %s", (_, ours) => {
    expect(verdictOf(ours, { ...theirs, others: [theirs, theirs] })).toBe('mismatch');
  });

  it("returns 'varied' if the controller gave the same answer in another run", () => {
    expect(verdictOf(outcome([one, two], ['a']), { ...theirs, others: [outcome([one, two], ['a'])] })).toBe('varied');
  });

  it("returns 'fewer' if fewer writes than the controller ever needs have the same result", () => {
    expect(verdictOf(outcome([one, two], []), { ...theirs, others: [outcome([one, two], ['a', 'b'])] })).toBe('fewer');
  });

  describe("when the controller's answers vary", () => {
    const hinted = (zones: readonly (string | undefined)[]) =>
      slice(
        'b',
        zones.map((zone, i) => endpoint(`10.0.0.${i}`, zone)),
      );
    const varying = {
      ...outcome([hinted(['x', undefined, undefined])], ['b']),
      others: [outcome([hinted([undefined, 'x', undefined])], ['b'])],
    };

    it("returns 'placed' if each zone has as many hints, on any endpoints", () => {
      expect(verdictOf(outcome([hinted([undefined, undefined, 'x'])], ['b']), varying)).toBe('placed');
    });

    it.each([
      ['another zone is hinted at', outcome([hinted([undefined, undefined, 'y'])], ['b'])],
      ['there is one hint more', outcome([hinted(['x', 'x', undefined])], ['b'])],
      [
        'an endpoint is not in any of the controller’s answers',
        outcome([slice('b', [endpoint('10.0.0.0'), endpoint('10.0.0.1'), endpoint('10.9.9.9', 'x')])], ['b']),
      ],
      ['more is written', outcome([hinted([undefined, undefined, 'x']), one], ['a', 'b'])],
    ])("returns 'mismatch' if %s", (_, ours) => {
      expect(verdictOf(ours, varying)).toBe('mismatch');
    });
  });

  it("returns 'broken' if the controller creates a slice with an explicit name", () => {
    expect(verdictOf(theirs, { ...theirs, writes: [{ verb: 'create', object: one }] })).toBe('broken');
  });
});
