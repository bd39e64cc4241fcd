/** Chance that is the same every time. */
export interface Random {
  /** A whole number from 0 up to, but not including, the bound. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** By weights that need not add up to anything. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  /** Another one, which takes nothing from this one any more. */
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
    weighted<T extends string>(weights: Readonly<Record<T, number>>) {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return (entries[0] as [T, number])[0];
    },
    fork: () => createRandom(below(2 ** 31)),
  };
}
