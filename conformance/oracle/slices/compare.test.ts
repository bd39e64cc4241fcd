import type { EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, it } from 'vitest';
import type { SliceOutcome, SliceWrite } from './case.ts';
import { judge } from './compare.ts';

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

/** The outcome of updates of the slices that are named, upon which all of these stand. */
const outcome = (slices: readonly EndpointSliceInput[], updated: readonly string[], more: Partial<SliceOutcome> = {}): SliceOutcome => ({
  writes: slices.flatMap((object): SliceWrite[] => (updated.includes(object.metadata?.name ?? '') ? [{ verb: 'update', object }] : [])),
  events: [],
  slices,
  ...more,
});

const [one, two] = [slice('a', [endpoint('10.0.0.1')]), slice('b', [endpoint('10.0.0.2'), endpoint('10.0.0.3')])];
const theirs = outcome([one, two], ['b']);
const turned = slice('b', [endpoint('10.0.0.3'), endpoint('10.0.0.2')]);

describe("the comparison of a sync with the controller's", () => {
  it.each([
    ['the same except for the order of endpoints', outcome([one, turned], ['b'])],
    [
      'the endpoints of a group in the other slices',
      outcome([slice('a', [endpoint('10.0.0.2')]), slice('b', [endpoint('10.0.0.3'), endpoint('10.0.0.1')])], ['b']),
    ],
  ])('is the same: %s', (_, ours) => {
    expect(judge(ours, theirs)).toBe('same');
  });

  it.each([
    ['an endpoint is missing', outcome([one, slice('b', [endpoint('10.0.0.2')])], ['b'])],
    ['an endpoint is duplicated', outcome([slice('a', [endpoint('10.0.0.3')]), two], ['b'])],
    ['an endpoint has a hint', outcome([one, slice('b', [endpoint('10.0.0.2', 'zone-1'), endpoint('10.0.0.3')])], ['b'])],
    ['another slice is written', outcome([one, two], ['a'])],
    ['an additional slice is written', outcome([one, two], ['a', 'b'])],
    ['a label differs', outcome([one, slice('b', two.endpoints, { app: 'web' })], ['b'])],
    ['an event is missing', outcome([one, two], ['b'], { events: [{ type: 'Warning', reason: 'Told', message: 'so' }] })],
    ['the sync must be retried', outcome([one, two], ['b'], { error: 'retry' })],
    ['nothing is written, and the result differs', outcome([one, slice('b', [endpoint('10.0.0.2')])], [])],
  ])('is a mismatch: %s', (_, ours) => {
    expect(judge(ours, { ...theirs, others: [theirs, theirs] })).toBe('mismatch');
  });

  it("is 'varied' if the controller gave the same answer in another run", () => {
    expect(judge(outcome([one, two], ['a']), { ...theirs, others: [outcome([one, two], ['a'])] })).toBe('varied');
  });

  it("is 'fewer' if fewer writes than the controller ever needs have the same result", () => {
    expect(judge(outcome([one, two], []), { ...theirs, others: [outcome([one, two], ['a', 'b'])] })).toBe('fewer');
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

    it("is 'placed' if each zone has as many hints, on any endpoints", () => {
      expect(judge(outcome([hinted([undefined, undefined, 'x'])], ['b']), varying)).toBe('placed');
    });

    it.each([
      ['another zone is hinted at', outcome([hinted([undefined, undefined, 'y'])], ['b'])],
      ['there is one hint more', outcome([hinted(['x', 'x', undefined])], ['b'])],
      [
        'an endpoint is not in any of the controller’s answers',
        outcome([slice('b', [endpoint('10.0.0.0'), endpoint('10.0.0.1'), endpoint('10.9.9.9', 'x')])], ['b']),
      ],
      ['more is written', outcome([hinted([undefined, undefined, 'x']), one], ['a', 'b'])],
    ])('is a mismatch: %s', (_, ours) => {
      expect(judge(ours, varying)).toBe('mismatch');
    });
  });

  it("is 'broken' if the controller creates a slice with an explicit name", () => {
    expect(judge(theirs, { ...theirs, writes: [{ verb: 'create', object: one }] })).toBe('broken');
  });
});
