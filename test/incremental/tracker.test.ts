import { describe, expect, it } from 'vitest';
import { createSliceTracker } from '../../src/incremental/tracker.ts';
import { areSlicesStale } from '../../src/spec/slices/reading.ts';
import type { EndpointSliceInput } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { key, makeSlice, ownLabels, serviceNameLabel } from '../spec/slices/objects.ts';

const profile = profileFor();

const sliceOfGeneration = (generation: number | null, name = 's'): EndpointSliceInput => makeSlice(name, [], { metadata: { generation } });

describe('areSlicesStale', () => {
  it.each<{ name: string; observed: EndpointSliceInput[]; cached: EndpointSliceInput[]; stale: boolean }>([
    { name: 'no write', observed: [], cached: [sliceOfGeneration(1)], stale: false },
    { name: 'the written generation', observed: [sliceOfGeneration(2)], cached: [sliceOfGeneration(2)], stale: false },
    { name: 'a newer generation', observed: [sliceOfGeneration(2)], cached: [sliceOfGeneration(3)], stale: false },
    { name: 'an older generation', observed: [sliceOfGeneration(2)], cached: [sliceOfGeneration(1)], stale: true },
    {
      name: 'the generation written last',
      observed: [sliceOfGeneration(2), sliceOfGeneration(1)],
      cached: [sliceOfGeneration(1)],
      stale: false,
    },
    { name: 'a missing slice', observed: [sliceOfGeneration(1), sliceOfGeneration(1, 't')], cached: [sliceOfGeneration(1)], stale: true },
    { name: 'no slices', observed: [sliceOfGeneration(1)], cached: [], stale: true },
    {
      name: 'an additional slice',
      observed: [sliceOfGeneration(1)],
      cached: [sliceOfGeneration(1), sliceOfGeneration(1, 't')],
      stale: false,
    },
    { name: 'no generation, written without one', observed: [sliceOfGeneration(null)], cached: [sliceOfGeneration(null)], stale: false },
    { name: 'no generation, written with one', observed: [sliceOfGeneration(1)], cached: [sliceOfGeneration(null)], stale: true },
    { name: 'a write without a UID', observed: [makeSlice('s', [], { metadata: { uid: '' } })], cached: [], stale: false },
  ])('returns for $name: $stale', ({ observed, cached, stale }) => {
    const tracker = createSliceTracker();
    for (const slice of observed) tracker.observe(slice);
    expect(areSlicesStale(tracker.writtenSlices(key), cached, profile)).toBe(stale);
    expect(areSlicesStale(tracker.writtenSlices('shop/other'), cached, profile)).toBe(false);
    tracker.forget(key);
    expect(areSlicesStale(tracker.writtenSlices(key), cached, profile)).toBe(false);
  });

  it('returns true while a deleted slice is cached, and false after the slice has left the cache', () => {
    const tracker = createSliceTracker();
    tracker.observe(sliceOfGeneration(1));
    tracker.expectDeletion(sliceOfGeneration(1));
    expect(areSlicesStale(tracker.writtenSlices(key), [sliceOfGeneration(1)], profile)).toBe(true);
    expect(areSlicesStale(tracker.writtenSlices(key), [sliceOfGeneration(9)], profile)).toBe(true);
    expect(areSlicesStale(tracker.writtenSlices(key), [], profile)).toBe(false);
    expect(tracker.handleDeletion(sliceOfGeneration(1))).toBe(true);
    expect(areSlicesStale(tracker.writtenSlices(key), [sliceOfGeneration(1)], profile)).toBe(false);
  });

  it('accepts slices without metadata', () => {
    const tracker = createSliceTracker();
    tracker.observe({});
    tracker.observe(sliceOfGeneration(1));
    expect(areSlicesStale(tracker.writtenSlices(key), [{}, { metadata: null }], profile)).toBe(true);
    expect(areSlicesStale(tracker.writtenSlices('/'), [{}], profile)).toBe(false);
    expect(tracker.has({})).toBe(false);
  });
});

describe('handleDeletion', () => {
  it.each<[string, (tracker: ReturnType<typeof createSliceTracker>) => void, boolean]>([
    ['an unknown slice', () => {}, true],
    ['a slice that was written', (tracker) => tracker.observe(sliceOfGeneration(1)), false],
    ['a slice that this controller deleted', (tracker) => tracker.expectDeletion(sliceOfGeneration(1)), true],
    ['a slice whose Service is forgotten', (tracker) => [tracker.observe(sliceOfGeneration(1)), tracker.forget(key)], true],
    ['a slice with another UID than the tracked one', (tracker) => tracker.observe(sliceOfGeneration(1, 't')), true],
  ])('returns whether the deletion was expected, for %s', (_, prepare, expected) => {
    const tracker = createSliceTracker();
    prepare(tracker);
    expect(tracker.handleDeletion(sliceOfGeneration(1))).toBe(expected);
    expect(tracker.handleDeletion(sliceOfGeneration(1))).toBe(true);
    expect(tracker.has(sliceOfGeneration(1))).toBe(false);
  });

  it('accepts slices without a UID or metadata', () => {
    expect(createSliceTracker().handleDeletion({})).toBe(true);
  });
});

it('createSliceTracker has the slices that were written or deleted, under the Service of their label', () => {
  const tracker = createSliceTracker();
  tracker.observe(sliceOfGeneration(1));
  tracker.expectDeletion(sliceOfGeneration(1, 't'));
  expect([sliceOfGeneration(1), sliceOfGeneration(1, 't'), sliceOfGeneration(1, 'u')].map(tracker.has)).toEqual([true, true, false]);
  expect(tracker.has(makeSlice('s', [], { metadata: { labels: { ...ownLabels, [serviceNameLabel]: 'db' } } }))).toBe(false);
  expect(tracker.has(makeSlice('s', [], { metadata: { namespace: 'other' } }))).toBe(false);
});

it('createSliceTracker remembers all written slices, and the latest thousand unreported deletions of a Service', () => {
  const tracker = createSliceTracker();
  tracker.observe(sliceOfGeneration(1, 'written'));
  for (let i = 0; i < 1003; i++) tracker.expectDeletion(sliceOfGeneration(1, `d${i}`));
  expect(['d0', 'd1', 'd2', 'd3', 'd1002', 'written'].map((name) => tracker.has(sliceOfGeneration(1, name)))).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
  // a repeated deletion counts as the newest
  tracker.expectDeletion(sliceOfGeneration(1, 'd3'));
  tracker.expectDeletion(sliceOfGeneration(1, 'd1003'));
  expect(['d3', 'd4', 'd5', 'd1003'].map((name) => tracker.has(sliceOfGeneration(1, name)))).toEqual([true, false, true, true]);
});

describe('hasGeneration', () => {
  it('returns true only for the tracked generation', () => {
    const tracker = createSliceTracker();
    expect(tracker.hasGeneration(sliceOfGeneration(1))).toBe(false);
    tracker.observe(sliceOfGeneration(1));
    expect([1, 2].map((generation) => tracker.hasGeneration(sliceOfGeneration(generation)))).toStrictEqual([true, false]);
    tracker.expectDeletion(sliceOfGeneration(1));
    expect(tracker.hasGeneration(sliceOfGeneration(1))).toBe(false);
  });
});
