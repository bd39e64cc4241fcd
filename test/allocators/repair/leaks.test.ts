import { expect, it } from 'vitest';
import { judgeLeaks, type LeakCounts } from '../../../src/allocators/repair/finding.ts';

const never = (): boolean => false;

it('frees a leak in the third round, and one that comes back at once', () => {
  let counts: LeakCounts<string> = new Map();
  const rounds = Array.from({ length: 4 }, () => {
    const judged = judgeLeaks(['a'], never, counts);
    counts = judged.counts;
    return judged.leaks[0]?.released;
  });
  expect(rounds).toEqual([false, false, true, true]);
});

it('forgets what is used again', () => {
  const { counts } = judgeLeaks(['a', 'b'], never, new Map());
  const second = judgeLeaks(['b'], (value) => value === 'a', counts);
  expect([...second.counts]).toEqual([['b', 0]]);
});
