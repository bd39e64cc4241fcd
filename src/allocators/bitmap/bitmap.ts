import type { Draw } from '../draw.ts';
import { countBits, firstClear, forEachBit, readBytes, writeBytes } from './words.ts';

export interface BitmapOptions {
  /** How many offsets there are. */
  readonly size: number;
  /** How many of the first offsets are given at random only when all others are taken; 0 for no such band. */
  readonly band?: number;
  readonly draw: Draw;
}

/** A contiguous block of offsets, each of them free or taken. */
export interface Bitmap {
  readonly size: number;
  /** Takes an offset; false where it is taken already. */
  allocate(offset: number): boolean;
  /** Takes any free offset; undefined where there is none. */
  allocateNext(): number | undefined;
  /** Frees an offset; one that is free or outside stays as it is. */
  release(offset: number): void;
  has(offset: number): boolean;
  free(): number;
  used(): number;
  /** The offsets taken, in ascending order. */
  forEach(visit: (offset: number) => void): void;
  /** The bits as one big-endian number without leading zero bytes, as RangeAllocation stores them. */
  snapshot(): Uint8Array;
  restore(data: Uint8Array): void;
}

/** Mirrors AllocationBitmap (pkg/registry/core/service/allocator/bitmap.go, 1.36). */
export function createBitmap({ size, band = 0, draw }: BitmapOptions): Bitmap {
  let words: Uint32Array = new Uint32Array(Math.ceil(size / 32));
  let count = 0;
  const has = (offset: number): boolean => offset >= 0 && (((words[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1;
  const flip = (offset: number): void => {
    words[offset >>> 5] = (words[offset >>> 5] as number) ^ (1 << (offset & 31));
  };
  const take = (offset: number): true => {
    flip(offset);
    count += 1;
    return true;
  };
  const allocateNext = (): number | undefined => {
    if (count >= size) return undefined;
    const offset = scan(words, band, size - band, draw) ?? scan(words, 0, band, draw);
    if (offset !== undefined) take(offset);
    return offset;
  };
  return {
    size,
    allocate: (offset) => !has(within(offset, size)) && take(offset),
    allocateNext,
    release: (offset) => {
      if (!has(offset)) return;
      flip(offset);
      count -= 1;
    },
    has,
    free: () => size - count,
    used: () => count,
    forEach: (visit) => forEachBit(words, visit),
    snapshot: () => writeBytes(words),
    restore: (data) => {
      words = readBytes(data, Math.ceil(size / 32));
      count = countBits(words);
    },
  };
}

/** The first free offset of a band from a random place on, then from its beginning. */
function scan(words: Uint32Array, from: number, length: number, draw: Draw): number | undefined {
  if (length <= 0) return undefined;
  const start = from + draw(length);
  return firstClear(words, start, from + length) ?? firstClear(words, from, start);
}

function within(offset: number, size: number): number {
  if (!Number.isInteger(offset) || offset < 0 || offset >= size) throw new RangeError(`offset ${offset} out of range [0,${size}]`);
  return offset;
}
