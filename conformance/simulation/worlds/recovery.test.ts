import { expect, it } from 'vitest';
import { createRecovery } from './recovery.ts';

const findLongest = (stateCount: number, steps: readonly (readonly [from: number, to: number, milliseconds: number])[]) => {
  const recovery = createRecovery();
  for (const step of steps) recovery.add(...step);
  return recovery.findLongest(stateCount);
};

it('finds the longest time of steps one after another', () => {
  expect(findLongest(1, [])).toStrictEqual({ milliseconds: 0, state: 0, isEndless: false });
  const steps = [
    [0, 1, 100],
    [0, 2, 300],
    [1, 3, 500],
    [2, 3, 0],
    [4, 2, 200],
  ] as const;
  expect(findLongest(5, steps)).toStrictEqual({ milliseconds: 600, state: 3, isEndless: false });
});

it('finds steps that lead back to a state', () => {
  const steps = [
    [0, 1, 100],
    [1, 2, 0],
    [2, 1, 0],
    [2, 3, 100],
  ] as const;
  expect(findLongest(4, steps)).toMatchObject({ isEndless: true });
  expect([1, 2]).toContain(findLongest(4, steps).state);
});
