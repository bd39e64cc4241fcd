/** Where the random part of an object comes from. Handed in, so that a test knows it beforehand. */
export interface Randomness {
  /** A whole number from 0 up to, but not including, the bound. */
  draw(bound: number): number;
  uuid(): string;
}

export const systemRandomness: Randomness = {
  draw: (bound) => Math.floor(Math.random() * bound),
  uuid: () => globalThis.crypto.randomUUID(),
};

/** All randomness from one source of numbers: version 4 of a UUID included. */
export function randomnessFrom(draw: (bound: number) => number): Randomness {
  const hex = (digits: number): string => Array.from({ length: digits }, () => draw(16).toString(16)).join('');
  return { draw, uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + draw(4)).toString(16)}${hex(3)}-${hex(12)}` };
}
