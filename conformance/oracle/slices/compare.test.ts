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

describe('a sync of ours beside one of the controller', () => {
  it.each([
    ['the same but for the order of endpoints', outcome([one, turned], ['b'])],
    [
      'the endpoints of a group in the other slices',
      outcome([slice('a', [endpoint('10.0.0.2')]), slice('b', [endpoint('10.0.0.3'), endpoint('10.0.0.1')])], ['b']),
    ],
  ])('is the same: %s', (_, ours) => {
    expect(judge(ours, theirs)).toBe('same');
  });

  it.each([
    ['an endpoint is lost', outcome([one, slice('b', [endpoint('10.0.0.2')])], ['b'])],
    ['an endpoint is there twice', outcome([slice('a', [endpoint('10.0.0.3')]), two], ['b'])],
    ['an endpoint has a hint', outcome([one, slice('b', [endpoint('10.0.0.2', 'zone-1'), endpoint('10.0.0.3')])], ['b'])],
    ['another slice is written', outcome([one, two], ['a'])],
    ['one slice more is written', outcome([one, two], ['a', 'b'])],
    ['a label differs', outcome([one, slice('b', two.endpoints, { app: 'web' })], ['b'])],
    ['an event is missing', outcome([one, two], ['b'], { events: [{ type: 'Warning', reason: 'Told', message: 'so' }] })],
    ['it is to be repeated', outcome([one, two], ['b'], { error: 'retry' })],
    ['nothing is written, and something else stands', outcome([one, slice('b', [endpoint('10.0.0.2')])], [])],
  ])('is a mismatch: %s', (_, ours) => {
    expect(judge(ours, { ...theirs, others: [theirs, theirs] })).toBe('mismatch');
  });

  it('is varied where the controller did the same another time', () => {
    expect(judge(outcome([one, two], ['a']), { ...theirs, others: [outcome([one, two], ['a'])] })).toBe('varied');
  });

  it('is fewer where the same stands after fewer writes than the controller ever needs', () => {
    expect(judge(outcome([one, two], []), { ...theirs, others: [outcome([one, two], ['a', 'b'])] })).toBe('fewer');
  });

  describe('where the controller does now this, now that', () => {
    const hinted = (zones: readonly (string | undefined)[]) =>
      slice(
        'b',
        zones.map((zone, i) => endpoint(`10.0.0.${i}`, zone)),
      );
    const varying = {
      ...outcome([hinted(['x', undefined, undefined])], ['b']),
      others: [outcome([hinted([undefined, 'x', undefined])], ['b'])],
    };

    it('is placed with as many hints for each zone, whichever endpoints have them', () => {
      expect(judge(outcome([hinted([undefined, undefined, 'x'])], ['b']), varying)).toBe('placed');
    });

    it.each([
      ['another zone is hinted at', outcome([hinted([undefined, undefined, 'y'])], ['b'])],
      ['there is one hint more', outcome([hinted(['x', 'x', undefined])], ['b'])],
      [
        'an endpoint is none of the controller’s',
        outcome([slice('b', [endpoint('10.0.0.0'), endpoint('10.0.0.1'), endpoint('10.9.9.9', 'x')])], ['b']),
      ],
      ['more is written', outcome([hinted([undefined, undefined, 'x']), one], ['a', 'b'])],
    ])('is a mismatch: %s', (_, ours) => {
      expect(judge(ours, varying)).toBe('mismatch');
    });
  });

  it('is left out where the controller creates a slice under a name that it gives itself', () => {
    expect(judge(theirs, { ...theirs, writes: [{ verb: 'create', object: one }] })).toBe('broken');
  });
});
