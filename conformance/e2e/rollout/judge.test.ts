import type { Drop } from '@kube-endpoints/simulator';
import { expect, test } from 'vitest';
import { formatInterval, judge, mergeDrops } from './judge.ts';

const createDrop = (from: number, to: number, kind: Drop['kind'] = 'closed'): Drop => ({
  ...{ kind, service: 'shop/web', from, to, isOngoing: false, pods: [], endpoints: 2, actors: [], share: 0.5, causes: [] },
});
const failAt = (start: number) => ({ start: 1_000_000 + start, end: 1_000_000 + start + 10, code: 'ECONNREFUSED' });
const observe = (...times: number[]) => ({ since: 1_000_000, failures: times.map(failAt) });

test('pairs the drops of runs with as many drops of a kind', () => {
  const runs = [
    [createDrop(1000, 2000), createDrop(9000, 9500)],
    [createDrop(1200, 3000), createDrop(12_000, 14_000)],
  ];
  expect(mergeDrops(runs, 100)).toStrictEqual([
    { kind: 'closed', from: 1000, to: 3000, exact: { from: 1000, to: 2000 }, failures: 50 },
    { kind: 'closed', from: 9000, to: 14_000, exact: { from: 9000, to: 9500 }, failures: 25 },
  ]);
});

test('merges the drops of a kind into one interval if their numbers differ', () => {
  const runs = [[createDrop(1000, 2000)], [createDrop(1200, 1500), createDrop(4000, 5000)]];
  expect(mergeDrops(runs, 100)).toStrictEqual([{ kind: 'closed', from: 1000, to: 5000, exact: { from: 1000, to: 2000 }, failures: 50 }]);
});

test('keeps kinds apart, and expects no failures of a drop that needs a slow machine', () => {
  const runs = [[], [createDrop(1000, 2000, 'notOpen'), createDrop(3000, 4000)]];
  expect(mergeDrops(runs, 100)).toStrictEqual([
    { kind: 'notOpen', from: 1000, to: 2000, failures: 0 },
    { kind: 'closed', from: 3000, to: 4000, failures: 0 },
  ]);
});

test('accepts failures inside of intervals, and no failure without an interval', () => {
  const intervals = mergeDrops([[createDrop(1000, 3000)]], 100);
  expect(judge(intervals, observe(1000, 2000, 3499))).toStrictEqual([]);
  expect(judge([], observe())).toStrictEqual([]);
});

test('rejects a failure outside of all intervals', () => {
  const intervals = mergeDrops([[createDrop(1000, 3000)]], 100);
  expect(judge(intervals, observe(2000, 3600))).toStrictEqual([
    '1 of 2 failures are outside of the predicted intervals, the first 3.6 s after the change: ECONNREFUSED',
  ]);
  expect(judge([], observe(2000))).toStrictEqual([
    '1 of 1 failures are outside of the predicted intervals, the first 2.0 s after the change: ECONNREFUSED',
  ]);
});

test('rejects an interval without a failure if enough are expected', () => {
  const [long] = mergeDrops([[createDrop(1000, 3000)]], 100);
  const [short] = mergeDrops([[createDrop(1000, 1100)]], 100);
  expect(
    judge(
      [long, short].flatMap((each) => each ?? []),
      observe(),
    ),
  ).toStrictEqual(['no request failed in the interval closed 1.0–3.0 s (at the latest 3.0 s)']);
});

test('judges a cut request by its end', () => {
  const intervals = mergeDrops([[createDrop(2000, 2000, 'cut')]], 100);
  const failure = { start: 1_001_000, end: 1_002_000, code: 'ECONNRESET' };
  expect(judge(intervals, { since: 1_000_000, failures: [failure] })).toStrictEqual([]);
});

test('formats an interval with its latest end', () => {
  const [interval] = mergeDrops([[createDrop(1000, 2000)], [createDrop(1200, 3000)]], 100);
  expect(interval && formatInterval(interval)).toBe('closed 1.0–2.0 s (at the latest 3.0 s)');
});
