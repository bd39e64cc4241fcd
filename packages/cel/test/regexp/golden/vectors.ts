import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [first = '', ...others] = readFileSync(join(import.meta.dirname, 'patterns.jsonl'), 'utf8')
  .trim()
  .split('\n');

/** The texts that each pattern is matched against. */
export const texts = JSON.parse(first) as readonly string[];

/** Each pattern with Go's error, or with a digit for each text: 1 for a match, 0 otherwise. */
export const patterns: readonly (readonly [pattern: string, answer: string])[] = others.map(
  (line) => JSON.parse(line) as readonly [pattern: string, answer: string],
);
