import type { Randomness } from './randomness.ts';

/** How often another name is tried where the generated one is taken: `maxNameGenerationCreateAttempts` (1.36, generic/registry). */
export const attempts = 8;

/**
 * A name that begins with a text, cut so that five random characters fit behind it.
 *
 * Mirrors SimpleNameGenerator (1.36, apiserver/pkg/storage/names/generate.go). The alphabet has no vowels, nor what looks like
 * another character, so that no words come of it.
 */
export function generateName(base: string, { draw }: Randomness): string {
  let name = base.slice(0, maxLength - randomLength);
  for (let i = 0; i < randomLength; i++) name += alphabet[draw(alphabet.length)];
  return name;
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const maxLength = 63;
const randomLength = 5;
