import { expect, it } from 'vitest';
import { checkLeaks, type LeakCounts } from '../../../src/allocators/repair/finding.ts';

const isNeverUsed = (): boolean => false;

it('checkLeaks releases a leak in the third round, and at once if it recurs', () => {
  let counts: LeakCounts<string> = new Map();
  const rounds = Array.from({ length: 4 }, () => {
    const checked = checkLeaks(['a'], isNeverUsed, counts);
    counts = checked.counts;
    return checked.leaks[0]?.released;
  });
  expect(rounds).toEqual([false, false, true, true]);
});

it('checkLeaks forgets a value that is in use again', () => {
  const { counts } = checkLeaks(['a', 'b'], isNeverUsed, new Map());
  const second = checkLeaks(['b'], (value) => value === 'a', counts);
  expect([...second.counts]).toEqual([['b', 0]]);
});
