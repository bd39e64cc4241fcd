import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [first = '', ...others] = readFileSync(join(import.meta.dirname, 'patterns.jsonl'), 'utf8')
  .trim()
  .split('\n');

/** The texts that the patterns are tried on. */
export const texts = JSON.parse(first) as readonly string[];

/** Patterns, each with Go's error, or a digit for each text that tells whether it matches. */
export const patterns: readonly (readonly [pattern: string, answer: string])[] = others.map(
  (line) => JSON.parse(line) as readonly [pattern: string, answer: string],
);
