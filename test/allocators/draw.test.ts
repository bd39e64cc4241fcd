import { expect, it } from 'vitest';
import { drawBelow } from '../../src/allocators/bitmap.ts';

/** A function that draws these numbers in order and records its bounds. */
const createDraw = (...numbers: number[]): { draw: (bound: number) => number; bounds: number[] } => {
  const bounds: number[] = [];
  const draw = (bound: number): number => {
    bounds.push(bound);
    return numbers.shift() ?? 0;
  };
  return { bounds, draw };
};

it('drawBelow draws once for bounds up to 2^32', () => {
  const { draw, bounds } = createDraw(7);
  expect(drawBelow(draw, 1n << 32n)).toBe(7n);
  expect(bounds).toEqual([2 ** 32]);
});

it('drawBelow combines two draws for larger bounds, and stays below the bound', () => {
  const { draw, bounds } = createDraw(1, 5);
  expect(drawBelow(draw, (1n << 64n) - 1n)).toBe((1n << 32n) + 5n);
  expect(bounds).toEqual([2 ** 32, 2 ** 32]);
  expect(drawBelow(createDraw(2 ** 32 - 1, 2 ** 32 - 1).draw, 1n << 33n)).toBe((1n << 33n) - 1n);
});
