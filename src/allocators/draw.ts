/** Randomness handed in: a whole number from 0 up to but not including `bound`, which is at most 2^32. */
export type Draw = (bound: number) => number;

/** A number below any bound: one draw up to 2^32, two of 32 bits above. */
export function drawBelow(draw: Draw, bound: bigint): bigint {
  if (bound <= word) return BigInt(draw(Number(bound)));
  const high = BigInt(draw(Number(word)));
  return ((high << 32n) | BigInt(draw(Number(word)))) % bound;
}

const word = 1n << 32n;
