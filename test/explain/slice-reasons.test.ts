import { expect, it } from 'vitest';
import { hintsReasons, sliceReasons } from '../../src/explain/slice-reasons.ts';
import { slicePlanMessages } from '../../src/spec/index.ts';

it('every row of a reason table concerns the subject of the table', () => {
  expect(new Set(Object.values(sliceReasons).map(({ about }) => about))).toEqual(new Set(['slices']));
  expect(new Set(Object.values(hintsReasons).map(({ about }) => about))).toEqual(new Set(['hints']));
});

it('hints have the same messages in explanations and plans', () => {
  const shared = Object.entries(hintsReasons).filter(([code]) => Object.hasOwn(slicePlanMessages, code));
  expect(shared.length).toBeGreaterThan(10);
  for (const [code, { message }] of shared) expect(message).toBe((slicePlanMessages as Record<string, string>)[code]);
});
