/** A random source that is deterministic for a seed. */
export interface Random {
  /** An integer from 0 to the bound, exclusive. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks by weights, which need not add up to 1. */
  pickWeighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  /** Creates an independent random source. */
  fork(): Random;
}

export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    pickWeighted<T extends string>(weights: Readonly<Record<T, number>>) {
      const entries = Object.entries(weights) as [T, number][];
      let remaining = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        remaining -= weight;
        if (remaining < 0) return name;
      }
      return (entries[0] as [T, number])[0];
    },
    fork: () => createRandom(below(2 ** 31)),
  };
}
