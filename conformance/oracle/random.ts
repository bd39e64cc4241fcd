/** A random source that is deterministic for a seed. */
export interface Random {
  /** Returns an integer from 0 to `below - 1`. */
  int(below: number): number;
  /** Returns true with probability `share`; never if it is 0 or less, always if it is 1 or more. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Returns `make()` with probability `share`, else undefined. */
  maybe<T>(share: number, make: () => T): T | undefined;
  shuffle<T>(list: readonly T[]): T[];
}

/** Creates a source that is seeded by any number of integers, in order. The generator is sfc32 ("small fast counting"). */
export function createRandom(...seeds: readonly number[]): Random {
  let [a, b, c, counter] = [0, 0, 0, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (const seed of seeds) {
    // Uses both halves of the number, and enough rounds to mix every bit into every word.
    a ^= seed | 0;
    b ^= Math.floor(seed / 2 ** 32) | 0;
    for (let i = 0; i < 15; i++) next();
  }
  const int = (below: number): number => Math.floor((next() / 2 ** 32) * below);
  const chance = (share: number): boolean => next() / 2 ** 32 < share;
  return {
    int,
    chance,
    pick: (list) => list[int(list.length)] as (typeof list)[number],
    maybe: (share, make) => (chance(share) ? make() : undefined),
    shuffle: (list) => {
      const result = [...list];
      for (let i = result.length - 1; i > 0; i--) {
        const j = int(i + 1);
        [result[i], result[j]] = [result[j] as (typeof list)[number], result[i] as (typeof list)[number]];
      }
      return result;
    },
  };
}
