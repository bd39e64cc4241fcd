/** A random source that is deterministic for a seed. */
export interface Random {
  /** An integer from 0 to `bound`, exclusive. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** A suffix like those of generateName: without vowels and without digits that resemble letters. */
  suffix(length?: number): string;
}

const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

/** A 32-bit xorshift generator. Spreads the seed over all bits first, so that similar seeds give unrelated sequences. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 16; i += 1) next();
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)] ?? from[0],
    suffix: (length = 5) => Array.from({ length }, () => SUFFIX[below(SUFFIX.length)]).join(''),
  };
}
