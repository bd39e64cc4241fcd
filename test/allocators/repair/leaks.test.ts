import { expect, it } from 'vitest';
import { judgeLeaks, type LeakCounts } from '../../../src/allocators/repair/finding.ts';

const never = (): boolean => false;

it('judgeLeaks releases a leak in the third round, and at once if it recurs', () => {
  let counts: LeakCounts<string> = new Map();
  const rounds = Array.from({ length: 4 }, () => {
    const judged = judgeLeaks(['a'], never, counts);
    counts = judged.counts;
    return judged.leaks[0]?.released;
  });
  expect(rounds).toEqual([false, false, true, true]);
});

it('judgeLeaks forgets a value that is in use again', () => {
  const { counts } = judgeLeaks(['a', 'b'], never, new Map());
  const second = judgeLeaks(['b'], (value) => value === 'a', counts);
  expect([...second.counts]).toEqual([['b', 0]]);
});
