import { describe, expect, it } from 'vitest';
import type { SliceSet } from '../../../../src/spec/slices/hints/slice-set.ts';
import { addTopologyHints, createHintsEvent, eventMessages } from '../../../../src/spec/slices/hints/topology.ts';
import type { Endpoint, EndpointSlice, EndpointSliceInput } from '../../../../src/types/index.ts';
import { freezeDeeply } from '../../../property/check.ts';
import { makeService, profileWith } from '../../objects.ts';
import { createReader, makeEndpoint, makeSlice } from '../objects.ts';

/** Parses endpoints from zones and hints: "a" has no hint, "a>b" a hint for b, "-a" is not ready, "" has no zone. */
const parseEndpoints = (text: string): Endpoint[] =>
  text.split(' ').map((word, i) => {
    const [, minus, zone = '', hint] = /^(-?)(\w*)(?:>(\w+))?$/.exec(word) ?? [];
    return makeEndpoint(`p${i}`, `10.0.0.${i}`, {
      conditions: { ready: minus === '' },
      ...(zone && { zone }),
      ...(hint && { hints: { forZones: [{ name: hint }] } }),
    });
  });
const summarize = ({ endpoints }: EndpointSliceInput) =>
  (endpoints ?? [])
    .map(
      ({ conditions, zone, hints }) =>
        `${conditions?.ready ? '' : '-'}${zone ?? ''}${hints ? `>${hints.forZones?.map(({ name }) => name)}` : ''}`,
    )
    .join(' ');
const makeWritableSlice = (text: string, i: number) => structuredClone(makeSlice(`w${i}`, parseEndpoints(text))) as EndpointSlice;

interface SliceTexts {
  readonly create?: readonly string[];
  readonly update?: readonly string[];
  readonly unchanged?: readonly string[];
}
function run({ create = [], update = [], unchanged = [] }: SliceTexts, shares: Readonly<Record<string, number>> | undefined) {
  const set: SliceSet = {
    create: create.map(makeWritableSlice),
    update: update.map(makeWritableSlice),
    unchanged: freezeDeeply(unchanged.map((text, i) => makeSlice(`u${i}`, parseEndpoints(text)))).slice(),
    read: createReader(makeService(), profileWith()),
  };
  const outcome = addTopologyHints(set, shares ? { shares: new Map(Object.entries(shares)) } : { code: 'NodesReadyInFewZones' });
  return {
    create: set.create.map(summarize),
    update: set.update.map(summarize),
    unchanged: set.unchanged.map(summarize),
    ...(outcome.zoneCounts ? { zoneCounts: Object.fromEntries(outcome.zoneCounts) } : { code: outcome.code, message: outcome.message }),
  };
}
const twoEqualShares = { a: 0.5, b: 0.5 };
const noSlices = { create: [], update: [], unchanged: [] };

describe('addTopologyHints', () => {
  it.each<{ name: string; slices: SliceTexts; expected: SliceTexts & { zoneCounts: Record<string, number> } }>([
    {
      name: 'for the zone of each endpoint',
      slices: { create: ['a b a b'] },
      expected: { create: ['a>a b>b a>a b>b'], zoneCounts: { a: 2, b: 2 } },
    },
    {
      name: 'to ready endpoints only',
      slices: { create: ['a -a b -b'] },
      expected: { create: ['a>a -a b>b -b'], zoneCounts: { a: 1, b: 1 } },
    },
    {
      name: 'for a different zone',
      slices: { create: ['a a a b'] },
      expected: { create: ['a>b a>a a>a b>b'], zoneCounts: { a: 2, b: 2 } },
    },
    {
      name: 'for a zone without endpoints',
      slices: { create: ['a a a a'] },
      expected: { create: ['a>b a>b a>a a>a'], zoneCounts: { a: 2, b: 2 } },
    },
    {
      name: 'without counting endpoints that are not ready',
      slices: { create: ['-a a a a b'] },
      expected: { create: ['-a a>b a>a a>a b>b'], zoneCounts: { a: 2, b: 2 } },
    },
    {
      name: 'across new and updated slices',
      slices: { create: ['a a'], update: ['a b'] },
      expected: { create: ['a>b a>a'], update: ['a>a b>b'], zoneCounts: { a: 2, b: 2 } },
    },
    { name: 'again in slices to write', slices: { update: ['a>b b>a'] }, expected: { update: ['a>a b>b'], zoneCounts: { a: 1, b: 1 } } },
    {
      name: 'without changing slices with correct hints',
      slices: { unchanged: ['a>a b>b', 'a>b -a a>a'] },
      expected: { unchanged: ['a>a b>b', 'a>b -a a>a'], zoneCounts: { a: 2, b: 2 } },
    },
    { name: 'if an endpoint has no hint', slices: { unchanged: ['a>a b'] }, expected: { update: ['a>a b>b'], zoneCounts: { a: 1, b: 1 } } },
    {
      name: 'if a hint names a zone without allocation',
      slices: { unchanged: ['a>c b>b'] },
      expected: { update: ['a>a b>b'], zoneCounts: { a: 1, b: 1 } },
    },
    {
      name: 'if a zone has too many endpoints',
      slices: { unchanged: ['a>a a>a', 'a>a b>b'] },
      expected: { update: ['a>b b>b'], unchanged: ['a>a a>a'], zoneCounts: { a: 2, b: 2 } },
    },
    {
      name: 'in addition to existing hints',
      slices: { create: ['a a'], unchanged: ['a>a b>b'] },
      expected: { create: ['a>b a>a'], unchanged: ['a>a b>b'], zoneCounts: { a: 2, b: 2 } },
    },
  ])('assigns hints $name', ({ slices, expected }) => {
    expect(run(slices, twoEqualShares)).toEqual({ ...noSlices, ...expected });
  });

  it('processes giving and receiving zones sorted by name', () => {
    expect(run({ create: ['c c c c c c'] }, { a: 1 / 3, b: 1 / 3, c: 1 / 3 })).toMatchObject({
      create: ['c>a c>a c>b c>b c>c c>c'],
      zoneCounts: { a: 2, b: 2, c: 2 },
    });
    expect(run({ create: ['b b b a a a'] }, { a: 1 / 3, b: 1 / 3, c: 1 / 3 })).toMatchObject({ create: ['b>c b>b b>b a>c a>a a>a'] });
  });

  it('hints an endpoint in a zone without allocation to its own zone', () => {
    expect(run({ create: ['a b c a b a'] }, twoEqualShares)).toMatchObject({
      create: ['a>a b>b c>c a>a b>b a>a'],
      zoneCounts: { a: 3, b: 2, c: 1 },
    });
  });
});

describe('addTopologyHints without a possible allocation', () => {
  it.each<{ name: string; slices: SliceTexts; shares: typeof twoEqualShares | undefined; expected: object }>([
    {
      name: 'without shares',
      slices: { create: ['a'], update: ['a>a'], unchanged: ['a', 'b>b'] },
      shares: undefined,
      expected: {
        create: ['a'],
        update: ['a', 'b'],
        unchanged: ['a'],
        code: 'InsufficientNodeInfo',
        message: eventMessages.InsufficientNodeInfo,
      },
    },
    {
      name: 'with too few endpoints',
      slices: { update: ['a>a -b'] },
      shares: twoEqualShares,
      expected: {
        update: ['a -b'],
        code: 'InsufficientNumberOfEndpoints',
        message: 'Insufficient number of endpoints (1 endpoints, 2 zones)',
      },
    },
    {
      name: 'with too much overload',
      slices: { unchanged: ['a>a b>b b>b'] },
      shares: twoEqualShares,
      expected: {
        update: ['a b b'],
        code: 'MinAllocationExceedsOverloadThreshold',
        message: `${eventMessages.MinAllocationExceedsOverloadThreshold} (3 endpoints, 2 zones)`,
      },
    },
    {
      name: 'with an endpoint without a zone; slices without hints are updated too',
      slices: { create: ['a >x'], unchanged: ['a b', 'a>a b>b'] },
      shares: twoEqualShares,
      expected: { create: ['a '], update: ['a b', 'a b'], code: 'EndpointWithoutZone', message: eventMessages.EndpointWithoutZone },
    },
  ])('removes hints $name', ({ slices, shares, expected }) => {
    expect(run(slices, shares)).toEqual({ ...noSlices, ...expected });
  });
});

it('addTopologyHints accepts absent endpoints, hints and names', () => {
  const unchanged = [
    makeSlice('a', null),
    makeSlice('b', [{ conditions: { ready: true }, zone: 'a', hints: { forZones: [{}] } }]),
    makeSlice('c', parseEndpoints('b>b')),
  ];
  const set: SliceSet = {
    create: [],
    update: [],
    unchanged: freezeDeeply(unchanged).slice(),
    read: createReader(makeService(), profileWith()),
  };
  expect(addTopologyHints(set, { shares: new Map(Object.entries(twoEqualShares)) })).toEqual({
    zoneCounts: new Map([
      ['a', 1],
      ['b', 1],
    ]),
  });
  expect(set.update.map(({ metadata }) => metadata.name)).toEqual(['b']);
});

it('createHintsEvent names the address type', () => {
  expect(createHintsEvent(true, 'x', 'IPv6')).toEqual({
    type: 'Normal',
    reason: 'TopologyAwareHintsEnabled',
    message: 'x, addressType: IPv6',
  });
  expect(createHintsEvent(false, 'x', 'IPv4')).toEqual({
    type: 'Warning',
    reason: 'TopologyAwareHintsDisabled',
    message: 'x, addressType: IPv4',
  });
});
