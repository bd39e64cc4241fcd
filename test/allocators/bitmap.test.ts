import { expect, it } from 'vitest';
import { createBitmap } from '../../src/allocators/bitmap.ts';
import { listOf, lowest } from './support.ts';

it('takes, refuses, frees and counts', () => {
  const bits = createBitmap({ size: 40, draw: lowest });
  expect([bits.allocate(39), bits.allocate(39), bits.allocate(0)]).toEqual([true, false, true]);
  bits.release(0);
  bits.release(0);
  bits.release(-1);
  bits.release(40);
  expect([bits.used(), bits.free(), bits.has(39), bits.has(0), bits.has(-1)]).toEqual([1, 39, true, false, false]);
});

it.each([-1, 40, 1.5])('has no offset %d', (offset) => {
  expect(() => createBitmap({ size: 40, draw: lowest }).allocate(offset)).toThrow(`offset ${offset} out of range [0,40]`);
});

it('scans from a random place on, and wraps', () => {
  const bounds: number[] = [];
  const bits = createBitmap({ size: 70, draw: (bound) => bounds.push(bound) * 0 + 68 });
  expect([bits.allocateNext(), bits.allocateNext(), bits.allocateNext()]).toEqual([68, 69, 0]);
  expect(bounds).toEqual([70, 70, 70]);
});

it('gives the lower band only when the upper is full, and then nothing', () => {
  const bits = createBitmap({ size: 6, band: 4, draw: (bound) => bound - 1 });
  expect(Array.from({ length: 7 }, () => bits.allocateNext())).toEqual([5, 4, 3, 0, 1, 2, undefined]);
});

it('has nothing to give where it has no offsets', () => {
  expect(createBitmap({ size: 0, draw: lowest }).allocateNext()).toBeUndefined();
});

it('stores its bits and takes them over with their count', () => {
  const bits = createBitmap({ size: 64, draw: lowest });
  for (const offset of [0, 9, 33]) bits.allocate(offset);
  const copy = createBitmap({ size: 64, draw: lowest });
  copy.allocate(5);
  copy.restore(bits.snapshot());
  expect([listOf(copy), copy.used()]).toEqual([[0, 9, 33], 3]);
});
