export interface BitmapOptions {
  /** The number of offsets. */
  readonly size: number;
  /** The number of offsets at the start that are allocated at random only if all others are taken; 0 disables this band. */
  readonly bandSize?: number;
  readonly draw: Draw;
}

/** A contiguous block of offsets, each free or allocated. */
export interface Bitmap {
  readonly size: number;
  /** Allocates an offset; false if it is already allocated. @throws RangeError if it is out of range */
  allocate(offset: number): boolean;
  /** Allocates any free offset; undefined if all are allocated. */
  allocateNext(): number | undefined;
  /** Frees an offset; no effect if it is free or out of range. */
  release(offset: number): void;
  has(offset: number): boolean;
  free(): number;
  used(): number;
  /** The allocated offsets, in ascending order. */
  forEach(visit: (offset: number) => void): void;
  /** The bits as one big-endian number without leading zero bytes, as RangeAllocation stores them. */
  snapshot(): Uint8Array;
  restore(data: Uint8Array): void;
}

/** Mirrors AllocationBitmap (pkg/registry/core/service/allocator/bitmap.go, 1.36). */
export function createBitmap({ size, bandSize = 0, draw }: BitmapOptions): Bitmap {
  let words: Uint32Array = new Uint32Array(Math.ceil(size / 32));
  let count = 0;
  const has = (offset: number): boolean => offset >= 0 && (((words[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1;
  const flip = (offset: number): void => {
    words[offset >>> 5] = (words[offset >>> 5] as number) ^ (1 << (offset & 31));
  };
  const setBit = (offset: number): true => {
    flip(offset);
    count += 1;
    return true;
  };
  const allocateNext = (): number | undefined => {
    if (count >= size) return undefined;
    const offset = scan(words, bandSize, size - bandSize, draw) ?? scan(words, 0, bandSize, draw);
    if (offset !== undefined) setBit(offset);
    return offset;
  };
  return {
    size,
    allocate: (offset) => !has(requireInRange(offset, size)) && setBit(offset),
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

/** Finds the first free offset of a band, starting at a random offset and wrapping around. */
function scan(words: Uint32Array, from: number, length: number, draw: Draw): number | undefined {
  if (length <= 0) return undefined;
  const start = from + draw(length);
  return findFirstClear(words, start, from + length) ?? findFirstClear(words, from, start);
}

function requireInRange(offset: number, size: number): number {
  if (!Number.isInteger(offset) || offset < 0 || offset >= size) throw new RangeError(`offset ${offset} out of range [0,${size}]`);
  return offset;
}

/** A full word; words have 32 bits, the lowest first. */
const fullWord = 0xffffffff;

/** Finds the first clear bit in [from, to); undefined if all are set. Skips full words. */
export function findFirstClear(words: Uint32Array, from: number, to: number): number | undefined {
  let bit = from;
  while (bit < to) {
    const word = words[bit >>> 5] as number;
    if (word === fullWord) bit = (bit & ~31) + 32;
    else if (((word >>> (bit & 31)) & 1) === 0) return bit;
    else bit += 1;
  }
  return undefined;
}

export function forEachBit(words: Uint32Array, visit: (bit: number) => void): void {
  for (const [index, word] of words.entries()) {
    for (let rest = word; rest !== 0; rest = (rest & (rest - 1)) >>> 0) visit(index * 32 + 31 - Math.clz32(rest & -rest));
  }
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  forEachBit(words, () => {
    count += 1;
  });
  return count;
}

/** Writes the bits as one big-endian number without leading zero bytes. */
export function writeBytes(words: Uint32Array): Uint8Array {
  let length = words.length * 4;
  while (length > 0 && byteAt(words, length - 1) === 0) length -= 1;
  return Uint8Array.from({ length }, (_, i) => byteAt(words, length - 1 - i));
}

/** Reads a big-endian number into as many words as it needs, at least `minWords`. */
export function readBytes(data: Uint8Array, minWords: number): Uint32Array {
  const words = new Uint32Array(Math.max(minWords, Math.ceil(data.length / 4)));
  for (const [i, byte] of data.entries()) {
    const index = data.length - 1 - i;
    words[index >>> 2] = (words[index >>> 2] as number) | (byte << ((index & 3) * 8));
  }
  return words;
}

const byteAt = (words: Uint32Array, index: number): number => ((words[index >>> 2] as number) >>> ((index & 3) * 8)) & 255;

/** An injected source of randomness: returns an integer in [0, bound); `bound` is at most 2^32. */
export type Draw = (bound: number) => number;

/** Draws a random number below any bound: one draw for bounds up to 2^32, two draws of 32 bits above. */
export function drawBelow(draw: Draw, bound: bigint): bigint {
  if (bound <= twoTo32) return BigInt(draw(Number(bound)));
  const high = BigInt(draw(Number(twoTo32)));
  return ((high << 32n) | BigInt(draw(Number(twoTo32)))) % bound;
}

const twoTo32 = 1n << 32n;
