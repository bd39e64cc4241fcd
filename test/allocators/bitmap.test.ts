import { expect, it } from 'vitest';
import { createBitmap } from '../../src/allocators/bitmap.ts';
import { drawLowest, listOf } from './support.ts';

it('createBitmap allocates, refuses, releases and counts offsets', () => {
  const bits = createBitmap({ size: 40, draw: drawLowest });
  expect([bits.allocate(39), bits.allocate(39), bits.allocate(0)]).toEqual([true, false, true]);
  bits.release(0);
  bits.release(0);
  bits.release(-1);
  bits.release(40);
  expect([bits.used(), bits.free(), bits.has(39), bits.has(0), bits.has(-1)]).toEqual([1, 39, true, false, false]);
});

it.each([-1, 40, 1.5])('a bitmap has no offset %d', (offset) => {
  expect(() => createBitmap({ size: 40, draw: drawLowest }).allocate(offset)).toThrow(`offset ${offset} out of range [0,40]`);
});

it('a bitmap scans from a random offset, and wraps', () => {
  const bounds: number[] = [];
  const recordBound = (bound: number): number => {
    bounds.push(bound);
    return 68;
  };
  const bits = createBitmap({ size: 70, draw: recordBound });
  expect([bits.allocateNext(), bits.allocateNext(), bits.allocateNext()]).toEqual([68, 69, 0]);
  expect(bounds).toEqual([70, 70, 70]);
});

it('a bitmap uses the lower band only when the upper one is full', () => {
  const bits = createBitmap({ size: 6, bandSize: 4, draw: (bound) => bound - 1 });
  expect(Array.from({ length: 7 }, () => bits.allocateNext())).toEqual([5, 4, 3, 0, 1, 2, undefined]);
});

it('an empty bitmap allocates nothing', () => {
  expect(createBitmap({ size: 0, draw: drawLowest }).allocateNext()).toBeUndefined();
});

it('a bitmap can be restored from a snapshot, with its count', () => {
  const bits = createBitmap({ size: 64, draw: drawLowest });
  for (const offset of [0, 9, 33]) bits.allocate(offset);
  const copy = createBitmap({ size: 64, draw: drawLowest });
  copy.allocate(5);
  copy.restore(bits.snapshot());
  expect([listOf(copy), copy.used()]).toEqual([[0, 9, 33], 3]);
});
