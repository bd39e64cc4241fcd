/** A source of random choices that gives the same ones again for the same seed. */
export interface Random {
  /** A whole number from 0 to `below - 1`. */
  int(below: number): number;
  /** True in `share` of all calls; a share of 0 or less is never true, one of 1 or more always. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** `make()` in `share` of all calls, else undefined. */
  maybe<T>(share: number, make: () => T): T | undefined;
  shuffled<T>(list: readonly T[]): T[];
}

/** Seeded by any number of whole numbers, order included. The generator is sfc32 ("small fast counting"). */
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
    // both halves of the number count, and enough rounds carry every bit of them into every word
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
    shuffled: (list) => {
      const result = [...list];
      for (let i = result.length - 1; i > 0; i--) {
        const j = int(i + 1);
        [result[i], result[j]] = [result[j] as (typeof list)[number], result[i] as (typeof list)[number]];
      }
      return result;
    },
  };
}
