import { expect, it } from 'vitest';
import { countBits, findFirstClear, forEachBit, readBytes, writeBytes } from '../../../src/allocators/bitmap.ts';

const words = Uint32Array.of(0xffffffff, 0x80000001);

it('findFirstClear finds the first clear bit and skips full words', () => {
  expect([
    findFirstClear(words, 0, 64),
    findFirstClear(words, 33, 64),
    findFirstClear(words, 0, 32),
    findFirstClear(words, 63, 64),
  ]).toEqual([33, 33, undefined, undefined]);
});

it('forEachBit visits the set bits, and countBits counts them', () => {
  const bits: number[] = [];
  forEachBit(words, (bit) => {
    bits.push(bit);
  });
  expect(bits).toEqual([...Array.from({ length: 33 }, (_, i) => i), 63]);
  expect(countBits(words)).toBe(34);
});

it('writeBytes writes a big-endian number, and readBytes reads it', () => {
  expect(writeBytes(Uint32Array.of(0x01020304, 0x05, 0))).toEqual(Uint8Array.of(5, 1, 2, 3, 4));
  expect(writeBytes(Uint32Array.of(0, 0))).toEqual(new Uint8Array());
  expect(readBytes(Uint8Array.of(5, 1, 2, 3, 0xf4), 1)).toEqual(Uint32Array.of(0x010203f4, 5));
  expect(readBytes(new Uint8Array(), 2)).toEqual(new Uint32Array(2));
});
