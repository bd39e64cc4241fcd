import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** Returns the path of the CEL oracle; builds it unless the cache has one made from the same source. */
export async function buildCel(version: string): Promise<string> {
  return buildProgram('cel', version, { 'main.go': await readFile(join(import.meta.dirname, 'go', 'main.go'), 'utf8') });
}
