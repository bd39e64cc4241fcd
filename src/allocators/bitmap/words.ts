/** Bits in words of 32, the lowest first. */

const allSet = 0xffffffff;

/** The first clear bit from `from` up to but not including `to`. Words that are full are passed over whole. */
export function firstClear(words: Uint32Array, from: number, to: number): number | undefined {
  let bit = from;
  while (bit < to) {
    const word = words[bit >>> 5] as number;
    if (word === allSet) bit = (bit & ~31) + 32;
    else if (((word >>> (bit & 31)) & 1) === 0) return bit;
    else bit += 1;
  }
  return undefined;
}

export function forEachBit(words: Uint32Array, visit: (bit: number) => void): void {
  for (const [place, word] of words.entries()) {
    for (let rest = word; rest !== 0; rest = (rest & (rest - 1)) >>> 0) visit(place * 32 + 31 - Math.clz32(rest & -rest));
  }
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  forEachBit(words, () => {
    count += 1;
  });
  return count;
}

/** One big-endian number without leading zero bytes. */
export function writeBytes(words: Uint32Array): Uint8Array {
  let length = words.length * 4;
  while (length > 0 && byteAt(words, length - 1) === 0) length -= 1;
  return Uint8Array.from({ length }, (_, i) => byteAt(words, length - 1 - i));
}

/** The words of such a number: as many as it takes, but `least` at least. */
export function readBytes(data: Uint8Array, least: number): Uint32Array {
  const words = new Uint32Array(Math.max(least, Math.ceil(data.length / 4)));
  for (const [i, byte] of data.entries()) {
    const place = data.length - 1 - i;
    words[place >>> 2] = (words[place >>> 2] as number) | (byte << ((place & 3) * 8));
  }
  return words;
}

const byteAt = (words: Uint32Array, place: number): number => ((words[place >>> 2] as number) >>> ((place & 3) * 8)) & 255;
