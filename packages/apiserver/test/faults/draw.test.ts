import { expect, it } from 'vitest';
import { createDraw, within } from '../../src/faults/draw.ts';

const first = (seed: number, stream: number, count: number): number[] => {
  const draw = createDraw(seed, stream);
  return Array.from({ length: count }, draw);
};

it('draws the same numbers for the same seed and stream, and others for others', () => {
  expect(first(7, 0, 5)).toEqual(first(7, 0, 5));
  const beginnings = [first(7, 0, 2), first(7, 1, 2), first(8, 0, 2), first(7 + 2 ** 32, 0, 2)].map(String);
  expect(new Set(beginnings).size).toBe(4);
});

it('draws numbers from 0 to below 1, evenly', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of first(1, 3, 10_000)) tenths[Math.floor(number * 10)] = (tenths[Math.floor(number * 10)] as number) + 1;
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

it('draws from a span, ends included, whole where they are', () => {
  const draw = createDraw(5, 0);
  const whole = Array.from({ length: 200 }, () => within([2, 4], draw));
  expect(new Set(whole)).toEqual(new Set([2, 3, 4]));
  const broken = Array.from({ length: 200 }, () => within([0.5, 1], draw));
  expect(broken.every((number) => number >= 0.5 && number < 1)).toBe(true);
  expect(within(9, draw)).toBe(9);
});
