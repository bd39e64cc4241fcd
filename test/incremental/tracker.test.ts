import { describe, expect, it } from 'vitest';
import { createSliceTracker } from '../../src/incremental/tracker.ts';
import { areSlicesStale } from '../../src/spec/slices/reading.ts';
import type { EndpointSliceInput } from '../../src/types/index.ts';
import { key, makeSlice, ownLabels, serviceName } from '../spec/slices/objects.ts';

const at = (generation: number | null, name = 's'): EndpointSliceInput => makeSlice(name, [], { metadata: { generation } });

describe('what was written makes a cache stale that shows', () => {
  it.each<{ name: string; observed: EndpointSliceInput[]; shown: EndpointSliceInput[]; stale: boolean }>([
    { name: 'nothing was written', observed: [], shown: [at(1)], stale: false },
    { name: 'what was written', observed: [at(2)], shown: [at(2)], stale: false },
    { name: 'something newer', observed: [at(2)], shown: [at(3)], stale: false },
    { name: 'something older', observed: [at(2)], shown: [at(1)], stale: true },
    { name: 'what was written last', observed: [at(2), at(1)], shown: [at(1)], stale: false },
    { name: 'one too few', observed: [at(1), at(1, 't')], shown: [at(1)], stale: true },
    { name: 'none', observed: [at(1)], shown: [], stale: true },
    { name: 'one more', observed: [at(1)], shown: [at(1), at(1, 't')], stale: false },
    { name: 'no generation where there was none', observed: [at(null)], shown: [at(null)], stale: false },
    { name: 'no generation where there was one', observed: [at(1)], shown: [at(null)], stale: true },
    { name: 'what has no UID', observed: [makeSlice('s', [], { metadata: { uid: '' } })], shown: [], stale: false },
  ])('$name: $stale', ({ observed, shown, stale }) => {
    const tracker = createSliceTracker();
    for (const slice of observed) tracker.observe(slice);
    expect(areSlicesStale(tracker.written(key), shown)).toBe(stale);
    expect(areSlicesStale(tracker.written('shop/other'), shown)).toBe(false);
    tracker.forget(key);
    expect(areSlicesStale(tracker.written(key), shown)).toBe(false);
  });

  it('while a slice shows that is deleted, and not when it is gone', () => {
    const tracker = createSliceTracker();
    tracker.observe(at(1));
    tracker.expectDeletion(at(1));
    expect(areSlicesStale(tracker.written(key), [at(1)])).toBe(true);
    expect(areSlicesStale(tracker.written(key), [at(9)])).toBe(true);
    expect(areSlicesStale(tracker.written(key), [])).toBe(false);
    expect(tracker.handleDeletion(at(1))).toBe(true);
    expect(areSlicesStale(tracker.written(key), [at(1)])).toBe(false);
  });

  it('takes slices without metadata', () => {
    const tracker = createSliceTracker();
    tracker.observe({});
    tracker.observe(at(1));
    expect(areSlicesStale(tracker.written(key), [{}, { metadata: null }])).toBe(true);
    expect(areSlicesStale(tracker.written('/'), [{}])).toBe(false);
    expect(tracker.has({})).toBe(false);
  });
});

describe('handleDeletion', () => {
  it.each<[string, (tracker: ReturnType<typeof createSliceTracker>) => void, boolean]>([
    ['one that is not known', () => {}, true],
    ['one that was written', (tracker) => tracker.observe(at(1)), false],
    ['one that was deleted here', (tracker) => tracker.expectDeletion(at(1)), true],
    ['one whose Service is forgotten', (tracker) => [tracker.observe(at(1)), tracker.forget(key)], true],
    ['one of which only another is known', (tracker) => tracker.observe(at(1, 't')), true],
  ])('%s: expected is %s', (_, prepare, expected) => {
    const tracker = createSliceTracker();
    prepare(tracker);
    expect(tracker.handleDeletion(at(1))).toBe(expected);
    expect(tracker.handleDeletion(at(1))).toBe(true);
    expect(tracker.has(at(1))).toBe(false);
  });

  it('takes what has no UID or no metadata', () => {
    expect(createSliceTracker().handleDeletion({})).toBe(true);
  });
});

it('has what was written or deleted, under the Service of its label', () => {
  const tracker = createSliceTracker();
  tracker.observe(at(1));
  tracker.expectDeletion(at(1, 't'));
  expect([at(1), at(1, 't'), at(1, 'u')].map(tracker.has)).toEqual([true, true, false]);
  expect(tracker.has(makeSlice('s', [], { metadata: { labels: { ...ownLabels, [serviceName]: 'db' } } }))).toBe(false);
  expect(tracker.has(makeSlice('s', [], { metadata: { namespace: 'other' } }))).toBe(false);
});

it('remembers the newest thousand of the deletions of a Service that are never reported, and every slice that is there', () => {
  const tracker = createSliceTracker();
  tracker.observe(at(1, 'there'));
  for (let i = 0; i < 1003; i++) tracker.expectDeletion(at(1, `d${i}`));
  expect(['d0', 'd1', 'd2', 'd3', 'd1002', 'there'].map((name) => tracker.has(at(1, name)))).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
  // one that is deleted once more is among the newest
  tracker.expectDeletion(at(1, 'd3'));
  tracker.expectDeletion(at(1, 'd1003'));
  expect(['d3', 'd4', 'd5', 'd1003'].map((name) => tracker.has(at(1, name)))).toEqual([true, false, true, true]);
});
