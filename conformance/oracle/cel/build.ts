import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** The path of the oracle of expressions and rules, which is built first where the cache has none made of this source. */
export async function buildCel(version: string): Promise<string> {
  return buildProgram('cel', version, { 'main.go': await readFile(join(import.meta.dirname, 'go', 'main.go'), 'utf8') });
}
