/** Random numbers that are the same for the same seed. */
export interface Random {
  /** 0 or more, less than `bound`. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** A suffix as Kubernetes gives it to names it generates: no vowels, no digits that read like letters. */
  suffix(length?: number): string;
}

const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

/** A 32-bit xorshift generator, its seed spread over all bits first so that neighbouring seeds have nothing in common. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let warm = 0; warm < 16; warm += 1) next();
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)] ?? from[0],
    suffix: (length = 5) => Array.from({ length }, () => SUFFIX[below(SUFFIX.length)]).join(''),
  };
}
