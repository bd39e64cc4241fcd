import { hash } from 'node:crypto';

/** Returns the same number for the same text, and a different one for every other text. */
export type Intern = (text: string) => number;

export function createIntern(): Intern {
  const numbers = new Map<string, number>();
  return (text) => {
    const existing = numbers.get(text);
    if (existing !== undefined) return existing;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}

/** A hash of 52 bits. */
export function hashOf(text: string): number {
  const digest = hash('sha1', text, 'buffer');
  return digest.readUIntBE(0, 6) * 16 + ((digest[6] as number) & 15);
}
