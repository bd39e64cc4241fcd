import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** Returns the path of the RBAC oracle; builds it unless the cache has one made from the same source. */
export async function buildRbac(version: string): Promise<string> {
  return buildProgram('rbac', version, { 'main.go': await readFile(join(import.meta.dirname, 'go', 'main.go'), 'utf8') });
}
